package tallystick.report;

import java.util.List;
import tallystick.analysis.Figure;

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

  LatencyRow {
    cells = List.copyOf(cells);
  }
}
