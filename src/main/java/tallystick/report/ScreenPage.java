package tallystick.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.HeatMap;
import tallystick.experiment.ScreenLines;
import tallystick.report.markup.AnswerList;
import tallystick.report.markup.Markup;
import tallystick.report.writing.HtmlPage;
import tallystick.runrecord.WholeFile;
import tallystick.scenario.PlainText;

/** The first screen of an experiment as a page: the same words, in the language of every page. */
public final class ScreenPage {
  private static final Pattern HEAD = Pattern.compile("([A-Z]{4,8}) +(.*)");
  private static final Pattern NEXT_LINE = Pattern.compile(" {9}(\\S.*)");

  private static final Pattern HEAD_OF_COLUMN = Pattern.compile("\\S+( \\S+)*");

  /** Where the writer of the screen begins a new line. */
  private static final int WIDTH = 80;

  /** Below it each alert ends with whom it calls, in brackets. */
  private static final String EARNED = "EARNED";

  private static final String SIMULATED = "simulated engine";

  private final String kind;
  private final String what;
  private final Drawn drawn;
  private final Map<String, List<String>> answers = new LinkedHashMap<>();
  private final StringBuilder table = new StringBuilder();

  /** How the first answer of a screen is to be read. */
  public enum Verdict {
    GOOD(Tone.GOOD),
    BAD(Tone.BAD),
    UNPROVEN(Tone.CAUTION),
    NONE(Tone.PLAIN);

    private final Tone tone;

    Verdict(Tone tone) {
      this.tone = tone;
    }
  }

  /**
   * What only the page draws.
   *
   * @param verdict how the first answer is to be read
   * @param maps of a tuning
   */
  public record Drawn(Verdict verdict, List<HeatMap> maps) {
    public Drawn {
      maps = List.copyOf(maps);
    }

    /** Words are enough. */
    public static Drawn words(Verdict verdict) {
      return new Drawn(verdict, List.of());
    }

    private List<Section> sections() {
      List<Section> sections = new ArrayList<>();
      sections.add(
          Section.of(
              "maps", "Figures over the two flags",
              maps.stream().map(map -> (Block) new Block.Picture(map, List.of())).toList()));
      return sections;
    }
  }

  private ScreenPage(String screen, Drawn drawn) {
    this.drawn = drawn;
    List<String> lines = new ArrayList<>(screen.strip().lines().toList());
    String first = lines.removeFirst();
    while (!lines.isEmpty() && NEXT_LINE.matcher(lines.getFirst()).matches()) {
      first += " " + lines.removeFirst().strip();
    }
    int end = first.indexOf("   ");
    this.kind = end < 0 ? first.strip() : first.substring(0, end).strip();
    this.what = end < 0 ? "" : first.substring(end).strip().replaceAll(" {2,}", " · ");
    String head = "";
    String before = "";
    for (String line : lines) {
      Matcher begins = HEAD.matcher(line);
      Matcher goesOn = NEXT_LINE.matcher(line);
      if (begins.matches()) {
        head = begins.group(1);
        answers.put(head, new ArrayList<>(List.of(begins.group(2))));
      } else if (!head.isEmpty() && isHalfACommand(answers.get(head).getLast())) {
        List<String> said = answers.get(head);
        said.set(said.size() - 1, said.getLast().replaceFirst(" \\\\$", " ") + line.strip());
      } else if (goesOn.matches() && !head.isEmpty()) {
        boolean isEnded = head.equals(EARNED) && before.endsWith(")");
        goOn(answers.get(head), isEnded ? "" : before, goesOn.group(1));
      } else {
        head = "";
        table.append(line).append('\n');
      }
      before = line;
    }
  }

  // A line whose first word had room on the line before says another thing.
  private static void goOn(List<String> said, String before, String words) {
    if (before.length() + 1 + words.split(" ")[0].length() <= WIDTH) {
      said.add(words);
    } else {
      said.set(said.size() - 1, said.getLast() + " " + words);
    }
  }

  /**
   * Writes the page and the experiment's line in the list of runs.
   *
   * @param folder the experiment's
   * @param screen what the terminal shows
   * @param drawn what is drawn with it
   * @return the page
   * @throws IOException if the folder cannot be written
   */
  public static Path write(Path folder, String screen, Instant ended, Drawn drawn)
      throws IOException {
    ScreenPage page = new ScreenPage(screen, drawn);
    page.answers.replaceAll((head, said) -> named(said, folder));
    String file = page.kind.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "-") + ".html";
    RunLine line =
        new RunLine(
            page.kind, folder.getFileName().toString(), ended.toString(), file,
            page.marks(), page.told(), Map.of());
    WholeFile.write(
        folder.resolve(RunsPage.ANSWERS), out -> AnalysisJson.write(line, out));
    return WholeFile.write(folder.resolve(file), page.html());
  }

  private static List<String> named(List<String> said, Path folder) {
    String name = PlainText.argument(folder);
    return said.stream().map(one -> one.replace(ScreenLines.FOLDER, name)).toList();
  }

  private static boolean isHalfACommand(String said) {
    return said.endsWith(" \\");
  }

  private Tone tone(String head) {
    boolean isFirst = answers.keySet().iterator().next().equals(head);
    return isFirst ? drawn.verdict().tone : Tone.PLAIN;
  }

  private Map<String, RunLine.Answer> told() {
    Map<String, RunLine.Answer> told = new LinkedHashMap<>();
    answers.forEach(
        (head, said) ->
            told.put(head, new RunLine.Answer(tone(head), String.join("; ", said))));
    return told;
  }

  private String html() {
    Block head = tallystick.report.markup.Drawn.picture(this::draw, List.of());
    Document document =
        new Document(kind, marks(), List.of(head), drawn.sections());
    return HtmlPage.of(document, "Tallystick. Every figure is in the files beside this page.");
  }

  private List<Mark> marks() {
    Tone tone = what.contains(SIMULATED) ? Tone.CAUTION : Tone.PLAIN;
    return what.isEmpty() ? List.of() : List.of(new Mark(tone, what));
  }

  private void draw(Markup html) {
    AnswerList list = new AnswerList();
    answers.forEach(
        (word, said) ->
            list.add(
                word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT),
                said.stream()
                    .map(
                        line ->
                            new Block.Item(new Mark(tone(word), ""), line, "", List.of()))
                    .toList()));
    list.draw(html);
    if (!table.isEmpty()) {
      html.raw("<pre class=\"command\" tabindex=\"0\">");
      heads(html, table.substring(0, table.indexOf("\n")));
      html.text(table.substring(table.indexOf("\n"))).raw("</pre>\n");
    }
  }

  // The heads of a table are apart by their columns' gaps; each is a word of its own.
  private static void heads(Markup html, String line) {
    Matcher word = HEAD_OF_COLUMN.matcher(line);
    int end = 0;
    while (word.find()) {
      html.text(line.substring(end, word.start())).term(word.group());
      end = word.end();
    }
    html.text(line.substring(end));
  }
}
