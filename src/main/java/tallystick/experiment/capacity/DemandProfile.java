package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tallystick.experiment.RateFormat;
import tallystick.plan.Plan;
import tallystick.plan.PlanTotals;
import tallystick.plan.PlannedRequest;
import tallystick.scenario.Formatted;

/**
 * Requests over time that a fleet must carry, and how many replicas that takes from window to
 * window. The busiest fifth of a window decides: its mean would hide a rise within it.
 */
public final class DemandProfile {
  private static final double HOUR = 3600;

  /** Of a window. Shorter parts are busy by chance, longer ones hide a rise. */
  private static final int PARTS = 5;

  /** A mix whose mean length differs by a tenth has a capacity that does: measure that one. */
  private static final double MOST_UNLIKE = 0.1;

  private final String name;
  private final double windowSeconds;
  private final double[] starts;
  private final double lengthSeconds;
  private final PlanTotals totals;

  /**
   * Part of the time.
   *
   * @param atSeconds its start
   * @param requestsPerSecond in its busiest fifth
   * @param replicas the fewest that carry them
   */
  record Window(double atSeconds, double requestsPerSecond, long replicas) {}

  /**
   * In {@code capacity.json}.
   *
   * @param traffic the scenario's name
   * @param windowSeconds for how long a number of replicas stays
   * @param replicasPeak in the window that takes most
   * @param replicasMean over all the time
   * @param replicaHours hours of all replicas together
   * @param replicasOverTime window by window
   */
  record Figures(
      String traffic,
      double windowSeconds,
      long replicasPeak,
      double replicasMean,
      double replicaHours,
      List<Window> replicasOverTime) {}

  private DemandProfile(String name, double windowSeconds, double[] starts, double lengthSeconds,
      PlanTotals totals) {
    this.name = name;
    this.windowSeconds = windowSeconds;
    this.starts = starts;
    this.lengthSeconds = lengthSeconds;
    this.totals = totals;
  }

  /**
   * The traffic of a plan.
   *
   * @param windowSeconds for how long a number of replicas stays
   * @throws IllegalArgumentException if the plan tells no times, or the window is not above 0
   */
  public static DemandProfile of(Plan plan, double windowSeconds) {
    if (!(windowSeconds > 0)) {
      throw new IllegalArgumentException("the window must be above 0 s");
    }
    List<PlannedRequest> measured =
        plan.requests().stream().filter(request -> !request.isWarmup()).toList();
    if (measured.stream().anyMatch(request -> request.offsetNanos() < 0)) {
      throw new IllegalArgumentException(
          plan.settings().scenario()
              + " has requests that follow answers: when they come depends on the engine");
    }
    double[] starts =
        measured.stream().mapToDouble(request -> request.offsetNanos() / 1e9).sorted().toArray();
    if (starts.length == 0) {
      throw new IllegalArgumentException(plan.settings().scenario() + " has no requests");
    }
    double length =
        Math.max(starts[starts.length - 1], plan.settings().timing().durationNanos() / 1e9);
    return new DemandProfile(
        plan.settings().scenario(), windowSeconds, starts, length, PlanTotals.of(plan));
  }

  /** Why a capacity measured with a plan says nothing of this traffic; empty where it does. */
  Optional<String> unlike(Plan measured) {
    PlanTotals other = PlanTotals.of(measured);
    if (totals.textPrompts() + other.textPrompts() > 0) {
      return unlike("output tokens", totals.outputTokens(), other.outputTokens(), other);
    }
    return unlike("prompt tokens", totals.promptTokens(), other.promptTokens(), other)
        .or(() -> unlike("output tokens", totals.outputTokens(), other.outputTokens(), other));
  }

  private Optional<String> unlike(String what, long own, long measured, PlanTotals other) {
    double here = (double) own / totals.requests();
    double there = (double) measured / other.requests();
    return Math.abs(here - there) <= MOST_UNLIKE * there
        ? Optional.empty()
        : Optional.of(
            Formatted.of(
                "%s has %.0f %s a request, the measured mix %.0f: measure its mix",
                name, here, what, there));
  }

  /** The fewest replicas that carry a rate. */
  static long fewest(double perSecond, double capacity) {
    return (long) Math.ceil(perSecond / capacity - 1e-9);
  }

  /** The replicas of each window. */
  List<Window> windows(double capacity) {
    List<Window> windows = new ArrayList<>();
    double part = windowSeconds / PARTS;
    for (int window = 0; window * windowSeconds < lengthSeconds; window++) {
      double from = window * windowSeconds;
      double most = 0;
      for (int i = 0; i < PARTS && from + i * part < lengthSeconds; i++) {
        double begin = from + i * part;
        double covered = Math.min(part, lengthSeconds - begin);
        // A short last part is no busy one because one request lies in it.
        most = Math.max(most, (below(begin + part) - below(begin)) / Math.max(covered, part / 2));
      }
      windows.add(new Window(from, most, Math.max(1, fewest(most, capacity))));
    }
    return windows;
  }

  private int below(double seconds) {
    int at = Arrays.binarySearch(starts, seconds);
    int place = at < 0 ? -at - 1 : at;
    while (place > 0 && starts[place - 1] >= seconds) {
      place--;
    }
    return place;
  }

  private static long peak(List<Window> windows) {
    return windows.stream().mapToLong(Window::replicas).max().orElse(0);
  }

  /** Each window counts for as long as the traffic lasts in it. */
  private double mean(List<Window> windows) {
    double replicaSeconds = 0;
    for (Window window : windows) {
      replicaSeconds +=
          window.replicas() * Math.min(windowSeconds, lengthSeconds - window.atSeconds());
    }
    return replicaSeconds / lengthSeconds;
  }

  String words(double capacity) {
    List<Window> windows = windows(capacity);
    long fewest = windows.stream().mapToLong(Window::replicas).min().orElse(0);
    return Formatted.of(
        "%s %s for the traffic of %s, %.3g on average (resized every %s for the busiest fifth of"
            + " that time); one more if one can fail",
        fewest == peak(windows) ? "" : fewest + " to", peak(windows), name, mean(windows),
        RateFormat.text(windowSeconds) + " s").strip();
  }

  Figures figures(double capacity) {
    List<Window> windows = windows(capacity);
    return new Figures(
        name, windowSeconds, peak(windows), mean(windows), mean(windows) * lengthSeconds / HOUR,
        windows);
  }
}
