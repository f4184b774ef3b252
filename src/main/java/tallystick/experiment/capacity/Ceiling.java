package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.RateFormat;

/**
 * What an engine completes at most, as a closed loop with more users than it runs at once showed:
 * no rate above holds for long, whatever is asked of its requests.
 *
 * @param perSecond requests that it completed in a second; infinite where that is no bound
 * @param doubt why it is none; empty where it is one
 */
record Ceiling(double perSecond, String doubt) {
  /** Planning takes a second of so many; an engine that completes 300/s is not kept full. */
  static final int MOST_REQUESTS = 6000;

  /** An eighth more users than it runs keep an engine full while answers are on their way. */
  private static final double USERS_FOR_EACH = 1.125;

  /** What vLLM runs at once unless it is told otherwise. */
  private static final int USUAL_SEQUENCES = 256;

  /** Fewer ran than there were users: the rest waited. Gauges are read now and then. */
  private static final double FULL = 0.95;

  /**
   * No rate beyond this many times the ceiling is tried. The count of 15 s is off by some per cent,
   * and engines that put requests back are a little faster with fewer at once.
   */
  private static final double BEYOND = 1.1;

  /** A long run that held this much above it shows that the closed loop was no measure. */
  private static final double REFUTED = 1.05;

  /** Poisson load that keeps limits is seldom denser: requests meet one another. */
  private static final double USUAL_PART = 0.75;

  /**
   * Users of a closed loop that keeps an engine full.
   *
   * @param sequences that it runs at once; 0 for unknown
   */
  static int users(int sequences) {
    return (int) Math.ceil(USERS_FOR_EACH * (sequences > 0 ? sequences : USUAL_SEQUENCES));
  }

  /** Where none can be told. */
  static Ceiling none(String why) {
    return new Ceiling(Double.POSITIVE_INFINITY, why);
  }

  /** What the closed loop among these probes showed; empty where none was played. */
  static Optional<Ceiling> of(List<ProbeResult> probes, double share) {
    return probes.stream()
        .filter(ProbeResult::isBurst)
        .findFirst()
        .map(
            burst -> {
              double held =
                  probes.stream()
                      .filter(one -> one.probe().isLong() && one.isTrusted())
                      .filter(one -> one.holds(share) && !one.load().overloaded())
                      .mapToDouble(one -> one.probe().perSecond())
                      .max()
                      .orElse(0);
              String doubt = doubt(burst, held);
              return doubt.isEmpty()
                  ? new Ceiling(burst.load().completedPerSecond(), "")
                  : none(doubt);
            });
  }

  private static String doubt(ProbeResult burst, double held) {
    ProbeResult.Load load = burst.load();
    int users = burst.probe().users();
    double completed = load.completedPerSecond() * burst.probe().measuredSeconds();
    if (!isCounted(burst)) {
      return burst.doubt();
    }
    if (!(load.runningMost() > 0 && load.runningMost() <= FULL * users)) {
      return users + " requests at once did not fill the engine";
    }
    // Before each place was emptied once, short answers count for more.
    if (completed < load.runningMost()) {
      return "answers take too long for a closed loop of "
          + Math.round(burst.probe().loadSeconds()) + " s";
    }
    return held > load.completedPerSecond() * REFUTED
        ? RateFormat.text(held) + "/s held, more than a closed loop completed"
        : "";
  }

  /** A late client spoils no count of what an engine completed that had requests waiting. */
  static boolean isCounted(ProbeResult burst) {
    return burst.isTrusted()
        || burst.trust() == ProbeResult.Trust.CLIENT_SATURATED && burst.load().waitingMost() > 0;
  }

  /** The largest rate that is tried; infinite where nothing bounds it. */
  double bound() {
    return perSecond * BEYOND;
  }

  /** The rate to begin with; empty where the closed loop completed nothing. */
  static double begin(List<ProbeResult> probes) {
    return probes.stream()
        .filter(one -> one.isBurst() && isCounted(one))
        .mapToDouble(one -> USUAL_PART * one.load().completedPerSecond())
        .findFirst()
        .orElse(0);
  }

  /** For a screen. */
  String words() {
    return doubt.isEmpty()
        ? "the engine completes at most " + RateFormat.text(perSecond) + " requests/s, in a closed"
            + " loop that keeps it full"
        : "n/a: " + doubt;
  }
}
