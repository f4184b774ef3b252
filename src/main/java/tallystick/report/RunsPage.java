package tallystick.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.report.writing.HtmlPage;
import tallystick.runrecord.FilesBelow;
import tallystick.runrecord.RunMoment;
import tallystick.runrecord.WholeFile;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/**
 * {@code index.html} beside the folders of runs: one line for each, the newest first; the runs of
 * one scenario together, those of an experiment below it.
 */
public final class RunsPage {
  /** What a run's folder keeps for this page. */
  static final String ANSWERS = "answers.json";

  /** What an experiment's folder has from its first moment on. */
  private static final String JOURNAL = "journal.ndjson";

  private static final String TITLE = "Runs";
  private static final String REPORTS = "reports";

  /** Runs lie below {@code reports}, or one folder deeper. */
  private static final int DEEPEST = 2;

  /** Those of an experiment lie below its own folder, as {@code confirm/runs/base-1}. */
  private static final int DEEPEST_OF_EXPERIMENT = DEEPEST + 3;

  private static final int MOST_TIMES = 10; // a bound where many runs end at once
  private static final int MANY = 10; // five on each side can show that a level changed
  private static final String CHANGES = "; tally history reports tells where their level changed";
  private static final String INVALID = "INVALID";
  private static final String WAIT = "TTFT P95"; // beside it stands how it went

