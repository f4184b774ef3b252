package tallystick.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A small table that a terminal and a document show each in its own way.
 *
 * @param title what it shows
 * @param leftAligned columns from this one on hold numbers
 * @param head heads of the columns
 * @param rows cells, as many in each row as there are heads
 */
record Grid(String title, int leftAligned, List<String> head, List<List<String>> rows) {
  private static final int SHORTEST_CELL = 8;

  Grid {
    head = List.copyOf(head);
    rows = List.copyOf(rows);
  }

  /** Lines of at most {@code width} columns; the widest cells are cut where they do not fit. */
  List<String> lines(int width) {
    int limit = width;
    TextTable table = table(limit);
    while (table.width() > width && limit > SHORTEST_CELL) {
      limit--;
      table = table(limit);
    }
    return table.lines();
  }

  private TextTable table(int limit) {
    TextTable table = new TextTable(leftAligned);
    table.row(cut(head, limit));
    rows.forEach(row -> table.row(cut(row, limit)));
    return table;
  }

  private static List<String> cut(List<String> cells, int limit) {
    List<String> cut = new ArrayList<>();
    cells.forEach(cell -> cut.add(Lines.cut(cell, limit)));
    return cut;
  }

  void write(MarkdownText text) {
    text.heading(2, title);
    if (rows.isEmpty()) {
      text.paragraph("None.");
      return;
    }
    text.tableHead(leftAligned, head.toArray(String[]::new));
    rows.forEach(text::tableRow);
    text.tableEnd();
  }
}
