package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tallystick.alerting.watch.MetricHistory.Steps;

/**
 * When the Prometheus looked at all. Where it did not it evaluated no rule either: what is missing
 * there is not gone.
 *
 * @param fromMillis begin of what was asked for
 * @param toMillis end of it
 * @param gaps when it did not look, in the order of time
 */
public record Seen(long fromMillis, long toMillis, List<Gap> gaps) {
  /** As often as most scrape; a shorter outage takes no alert's firing away. */
  private static final long STEP_MILLIS = 60_000;

  /** A stretch without any sample; it begins after the last step that had one. */
  public record Gap(long fromMillis, long toMillis) {
    /** Its length. */
    public double seconds() {
      return (toMillis - fromMillis) / 1e3;
    }
  }

  public Seen {
    gaps = List.copyOf(gaps);
  }

  /**
   * Asks when it had samples.
   *
   * @param queries each of something that is there whenever it looks; the first that is known tells
   */
  static Seen read(MetricHistory history, List<String> queries, long toMillis, long lengthMillis)
      throws IOException, InterruptedException {
    Steps steps = Steps.before(toMillis, lengthMillis, STEP_MILLIS);
    Collection<double[]> known = List.of();
    for (int i = 0; i < queries.size() && known.isEmpty(); i++) {
      known = history.values("count(" + queries.get(i) + ")", steps).values();
    }
    List<Gap> gaps = new ArrayList<>();
    for (int i = 0; i < steps.count(); i++) {
      int step = i;
      long before = steps.at(i) - STEP_MILLIS;
      if (known.stream().allMatch(values -> Double.isNaN(values[step]))) {
        boolean goesOn = !gaps.isEmpty() && gaps.getLast().toMillis() == before;
        gaps.add(new Gap(goesOn ? gaps.removeLast().fromMillis() : before, steps.at(i)));
      }
    }
    return new Seen(steps.at(0) - STEP_MILLIS, steps.toMillis(), gaps);
  }

  /** All of it, so long a step at a time. */
  Steps steps(long stepMillis) {
    return Steps.before(toMillis, toMillis - fromMillis, stepMillis);
  }

  /** Whether it looked at a moment. */
  boolean at(long millis) {
    return gaps.stream().noneMatch(gap -> gap.fromMillis() < millis && millis <= gap.toMillis());
  }

  /** How long it was asked for. */
  double askedSeconds() {
    return (toMillis - fromMillis) / 1e3;
  }

  /** How long it looked. */
  public double seconds() {
    return askedSeconds() - gaps.stream().mapToDouble(Gap::seconds).sum();
  }

  /** What is missing before its first sample: it keeps less, or began later. */
  public double missingAtFirst() {
    return gaps.isEmpty() || gaps.getFirst().fromMillis() > fromMillis
        ? 0
        : gaps.getFirst().seconds();
  }
}
