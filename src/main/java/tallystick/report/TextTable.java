package tallystick.report;

import java.util.ArrayList;
import java.util.List;

/** Aligned columns of plain text. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int leftAligned;

  /** A table whose first columns are aligned left and all others right. */
  TextTable(int leftAligned) {
    this.leftAligned = leftAligned;
  }

  TextTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  TextTable row(String... cells) {
    return row(List.of(cells));
  }

  /** Width of the widest line. */
  int width() {
    int total = -GAP.length();
    for (int width : widths()) {
      total += width + GAP.length();
    }
    return total;
  }

  /** The lines, each without trailing blanks. */
  List<String> lines() {
    int[] widths = widths();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String padding = " ".repeat(widths[i] - length(row.get(i)));
      line.append(i == 0 ? "" : GAP);
      line.append(i < leftAligned ? row.get(i) + padding : padding + row.get(i));
    }
    return line.toString().stripTrailing();
  }

  private int[] widths() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], length(row.get(i)));
      }
    }
    return widths;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
