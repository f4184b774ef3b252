package tallystick.report.writing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;

/**
 * A table in aligned columns that fits a terminal: it puts sentences below their rows first, then
 * drops columns, then cuts words.
 */
final class ConsoleTable {
  private static final String GAP = "  ";
  private static final int SHORTEST_CELL = 8; // letters that still tell
  private static final int USUAL = 80; // columns of a terminal

  private final Block.Table table;
  private final int width;
  private final List<Integer> places = new ArrayList<>();
  private final List<Integer> below = new ArrayList<>();
  private int longestWords;
  private int longestNumber;

  /** The table in at most {@code width} columns. */
  ConsoleTable(Block.Table table, int width) {
    this.table = table;
    this.width = width;
    this.longestWords = width;
    this.longestNumber = width;
    for (int i = 0; i < table.columns().size(); i++) {
      if (width > USUAL || column(i).spare() < Column.WIDE) {
        places.add(i);
      }
    }
    drop(Column.WIDE);
    if (width() > width) {
      places.stream().filter(this::isSentence).forEach(below::add);
      places.removeAll(below);
    }
    drop(1);
    // Words are cut before a number is: a number without its end would be another number.
    while (width() > width && longestWords > SHORTEST_CELL) {
      longestWords--;
    }
    while (width() > width && longestNumber > SHORTEST_CELL) {
      longestNumber--;
    }
  }

  /** Drops columns of at least a rank, the highest first, until the others fit. */
  private void drop(int leastRank) {
    boolean drops = true;
    while (drops && width() > width) {
      drops = places.remove(dropped(leastRank));
    }
  }

  private Integer dropped(int leastRank) {
    return places.stream()
        .filter(place -> column(place).spare() >= leastRank)
        .max(Comparator.comparingInt(place -> column(place).spare()))
        .orElse(-1);
  }

  private boolean isSentence(int place) {
    return column(place).kind() == Column.Kind.SENTENCE;
  }

  private Column column(int place) {
    return table.columns().get(place);
  }

  /** The head, where it has words, and every row; without trailing blanks. */
  List<String> lines(boolean colour) {
    List<String> lines = new ArrayList<>();
    if (places.stream().anyMatch(place -> !column(place).head().isEmpty())) {
      lines.add(line(place -> Cell.of(column(place).head()), false));
    }
    String previous = null;
    for (Block.Row row : table.rows()) {
      String name = row.cells().getFirst().words();
      boolean again = table.grouped() && name.equals(previous);
      previous = name;
      lines.add(line(place -> again && place == 0 ? Cell.NONE : row.cells().get(place), colour));
      for (int place : below) {
        String text = column(place).head() + " " + row.cells().get(place).words();
        lines.addAll(Lines.wrap(GAP, text, width));
      }
    }
    return lines;
  }

  private String line(IntFunction<Cell> cells, boolean colour) {
    StringBuilder line = new StringBuilder();
    for (int place : places) {
      Cell cell = cells.apply(place);
      String text = text(place, cell);
      String padding = " ".repeat(width(place) - length(text));
      String marked = ConsoleStyle.of(cell.tone()).mark(text, colour);
      line.append(place == places.getFirst() ? "" : GAP);
      line.append(column(place).isNumber() ? padding + marked : marked + padding);
    }
    return line.toString().stripTrailing();
  }

  private String text(int place, Cell cell) {
    int longest = column(place).isNumber() ? longestNumber : longestWords;
    boolean isName = place == 0 && !cell.words().contains(" ");
    return isName ? Lines.cutInside(cell.words(), longest) : Lines.cut(cell.words(), longest);
  }

  private int width() {
    int total = -GAP.length();
    for (int place : places) {
      total += width(place) + GAP.length();
    }
    return total;
  }

  private int width(int place) {
    int width = length(text(place, Cell.of(column(place).head())));
    for (Block.Row row : table.rows()) {
      width = Math.max(width, length(text(place, row.cells().get(place))));
    }
    return width;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Why values are missing, one line for each reason; the cells have no room for it. */
  List<String> reasons() {
    Map<String, Set<String>> missing = new LinkedHashMap<>();
    for (Block.Row row : table.rows()) {
      for (int place : places) {
        Cell cell = row.cells().get(place);
        if (cell.isMissing()) {
          missing
              .computeIfAbsent(cell.full(), full -> new LinkedHashSet<>())
              .add(name(row) + " " + column(place).head());
        }
      }
    }
    return missing.entrySet().stream()
        .map(each -> each.getKey() + ": " + String.join("; ", each.getValue()))
        .toList();
  }

  private String name(Block.Row row) {
    return String.join(
        " ",
        places.stream()
            .filter(place -> column(place).kind() == Column.Kind.NAME)
            .map(place -> row.cells().get(place).words())
            .toList());
  }
}
