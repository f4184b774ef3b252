package tallystick.report.document;

import java.util.List;

/** One piece of a document. The writers know how each looks; no piece knows a writer. */
public sealed interface Block {

  /** Whether a console or Markdown can show any of it. */
  public default boolean hasWords() {
    return true;
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
   */
  record Items(boolean folded, List<Item> items) implements Block {
    public Items {
      items = List.copyOf(items);
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
   */
  record Item(Mark mark, String text, String detail, List<Argument> arguments) {
    public Item {
      arguments = arguments.stream().filter(argument -> !argument.lines().isEmpty()).toList();
    }

    public static Item of(String text) {
      return new Item(Mark.NONE, text, "", List.of());
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
   */
  record Table(String name, boolean grouped, List<Column> columns, List<Row> rows)
      implements Block {
    public Table {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /** One line of a table; its tone says whose it is. */
  record Row(Tone tone, List<Cell> cells) {
    public Row {
      cells = List.copyOf(cells);
    }

    public static Row of(Cell... cells) {
      return new Row(Tone.PLAIN, List.of(cells));
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
  }

  /** Draws a picture on a page. */
  interface Drawing {
    void draw(Markup html);
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
  }
}