  /** Shown of a run beside its first answer, the verdict. */
  private static final List<String> SHOWN = List.of("PRICE", "TRUST");
  private static final int HEAD_BYTES = 2_000; // the head's mark is within
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(
              com.fasterxml.jackson.databind.PropertyNamingStrategies.SNAKE_CASE)
          .enable(com.fasterxml.jackson.databind.MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RunsPage() {}

  /**
   * A run or an experiment.
   *
   * @param unfinished folder of the experiment without an answer that the run is of; else empty
   */
  private record Listed(String folder, RunLine line, String unfinished) {
    boolean isBelow(Listed other) {
      return folder.startsWith(other.folder + "/");
    }
  }

  /**
   * Writes the list anew that a run belongs to: of the folder {@code reports} it lies in. Runs that
   * lie elsewhere have no list, and a file of somebody else's is left alone.
   *
   * @param run the run's folder
   * @return the page, if there is one of ours now
   * @throws IOException if the folder cannot be read or written
   */
  public static Optional<Path> renew(Path run) throws IOException {
    Path parent = run.toAbsolutePath().normalize().getParent();
    for (int depth = 1; parent != null && depth <= DEEPEST; depth++) {
      if (parent.endsWith(REPORTS)) {
        return write(parent);
      }
      parent = parent.getParent();
    }
    return Optional.empty();
  }

  private static Optional<Path> write(Path parent) throws IOException {
    Path file = parent.resolve("index.html");
    if (!isOurs(file)) {
      return Optional.empty();
    }
    List<Listed> written;
    List<Listed> runs = runs(parent);
    int times = 0;
    do {
      written = runs;
      String page = page(written);
      WholeFile.write(file, page);
      // Another run may have ended meanwhile, and its list may have been the one before this.
      runs = runs(parent);
      times++;
    } while (!runs.equals(written) && times < MOST_TIMES);
    return Optional.of(file);
  }

  private static boolean isOurs(Path file) throws IOException {
    if (Files.notExists(file)) {
      return true;
    }
    try (var in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD_BYTES), java.nio.charset.StandardCharsets.UTF_8);
      return head.contains(HtmlPage.generator(TITLE));
    }
  }

  private static List<Listed> runs(Path parent) throws IOException {
    List<Listed> found = new ArrayList<>();
    for (Path file : FilesBelow.named(parent, DEEPEST_OF_EXPERIMENT + 1, ANSWERS)) {
      String folder = parent.relativize(file.getParent()).toString();
      String experiment = unfinished(parent, file.getParent());
      read(file).ifPresent(line -> found.add(new Listed(folder, line, experiment)));
    }
    found.sort(
        Comparator.comparing((Listed one) -> began(one.line()))
            .reversed()
            .thenComparing(Listed::folder));
    return found;
  }

  /** The experiment above a run that has begun and given no answer, by its name in the list. */
  private static String unfinished(Path parent, Path run) {
    for (Path above = run.getParent();
        above != null && above.startsWith(parent);
        above = above.getParent()) {
      if (Files.exists(above.resolve(JOURNAL))) {
        String name = above.equals(parent) ? REPORTS : parent.relativize(above).toString();
        return Files.exists(above.resolve(ANSWERS)) ? "" : name;
      }
    }
    return "";
  }

  private static String began(RunLine line) {
    return RunMoment.of(line.run(), line.startedUtc());
  }

  // A file that cannot be read is no run; the others are still listed.
  private static Optional<RunLine> read(Path file) {
    try {
      return Optional.of(MAPPER.readValue(file.toFile(), RunLine.class)).filter(RunsPage::isWhole);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isWhole(RunLine line) {
    return Stream.of(
            line.name(), line.run(), line.startedUtc(), line.page(), line.marks(),
            line.answers(), line.figures())
        .noneMatch(Objects::isNull);
  }

  private static String page(List<Listed> runs) {
    Block table = Drawn.picture(html -> draw(html, runs));
    Document document =
        new Document(TITLE, List.of(), List.of(), List.of(Section.of("runs", "", table)));
    return HtmlPage.of(document, "Tallystick. Written anew after every run.");
  }

  private static void draw(Markup html, List<Listed> runs) {
    TreeSet<String> figures = new TreeSet<>(Comparator.comparing(RunsPage::place));
    runs.forEach(run -> figures.addAll(run.line().figures().keySet()));
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\">")
        .raw("<table class=\"runs\"><thead><tr><th scope=\"col\">run</th>")
        .raw("<th scope=\"col\">what it says</th>");
    for (String name : figures) {
      html.raw("<th scope=\"col\" class=\"number\">").term(name).raw("</th>");
    }
    html.raw("</tr></thead>\n");
    for (List<Listed> group : groups(runs)) {
      drawGroup(html, group, figures);
    }
    html.raw("</table></div>\n");
  }

  /** An experiment with its runs, or all runs of a scenario; what is newest first. */
  private static List<List<Listed>> groups(List<Listed> runs) {
    Set<String> folders = runs.stream().map(Listed::folder).collect(Collectors.toSet());
    Map<String, List<Listed>> parts = new LinkedHashMap<>();
    runs.reversed()
        .forEach(
            run ->
                above(run.folder(), folders)
                    .ifPresent(
                        top -> parts.computeIfAbsent(top, any -> new ArrayList<>()).add(run)));
    Map<String, List<Listed>> groups = new LinkedHashMap<>();
    for (Listed run : runs) {
      boolean isPart = above(run.folder(), folders).isPresent();
      if (!run.unfinished().isEmpty()) {
        // The oldest first, as those below a finished experiment.
        groups.computeIfAbsent("/" + run.unfinished(), any -> new ArrayList<>()).addFirst(run);
      } else if (!isPart && Path.of(run.folder()).getNameCount() <= DEEPEST) {
        List<Listed> own = parts.getOrDefault(run.folder(), List.of());
        boolean isRun = run.line().page().equals(RunLine.PAGE) && own.isEmpty();
        String name = isRun ? run.line().name() : "/" + run.folder();
        List<Listed> group = groups.computeIfAbsent(name, any -> new ArrayList<>());
        group.add(run);
        group.addAll(own);
      }
    }
    return List.copyOf(groups.values());
  }

  /** The listed folder that another lies below; empty where none does. */
  private static Optional<String> above(String folder, Set<String> folders) {
    return Stream.iterate(Path.of(folder).getParent(), Objects::nonNull, Path::getParent)
        .map(Path::toString)
        .filter(folders::contains)
        .reduce((nearer, farther) -> farther);
  }

  private static void drawGroup(Markup html, List<Listed> group, Set<String> figures) {
    html.raw("<tbody>\n");
    Listed first = group.getFirst();
    boolean isExperiment = group.stream().anyMatch(run -> run.isBelow(first));
    boolean isUnfinished = !first.unfinished().isEmpty();
    if (isUnfinished || !isExperiment && group.size() > 1) {
      String runs = ", " + Counted.of(group.size(), "run", "runs");
      html.raw("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"" + (2 + figures.size()))
          .raw("\">")
          .text(
              isUnfinished
                  ? first.unfinished() + runs + ": interrupted, or still running"
                  : first.line().name() + runs + (group.size() < MANY ? "" : CHANGES))
          .raw("</th></tr>\n");
    }
    for (Listed run : group) {
      String css = isUnfinished || run.isBelow(first) ? " class=\"part\"" : "";
      html.raw("<tr" + css + "><th scope=\"row\"><a href=\"")
          .text(address(run))
          .raw("\">")
          .text(css.isEmpty() ? run.line().name() : run.line().run())
          .raw("</a><br><small>")
          .text(began(run.line()))
          .raw("</small></th><td>");
      says(html, run.line());
      html.raw("</td>");
      // Figures of an invalid run are there, but nothing to compare with.
      String number = run.line().answers().containsKey(INVALID) ? "number missing" : "number";
      for (String name : figures) {
        html.raw("<td class=\"" + number + "\" data-head=\"")
            .text(name)
            .raw("\">")
            .text(run.line().figures().getOrDefault(name, "–"));
        if (name.equals(WAIT)) {
          waits(html, run.line().waits());
        }
        html.raw("</td>");
      }
      html.raw("</tr>\n");
    }
    html.raw("</tbody>\n");
  }

  // How the wait went: a run that got slower looks so.
  private static void waits(Markup html, List<Double> waits) {
    double most = waits.stream().mapToDouble(one -> one).max().orElse(0);
    if (most <= 0) {
      return;
    }
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < waits.size(); i++) {
      path.append(path.isEmpty() ? "M" : "L")
          .append(Formatted.of("%d %.1f", i, 20 * (1 - waits.get(i) / most)));
    }
    html.raw("<svg class=\"spark\" aria-hidden=\"true\" preserveAspectRatio=\"none\"")
        .raw(" viewBox=\"0 -1 " + Math.max(1, waits.size() - 1) + " 22\"><path d=\"" + path)
        .raw("\"/></svg>");
  }

  private static String place(String figure) {
    int place = List.of(WAIT, "ITL P99", "E2E P95", "ok", "tokens/s").indexOf(figure);
    return (place < 0 ? "9" : String.valueOf(place)) + figure;
  }

  // A folder's name may hold anything.
  private static String address(Listed run) {
    String page = run.line().page().replaceAll("[^A-Za-z0-9._-]", "");
    return "./" + encoded(run.folder()) + "/" + page;
  }

  private static String encoded(String folder) {
    return java.net.URLEncoder.encode(folder, java.nio.charset.StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%2F", "/");
  }

  private static void says(Markup html, RunLine line) {
    Stream<String> verdict =
        line.verdict().isEmpty()
            ? line.answers().keySet().stream().limit(1)
            : Stream.of(line.verdict());
    Stream.concat(verdict, SHOWN.stream())
        .distinct()
        .filter(line.answers()::containsKey)
        .forEach(
            word ->
                html.raw("<p class=\"says " + line.answers().get(word).tone().css())
                    .raw("\"><b>")
                    .text(word)
                    .raw("</b> ")
                    .text(line.answers().get(word).text())
                    .raw("</p>"));
    line.marks().stream()
        .filter(mark -> mark.tone() == Tone.CAUTION || mark.tone() == Tone.BAD)
        .filter(Mark::isShown)
        .forEach(mark -> html.raw("<span class=\"chip " + mark.tone().css() + "\">")
            .text(mark.word())
            .raw("</span> "));
  }
}
