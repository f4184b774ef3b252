package tallystick.report.writing;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Document;
import tallystick.answer.Fact;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.ProgramName;
import tallystick.scenario.PlainText;

/** A document as Markdown. Text of strangers cannot begin a tag, a table cell or a link. */
public final class MarkdownWriter {
  private final StringBuilder out = new StringBuilder();

  private MarkdownWriter() {}

  /** The document, ended by a line break. */
  public static String text(Document document) {
    MarkdownWriter writer = new MarkdownWriter();
    StringBuilder title = new StringBuilder(document.title());
    document.marks().forEach(mark -> title.append(" · ").append(mark.word()));
    writer.heading(1, title.toString(), Mark.NONE);
    document.lead().forEach(writer::block);
    document.sections().stream().filter(Section::hasWords).forEach(writer::section);
    return ProgramName.in(writer.out);
  }

  /** The same with its sections folded away below what it says first. */
  public static String folded(Document document) {
    String first =
        text(new Document(document.title(), document.marks(), document.lead(), List.of()));
    MarkdownWriter writer = new MarkdownWriter();
    document.sections().stream().filter(Section::hasWords).forEach(writer::section);
    return writer.out.isEmpty()
        ? first
        : first + "<details>\n<summary>The whole account</summary>\n\n"
            + ProgramName.in(writer.out) + "</details>\n";
  }

  private void section(Section section) {
    heading(2, section.title(), section.mark());
    section.blocks().forEach(this::block);
  }

  private void heading(int level, String title, Mark mark) {
    String text = mark.isShown() ? title + ": " + mark.word() : title;
    if (!text.isEmpty()) {
      line("#".repeat(level) + " ", text);
      out.append('\n');
    }
  }

  private void block(Block block) {
    switch (block) {
      case Block.Text text -> text(text);
      case Block.Facts facts -> facts(facts.facts());
      case Block.Items items -> items(items.items());
      case Block.Table table -> table(table);
      case Block.Groups groups ->
          groups.groups().stream().filter(Block.Group::hasWords).forEach(this::group);
      case Block.Picture picture -> picture.inWords().forEach(this::block);
      case Block.PageOnly none -> { }
    }
  }

  private void text(Block.Text text) {
    boolean warns = text.tone() == Tone.CAUTION || text.tone() == Tone.BAD;
    line(warns ? "> " : "", text.text());
    out.append('\n');
  }

  private void facts(List<Fact> facts) {
    out.append("|  |  |\n|---|---|\n");
    facts.forEach(fact -> row(List.of(fact.name(), fact.value())));
    out.append('\n');
  }

  private void items(List<Block.Item> items) {
    for (Block.Item item : items) {
      String mark = item.mark().word();
      String word = mark.isEmpty() ? "" : mark + ": ";
      String detail = item.detail().isEmpty() ? "" : ": " + item.detail();
      line("- ", word + item.text() + detail);
      for (Block.Argument argument : item.arguments()) {
        String head = argument.word().isEmpty() ? "" : argument.word() + ": ";
        argument.lines().forEach(line -> line("  - ", head + line));
      }
    }
    out.append('\n');
  }

  private void table(Block.Table table) {
    if (table.rows().isEmpty()) {
      out.append("None.\n\n");
      return;
    }
    row(table.columns().stream().map(Column::head).toList());
    table.columns().forEach(column -> out.append(column.isNumber() ? "|---:" : "|---"));
    out.append("|\n");
    table.rows().forEach(row -> row(row.cells().stream().map(Cell::full).toList()));
    out.append('\n');
  }

  private void row(List<String> cells) {
    cells.forEach(cell -> out.append("| ").append(escaped(cell)).append(' '));
    out.append("|\n");
  }

  private void group(Block.Group group) {
    heading(3, group.title(), group.mark());
    group.blocks().forEach(this::block);
  }

  private void line(String begin, String text) {
    out.append(begin).append(escaped(text)).append('\n');
  }

  private static String escaped(String text) {
    return PlainText.oneLine(text)
        .replace("\\", "\\\\")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("|", "\\|")
        .replace("`", "\\`")
        .replace("*", "\\*")
        .replace("_", "\\_")
        .replace("[", "\\[")
        .replace("]", "\\]");
  }
}
