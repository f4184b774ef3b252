package tallystick.analysis.statistics;

import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;

/**
 * Durations of one kind, and of each the unit of time it ended in, so that the intervals of their
 * percentiles can allow for samples that suffer together. Not safe for use by several threads.
 */
public final class TimedSamples {
  private final SampleSet samples;
  private final UnitHistogram units;
  private final TimeUnits time;

  public TimedSamples(SampleSet samples, TimeUnits time) {
    this.samples = samples;
    this.time = time;
    this.units = new UnitHistogram(time.count());
  }

  /** Adds a duration that ended at a moment. */
  public void add(long nanos, long atNanos) {
    add(nanos, atNanos, 1);
  }

  /** Adds the same duration several times. */
  public void add(long nanos, long atNanos, int times) {
    samples.add(nanos, times);
    units.add(time.indexOf(atNanos), nanos, times);
  }

  /** The samples without their times. */
  public SampleSet samples() {
    return samples;
  }

  public long count() {
    return samples.count();
  }

  /** As {@link SampleSet#plainQuantileSeconds}. */
  public double plainQuantileSeconds(double level) {
    return samples.plainQuantileSeconds(level);
  }

  public UnitHistogram units() {
    return units;
  }

  /** How many independent samples these are worth for a percentile. */
  public Figure independent(double level) {
    return samples.independent(level, nanos -> IndependentCount.above(units, nanos));
  }

  /** The same as a bound, whether or not stretches of time follow one another. */
  public double fewestIndependent(double level) {
    return samples.fewest(level, nanos -> IndependentCount.above(units, nanos));
  }

  /** The distribution as the report shows it. */
  public Distribution distribution() {
    return samples.distribution(nanos -> IndependentCount.above(units, nanos));
  }
}
