package tallystick.alerting;

import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Column;

/**
 * An alert without a threshold, because the measurements cannot carry one.
 *
 * @param alertName for example {@code VLLMHighTTFT}
 * @param watches what it would watch, in words
 * @param code which condition failed
 * @param missing the number that was missing, for example {@code 0 violated of 1 steps in this run,
 *     need >= 2}
 */
public record RefusedAlert(String alertName, String watches, RefusalCode code, String missing) {
  /** Another alert, refused for the same. */
  RefusedAlert named(String other, String otherWatches) {
    return new RefusedAlert(other, otherWatches, code, missing);
  }

  /** Such alerts, one in each row. */
  public static Block.Table table(List<RefusedAlert> refusals) {
    List<Column> columns =
        List.of(Column.name("alert"), Column.words("watches"), Column.sentence("why"));
    return new Block.Table(
        "Alerts that were refused", false, columns,
        refusals.stream()
            .map(
                each ->
                    Block.Row.words(
                        each.alertName(), each.watches(),
                        each.code().plain() + " (" + each.missing() + ")"))
            .toList());
  }
}
