package tallystick.alerting.derivation;

import org.apache.commons.math3.stat.regression.SimpleRegression;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.runrecord.RunRows;

/** Tells a ramp, on which an alert can be early, from steps and from any other load. */
public final class RisingLoad {
  private static final int BATCHES = 12; // equal parts of the run

  /** A load that jumps once, and else is steady, reaches 0.87 at most. */
  private static final double LEAST_CORRELATION = 0.9;

  private static final double LEAST_GROWTH = 1.1;

  private RisingLoad() {}

  /**
   * Whether a run is open loop, has no step of one rate, and its planned starts become steadily
   * more frequent: over twelve equal parts their numbers follow a line (correlation at least 0.9),
   * and the last has at least a tenth more than the first.
   */
  public static boolean isIn(RunRows rows) {
    double end = 0;
    for (Phase phase : rows.settings().phases()) {
      if (phase.hasOneRate()) {
        return false;
      }
      end = phase.warmup() ? end : Math.max(end, phase.endNanos());
    }
    if (rows.settings().loop() != LoopShape.OPEN || end == 0) {
      return false;
    }
    long origin = ClientSteps.origin(rows);
    long[] starts = new long[BATCHES];
    double batch = end / BATCHES;
    rows.eachRequest(
        row -> {
          int index = (int) Math.floor((row.times().intended() - origin) / batch);
          if (index >= 0 && index < BATCHES) {
            starts[index]++;
          }
        });
    return isRising(starts);
  }

  static boolean isRising(long[] starts) {
    SimpleRegression line = new SimpleRegression();
    for (int i = 0; i < starts.length; i++) {
      line.addData(i, starts[i]);
    }
    return line.getR() >= LEAST_CORRELATION
        && starts[starts.length - 1] >= LEAST_GROWTH * starts[0];
  }
}
