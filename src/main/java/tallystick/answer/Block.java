package tallystick.answer;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** One piece of a document. The writers know how each looks; no piece knows a writer. */
public sealed interface Block {

  /** Whether a console or Markdown can show any of it. */
  public default boolean hasWords() {
    return true;
  }

  /** Whether a page shows a picture in it. */
  public default boolean isDrawn() {
    return false;
  }

  /** A sentence or a few. */
  record Text(Tone tone, String text) implements Block {}

  /** Names and values. */
  record Facts(List<Fact> facts) implements Block {
    public Facts {
      facts = List.copyOf(facts);
    }
  }

  /**
   * Judged things or remarks, one below the other.
   *
   * @param folded whether a page opens only the first
   * @param rest said below them where some were left out
   */
  record Items(boolean folded, List<Item> items, Rest rest) implements Block {
    public Items {
      items = List.copyOf(items);
    }

    public Items(boolean folded, List<Item> items) {
      this(folded, items, Rest.NONE);
    }

    /** Remarks without a mark. */
    public static Items of(List<String> texts) {
      return new Items(false, texts.stream().map(Item::of).toList());
    }
  }

  /**
   * One judged thing.
   *
   * @param text what it is
   * @param detail how it did; may be empty
   * @param arguments what speaks for it, against it, and what to do
   * @param spare a short screen leaves out the item with the highest first; 0 is never left out
   */
  record Item(Mark mark, String text, String detail, List<Argument> arguments, int spare) {
    public Item {
      arguments = arguments.stream().filter(argument -> !argument.lines().isEmpty()).toList();
    }

    public Item(Mark mark, String text, String detail, List<Argument> arguments) {
      this(mark, text, detail, arguments, 0);
    }

    public Item(Mark mark, String text, int spare) {
      this(mark, text, "", List.of(), spare);
    }

    public static Item of(Tone tone, String word, String text) {
      return new Item(new Mark(tone, word), text, 0);
    }

    public static Item of(String text) {
      return new Item(Mark.NONE, text, 0);
    }
  }

  /**
   * What stands below a list of which a short screen shows a part; {@code %d} is how many it left
   * out.
   */
  record Rest(IntFunction<String> sentence) {
    public static final Rest NONE = of("");

    public Rest(String one, String many) {
      this(leftOut -> (leftOut == 1 ? one : many).formatted(leftOut));
    }

    public static Rest of(String sentence) {
      return new Rest(sentence, sentence);
    }

    /** The sentence for so many; empty where there is nothing to say. */
    public String words(int leftOut) {
      return leftOut == 0 ? "" : sentence.apply(leftOut);
    }
  }

  /** Lines under one word; the word may be empty. */
  record Argument(String word, List<String> lines) {
    public Argument {
      lines = lines.stream().filter(line -> !line.isEmpty()).toList();
    }
  }

  /**
   * Columns of cells.
   *
   * @param name what it shows
   * @param grouped whether rows with the same first cell belong together
   * @param rest said below it where rows were left out
   */
  record Table(String name, boolean grouped, List<Column> columns, List<Row> rows, Rest rest)
      implements Block {
    public Table {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }

    public Table(String name, boolean grouped, List<Column> columns, List<Row> rows) {
      this(name, grouped, columns, rows, Rest.NONE);
    }

    @Override
    public boolean isDrawn() {
      return rows.stream()
          .flatMap(row -> row.cells().stream())
          .anyMatch(cell -> cell.drawing().isPresent());
    }
  }

  /**
   * One line of a table.
   *
   * @param tone says whose it is
   * @param spare a short screen leaves out the row with the highest first; 0 is never left out
   */
  record Row(Tone tone, List<Cell> cells, int spare) {
    public Row {
      cells = List.copyOf(cells);
    }

    public Row(Tone tone, List<Cell> cells) {
      this(tone, cells, 0);
    }

    /** The same, left out where it does not fit. */
    public Row spare(int rank) {
      return new Row(tone, cells, rank);
    }

    public static Row of(Cell... cells) {
      return new Row(Tone.PLAIN, List.of(cells));
    }

    /** Cells that are no more than their words. */
    public static Row words(String... cells) {
      return new Row(Tone.PLAIN, Stream.of(cells).map(Cell::of).toList());
    }
  }

  /** Blocks side by side where there is room. */
  record Groups(List<Group> groups) implements Block {
    public Groups {
      groups = groups.stream().filter(group -> !group.blocks().isEmpty()).toList();
    }

    @Override
    public boolean hasWords() {
      return groups.stream().anyMatch(Group::hasWords);
    }

    @Override
    public boolean isDrawn() {
      return groups.stream().flatMap(group -> group.blocks().stream()).anyMatch(Block::isDrawn);
    }
  }

  /** Blocks under a small heading, which may be empty. */
  record Group(String title, Mark mark, List<Block> blocks) {
    public Group {
      blocks = List.copyOf(blocks);
    }

    /** Facts under a heading; no group where there are none. */
    public static Group of(String title, List<Fact> facts) {
      return new Group(
          title, Mark.NONE, facts.isEmpty() ? List.of() : List.of(new Facts(facts)));
    }

    public boolean hasWords() {
      return blocks.stream().anyMatch(Block::hasWords);
    }
  }

  /**
   * A drawing on a page.
   *
   * @param inWords what stands for it elsewhere; may be empty
   */
  record Picture(Drawing drawing, List<Block> inWords) implements Block {
    public Picture {
      inWords = List.copyOf(inWords);
    }

    @Override
    public boolean hasWords() {
      return !inWords.isEmpty();
    }

    @Override
    public boolean isDrawn() {
      return true;
    }
  }

  /**
   * Details that only a page has room for.
   *
   * @param fold the line that opens them; empty where they stand open
   */
  record PageOnly(String fold, List<Block> blocks) implements Block {
    public PageOnly {
      blocks = List.copyOf(blocks);
    }

    @Override
    public boolean hasWords() {
      return false;
    }

    @Override
    public boolean isDrawn() {
      return blocks.stream().anyMatch(Block::isDrawn);
    }
  }
}
