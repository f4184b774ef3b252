package tallystick.alerting.backtest;

import java.util.List;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;

/**
 * How one alert did over all runs.
 *
 * @param alert its name
 * @param all every episode
 * @param sustained those of at least two windows: on the target itself one window in twenty is
 *     called violated by chance
 * @param firings times it fired
 * @param falseFirings times it fired with no episode within five minutes
 * @param delaysSeconds from an episode's start to the firing that found it, ascending; negative is
 *     early
 * @param health the time outside of episodes and their surroundings
 * @param time how long it fired while users suffered, and while they were well
 */
public record AlertScore(
    String alert,
    Hits all,
    Hits sustained,
    int firings,
    int falseFirings,
    List<Double> delaysSeconds,
    Health health,
    FiringTime time) {
  private static final double DAY = 86_400; // seconds of a day
  private static final double CONFIDENCE = 0.95; // of the bound on false firings

  /** Episodes, and those in which the alert fired. */
  public record Hits(int episodes, int found) {
    /** Share of episodes in which it fired; NaN without episodes. */
    public double recall() {
      return found / (double) episodes;
    }

    Hits plus(Hits other) {
      return new Hits(episodes + other.episodes, found + other.found);
    }
  }

  /**
   * Time without suffering.
   *
   * @param stretches pieces of it between episodes
   * @param quiet those in which the alert did not fire
   */
  public record Health(double seconds, int stretches, int quiet) {
    Health plus(Health other) {
      return new Health(
          seconds + other.seconds, stretches + other.stretches, quiet + other.quiet);
    }
  }

  public AlertScore {
    delaysSeconds = delaysSeconds.stream().sorted().toList();
  }

  private static AlertScore none(String alert) {
    Hits hits = new Hits(0, 0);
    return new AlertScore(alert, hits, hits, 0, 0, List.of(), new Health(0, 0, 0), FiringTime.NONE);
  }

  /** One alert over several runs. */
  public static AlertScore sum(String alert, List<AlertScore> runs) {
    return runs.stream().reduce(none(alert), AlertScore::plus);
  }

  private AlertScore plus(AlertScore other) {
    List<Double> delays = new java.util.ArrayList<>(delaysSeconds);
    delays.addAll(other.delaysSeconds);
    return new AlertScore(
        alert,
        all.plus(other.all),
        sustained.plus(other.sustained),
        firings + other.firings,
        falseFirings + other.falseFirings,
        delays,
        health.plus(other.health),
        time.plus(other.time));
  }

  /** Share of its firing time in which users suffered; NaN if none is to be judged. */
  public double precision() {
    return time.precision();
  }

  /** Firings in 24 hours of the runs; NaN without runs. */
  public double firingsPerDay() {
    return firings * DAY / (time.suffering() + time.healthy());
  }

  /** Share of episodes in which it fired; NaN without episodes. */
  public double recall() {
    return all.recall();
  }

  /** The delay that a share of the found episodes did not exceed; NaN if none was found. */
  public double delaySeconds(double level) {
    return FiringTime.atLevel(delaysSeconds, level);
  }

  /** False firings per 24 hours of health; NaN without healthy time. */
  public double falsePerDay() {
    return falseFirings * DAY / health.seconds();
  }

  /**
   * Upper 95 % bound of the rate of false firings per 24 hours of health, from the exact Poisson
   * interval: with none in h hours it is 3/h an hour.
   */
  public double falsePerDayBound() {
    return mostPerDay(falseFirings, health.seconds());
  }

  /** The same of so many in so many seconds. */
  public static double mostPerDay(int falseFirings, double healthySeconds) {
    double most =
        new ChiSquaredDistribution(null, 2.0 * (falseFirings + 1))
                .inverseCumulativeProbability(CONFIDENCE)
            / 2;
    return most * DAY / healthySeconds;
  }
}
