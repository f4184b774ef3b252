package tallystick.analysis.client;

import java.util.List;
import java.util.OptionalLong;
import tallystick.runrecord.HarnessRow.Scaling;
import tallystick.runrecord.HarnessRow.Scaling.Move;

/**
 * The targets that came and went while a run lasted.
 *
 * @param all in order of time; none where the targets stayed as they were
 */
public record TargetLifecycle(List<Scaling> all) {
  public TargetLifecycle {
    all = List.copyOf(all);
  }

  /** Whether a target was not there from the start. */
  public boolean joined(int target) {
    return all.stream()
        .filter(move -> move.target() == target)
        .findFirst()
        .filter(move -> move.move() == Move.JOINED)
        .isPresent();
  }

  /** When a target left for good; empty if it did not. */
  public OptionalLong leftNanos(int target) {
    return all.stream()
        .filter(move -> move.target() == target)
        .reduce((earlier, later) -> later)
        .filter(move -> move.move() == Move.LEFT)
        .map(move -> OptionalLong.of(move.atNanos()))
        .orElse(OptionalLong.empty());
  }

  /** Whether a target came or went. */
  public boolean has(int target) {
    return all.stream().anyMatch(move -> move.target() == target);
  }

  /** Whether a target stood in the list at a moment. */
  public boolean isPresent(int target, long nanos) {
    boolean isPresent = !joined(target);
    for (Scaling move : all) {
      if (move.target() == target && move.atNanos() <= nanos) {
        isPresent = move.move() == Move.JOINED;
      }
    }
    return isPresent;
  }
}
