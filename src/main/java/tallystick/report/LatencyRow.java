package tallystick.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Figure;

/**
 * One line of the two-sided table.
 *
 * @param quantity what is measured, for example {@code TTFT}; equal in neighbouring lines
 * @param side client or engine
 * @param basis what exactly, for example {@code from intended start}
 * @param unit unit of every cell
 * @param count samples behind it
 * @param cells mean, P50, P90, P95, P99, P99.9, maximum
 */
record LatencyRow(
    String quantity, Side side, String basis, LatencyUnit unit, String count, List<Cell> cells) {

  /** Heads of the cells. */
  static final List<String> HEADS = List.of("mean", "P50", "P90", "P95", "P99", "P99.9", "max");

  /** Whose account it is. */
  enum Side {
    CLIENT,
    ENGINE
  }

  /**
   * One value.
   *
   * @param text what is shown, without the unit
   * @param reason why there is no value; empty where there is one
   * @param note its 95 % confidence interval and whether it is noisy; may be empty
   */
  record Cell(String text, String reason, String note) {

    /** A quantity this side does not have. */
    static final Cell NONE = new Cell("", "", "");

    static Cell of(Figure figure, LatencyUnit unit) {
      return switch (figure) {
        case Figure.Known known -> new Cell(unit.number(known.value()), "", "");
        case Figure.Unavailable missing -> new Cell("n/a", missing.reason(), "");
      };
    }

    boolean isMissing() {
      return !reason.isEmpty();
    }

    /** The value, or {@code n/a (why)}. */
    String full() {
      return isMissing() ? "n/a (" + reason + ")" : text;
    }
  }

  /** The value under one of the {@link #HEADS}. */
  Cell cell(String head) {
    return cells.get(HEADS.indexOf(head));
  }

  /** Side and basis in a few letters. */
  String shortSide() {
    if (side == Side.ENGINE) {
      return "engine";
    }
    return switch (basis) {
      case "from intended start" -> "client, intended";
      case "from request written" -> "client, written";
      default -> "client";
    };
  }

  /**
   * Why values are missing, for tables too narrow to say it in place; one line for each reason.
   *
   * @param columns the heads that are shown
   */
  static List<String> reasons(List<LatencyRow> rows, List<String> columns) {
    Map<String, List<String>> places = new LinkedHashMap<>();
    for (LatencyRow row : rows) {
      for (String column : columns) {
        if (row.cell(column).isMissing()) {
          places
              .computeIfAbsent(row.cell(column).full(), full -> new ArrayList<>())
              .add(row.quantity() + " " + row.shortSide() + " " + column);
        }
      }
    }
    return places.entrySet().stream()
        .map(place -> place.getKey() + ": " + String.join("; ", place.getValue()))
        .toList();
  }

  LatencyRow {
    cells = List.copyOf(cells);
  }
}
