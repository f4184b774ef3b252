package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.report.markup.AnswerList;
import tallystick.report.writing.ConsoleWriter;

/**
 * The first screen of a command, in the grammar of all of them: what ran on what; then words such
 * as VERDICT, TRUST, WHERE and NEXT with their answers; a table where things are compared.
 */
public final class Screen {
  private static final int LINES = 24;
  private static final int MOST_ROOM = 20;
  private static final Pattern FIGURE = Pattern.compile("([-+~<>]? ?[(\\d].*|n/a.*|-?)");

  private final String title;
  private final List<Mark> marks;
  private final List<Block> blocks = new ArrayList<>();
  private List<Block.Item> items = new ArrayList<>();

  /** A screen that begins with what ran, and on what. */
  public Screen(String title, String... facts) {
    this.title = title;
    this.marks = Arrays.stream(facts).map(fact -> new Mark(Tone.PLAIN, fact)).toList();
  }

  /** An answer; an empty word goes on with the one before. */
  public Screen plain(String word, String text) {
    return says(Tone.PLAIN, word, text);
  }

  /** An answer that is as it should be. */
  public Screen good(String word, String text) {
    return says(Tone.GOOD, word, text);
  }

  /** An answer to be careful with. */
  public Screen caution(String word, String text) {
    return says(Tone.CAUTION, word, text);
  }

  /** An answer that is not as it should be. */
  public Screen bad(String word, String text) {
    return says(Tone.BAD, word, text);
  }

  private Screen says(Tone tone, String word, String text) {
    items.add(new Block.Item(new Mark(tone, "%-7s".formatted(word)), text, "", List.of()));
    return this;
  }

  /** What to type next, one line for each. */
  public Screen next(String... commands) {
    for (int i = 0; i < commands.length; i++) {
      plain(i == 0 ? "NEXT" : "", commands[i]);
    }
    return this;
  }

  /** A table; a column of figures is set to the right. */
  public Screen table(List<String> heads, List<List<String>> rows) {
    end();
    List<Column> columns =
        IntStream.range(0, heads.size()).mapToObj(i -> column(i, heads.get(i), rows)).toList();
    List<Block.Row> cells =
        rows.stream()
            .map(row -> new Block.Row(Tone.PLAIN, row.stream().map(Cell::of).toList()))
            .toList();
    blocks.add(new Block.Table("", false, columns, cells));
    return this;
  }

  private static Column column(int place, String head, List<List<String>> rows) {
    // The first names the row, whatever it begins with.
    boolean isFigure =
        place > 0
            && rows.stream().allMatch(row -> FIGURE.matcher(row.get(place)).matches());
    return isFigure ? Column.number(head) : Column.words(head);
  }

  private void end() {
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(false, items));
      items = new ArrayList<>();
    }
  }

  /** The screen as the head of a page. */
  public Document page(List<Section> sections) {
    end();
    return new Document(title, marks, AnswerList.head(blocks), sections);
  }

  private Document document() {
    end();
    return new Document(title, marks, blocks, List.of());
  }

  /**
   * The text in 24 lines of the terminal.
   *
   * @param made makes the screen with so many of its findings or rows; fewer where it is too long
   */
  public static String text(IntFunction<Screen> made, Terminal terminal) {
    return fitted(MOST_ROOM, room -> made.apply(room).document(), terminal);
  }

  /** The same of any document, with so much room at most. */
  public static String fitted(int most, IntFunction<Document> made, Terminal terminal) {
    String text = "";
    for (int room = most; room >= 0; room--) {
      text = ConsoleWriter.text(made.apply(room), terminal.columns(), terminal.colour());
      if (text.lines().count() <= LINES) {
        return text;
      }
    }
    return text;
  }
}
