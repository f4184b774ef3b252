package tallystick.report.writing;

import java.util.ArrayList;
import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.CommandText;

/** A document as text for a terminal, readable without colour. */
public final class ConsoleWriter {
  private static final String INDENT = "  ";
  private static final int WORDS = 9; // the longest word and two blanks

  private final int leastWords;
  private final int width;
  private final boolean colour;
  private static final String HANGING = " ".repeat(WORDS);

  private final List<String> out = new ArrayList<>();

  private ConsoleWriter(int leastWords, int width, boolean colour) {
    this.leastWords = leastWords;
    this.width = width;
    this.colour = colour;
  }

  /**
   * The document, lines ended by {@code \n}.
   *
   * @param width no line is wider, but one with a long word of a command
   * @param colour whether ANSI colour is wanted; no fact is told by colour alone
   */
  public static String text(Document document, int width, boolean colour) {
    return written(document, new ConsoleWriter(0, width, colour));
  }

  /** The same as a first screen: its words stand in one column, whichever of them are there. */
  public static String screen(Document document, int width, boolean colour) {
    return written(document, new ConsoleWriter(WORDS, width, colour));
  }

  private static String written(Document document, ConsoleWriter writer) {
    writer.out.add("");
    List<String> title = new ArrayList<>(List.of(document.title()));
    document.marks().forEach(mark -> title.add(mark.word()));
    int fitting = title.size();
    while (fitting > 1 && Lines.join("", title.subList(0, fitting), writer.width).size() > 1) {
      fitting--;
    }
    writer.marked(
        ConsoleStyle.HEADING, Lines.join("", title.subList(0, fitting), writer.width));
    List<String> rest = title.subList(fitting, title.size());
    boolean isShort = rest.stream().allMatch(one -> one.length() + WORDS <= writer.width);
    writer.marked(
        ConsoleStyle.HEADING, Lines.join(isShort ? HANGING : "", rest, writer.width));
    document.lead().forEach(block -> writer.block("", block));
    document.sections().stream().filter(Section::hasWords).forEach(writer::section);
    return String.join("\n", writer.out) + "\n";
  }

  private void section(Section section) {
    out.add("");
    marked(ConsoleStyle.HEADING, Lines.wrap("", headed(section.title(), section.mark()), width));
    section.blocks().forEach(block -> block(INDENT, block));
  }

  private static String headed(String title, Mark mark) {
    return mark.isShown() ? title + ": " + mark.word() : title;
  }

  private void block(String indent, Block block) {
    switch (block) {
      case Block.Text text -> text(indent, text);
      case Block.Facts facts -> out.addAll(Lines.join(indent, pieces(facts), width));
      case Block.Items items -> items(indent, items.items());
      case Block.Table table -> table(table);
      case Block.Groups groups ->
          groups.groups().stream().filter(Block.Group::hasWords).forEach(g -> group(indent, g));
      case Block.Picture picture -> picture.inWords().forEach(words -> block(indent, words));
      case Block.PageOnly none -> { }
    }
  }

  private void text(String indent, Block.Text text) {
    boolean warns = text.tone() == Tone.CAUTION || text.tone() == Tone.BAD;
    String first = warns ? "! " : indent;
    marked(ConsoleStyle.of(text.tone()), Lines.wrap(first, text.text(), width));
  }

  private static List<String> pieces(Block.Facts facts) {
    return facts.facts().stream().map(fact -> fact.name() + " " + fact.value()).toList();
  }

  private void items(String indent, List<Block.Item> items) {
    int widest = items.stream().mapToInt(item -> item.mark().word().length()).max().orElse(0);
    int column = Math.max(leastWords, widest + (widest == WORDS - 1 ? 1 : 2));
    for (Block.Item item : items) {
      String word = item.mark().word();
      String head = widest + leastWords == 0 ? "* " : word + " ".repeat(column - word.length());
      String text = item.detail().isEmpty() ? item.text() : item.text() + ": " + item.detail();
      ConsoleStyle style = ConsoleStyle.of(item.mark().tone());
      marked(
          style,
          CommandText.isOne(text)
              ? CommandText.lines(indent + head, text, width)
              : Lines.wrap(indent + head, text, width));
      item.arguments().forEach(argument -> argument(indent + INDENT + INDENT, argument));
    }
  }

  private void argument(String indent, Block.Argument argument) {
    String head = argument.word().isEmpty() ? "- " : argument.word() + ": ";
    argument.lines().forEach(line -> out.addAll(Lines.wrap(indent + head, line, width)));
  }

  private void table(Block.Table table) {
    if (table.rows().isEmpty()) {
      out.add(INDENT + "none");
      return;
    }
    ConsoleTable fitted = new ConsoleTable(table, width);
    out.addAll(fitted.lines(colour));
    fitted
        .reasons()
        .forEach(reason -> marked(ConsoleStyle.FAINT, Lines.wrap(INDENT, reason, width)));
  }

  private void group(String indent, Block.Group group) {
    String title = headed(group.title(), group.mark());
    if (!title.isEmpty()) {
      marked(ConsoleStyle.of(group.mark().tone()), Lines.wrap(indent, title, width));
    }
    String inner = title.isEmpty() ? indent : indent + INDENT;
    group.blocks().forEach(block -> block(inner, block));
  }

  private void marked(ConsoleStyle style, List<String> lines) {
    lines.forEach(line -> out.add(style.mark(line, colour)));
  }
}
