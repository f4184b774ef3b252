package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import tallystick.promql.Firing;

/**
 * How long before users suffered something fired, on ramps of load. On a step everything is late;
 * only a ramp can show that something is early.
 *
 * @param name the alert, or the signal
 * @param seconds one for each ramp in which it fired, ascending: from its firing to the
 *     start of the first window in which the client proves a violation; negative is late
 * @param ramps those on which users suffered
 * @param precision on runs left out; NaN where none could be
 */
public record LeadTime(String name, List<Double> seconds, int ramps, double precision) {
  /** A median of fewer ramps is no claim. */
  static final int LEAST_RAMPS = 3;

  private static final double COINCIDENT_SECONDS = 60; // docs/alerts.md, Lead time
  private static final double LEADING_PRECISION = 0.8; // docs/alerts.md, Lead time

  public LeadTime {
    seconds = seconds.stream().sorted().toList();
  }

  /** Measured on the ramps of some timelines; those without suffering do not count. */
  public static LeadTime of(String alert, List<RunTimeline> timelines, double precision) {
    List<Double> seconds = new ArrayList<>();
    int ramps = 0;
    for (RunTimeline run : timelines) {
      if (run.episodes().isEmpty()) {
        continue;
      }
      ramps++;
      long onset = run.startOf(run.episodes().getFirst());
      run.firings(alert).stream()
          .filter(firing -> run.endOf(firing) >= onset)
          .min(Comparator.comparingLong(Firing::firedMillis))
          .ifPresent(firing -> seconds.add((onset - firing.firedMillis()) / 1000.0));
    }
    return new LeadTime(alert, seconds, ramps, precision);
  }

  /** Median over all ramps, one without a firing being the latest; NaN if that is the median. */
  public double medianSeconds() {
    int missed = ramps - seconds.size();
    int lower = (ramps - 1) / 2 - missed;
    int upper = ramps / 2 - missed;
    return ramps == 0 || lower < 0 ? Double.NaN : (seconds.get(lower) + seconds.get(upper)) / 2;
  }

  /** Leading, coincident or trailing, or the number that is missing to say so. */
  public String verdict() {
    if (ramps == 0) {
      return "not measured: 0 ramps on which users suffered, need >= " + LEAST_RAMPS;
    }
    double median = medianSeconds();
    if (Double.isNaN(median)) {
      return "silent on %s of %s".formatted(ramps - seconds.size(), counted());
    }
    if (Math.abs(median) <= COINCIDENT_SECONDS) {
      return "coincident";
    }
    if (median < 0) {
      return "trailing";
    }
    if (!(precision >= LEADING_PRECISION)) {
      return Double.isNaN(precision)
          ? "early, but its precision on held-out runs was not measured"
          : String.format(
              Locale.ROOT,
              "early, but precision on held-out runs %.2f, need >= %.1f",
              precision, LEADING_PRECISION);
    }
    return ramps < LEAST_RAMPS
        ? "early on %s, need >= %s to call it leading".formatted(counted(), LEAST_RAMPS)
        : "leading";
  }

  /** Median and extremes, for example {@code -12 s (-30 to 15)}; {@code n/a} without any. */
  public String figures() {
    double median = medianSeconds();
    return Double.isNaN(median)
        ? "n/a"
        : String.format(
            Locale.ROOT, "%.0f s (%.0f to %.0f)", median, seconds.getFirst(), seconds.getLast());
  }

  private String counted() {
    return ramps == 1 ? "1 ramp" : ramps + " ramps";
  }
}
