package tallystick.report;

import java.util.List;
import tallystick.scenario.PlainText;

/** Markdown being written. Text of strangers cannot begin a tag, a table cell or a link. */
final class MarkdownText {
  private final StringBuilder out = new StringBuilder();

  void heading(int level, String text) {
    out.append("#".repeat(level)).append(' ').append(escaped(text)).append("\n\n");
  }

  void paragraph(String text) {
    out.append(escaped(text)).append("\n\n");
  }

  void quote(String text) {
    out.append("> ").append(escaped(text)).append("\n\n");
  }

  void item(String text) {
    out.append("- ").append(escaped(text)).append('\n');
  }

  void subItem(String text) {
    out.append("  - ").append(escaped(text)).append('\n');
  }

  void blank() {
    out.append('\n');
  }

  /** Opens a table whose columns from {@code leftAligned} on are aligned right. */
  void tableHead(int leftAligned, String... heads) {
    tableRow(List.of(heads));
    for (int i = 0; i < heads.length; i++) {
      out.append(i < leftAligned || leftAligned == 0 ? "|---" : "|---:");
    }
    out.append("|\n");
  }

  void tableRow(List<String> cells) {
    for (String cell : cells) {
      out.append("| ").append(escaped(cell)).append(' ');
    }
    out.append("|\n");
  }

  void tableEnd() {
    out.append('\n');
  }

  @Override
  public String toString() {
    return out.toString();
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
