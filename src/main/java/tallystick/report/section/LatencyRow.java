package tallystick.report.section;

import java.util.List;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;

/**
 * One line of the two-sided table.
 *
 * @param quantity what is measured, for example {@code TTFT}; equal in neighbouring lines
 * @param side whose account it is
 * @param name side and start in a few letters, for example {@code client, intended}
 * @param basis what exactly: from where on, or the engine's metric
 * @param unit unit of every cell
 * @param count samples behind it
 * @param cells under {@link #HEADS}
 */
public record LatencyRow(
    String quantity,
    Tone side,
    String name,
    String basis,
    LatencyUnit unit,
    String count,
    List<Cell> cells) {

  /** Heads of the cells. */
  static final List<String> HEADS = List.of("mean", "P50", "P90", "P95", "P99", "P99.9", "max");

  public LatencyRow {
    cells = List.copyOf(cells);
  }

  /** The value under one of the {@link #HEADS}. */
  public Cell cell(String head) {
    return cells.get(HEADS.indexOf(head));
  }

  /** Side and basis as one cell. */
  public Cell who() {
    return side == Tone.ENGINE ? Cell.of(name).from(basis) : Cell.of(name).noted(basis);
  }

  /** The columns under {@link #HEADS}; a narrow terminal leaves out the rarest first. */
  public static List<Column> columns() {
    return List.of(
        Column.number("mean"),
        Column.number("P50").spare(1),
        Column.number("P90").spare(3),
        Column.number("P95"),
        Column.number("P99"),
        Column.number("P99.9").spare(4),
        Column.number("max").spare(2));
  }
}
