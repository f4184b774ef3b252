package tallystick.analysis;

/**
 * Durations of one kind, and of each the unit of time it ended in, so that the intervals of their
 * percentiles can allow for samples that suffer together. Not safe for use by several threads.
 */
final class TimedSamples {
  private final SampleSet samples;
  private final UnitHistogram units;
  private final TimeUnits time;

  TimedSamples(SampleSet samples, TimeUnits time) {
    this.samples = samples;
    this.time = time;
    this.units = new UnitHistogram(time.count());
  }

  /** Adds a duration that ended at a moment. */
  void add(long nanos, long atNanos) {
    add(nanos, atNanos, 1);
  }

  /** Adds the same duration several times. */
  void add(long nanos, long atNanos, int times) {
    samples.add(nanos, times);
    units.add(time.indexOf(atNanos), nanos, times);
  }

  /** The samples without their times. */
  SampleSet samples() {
    return samples;
  }

  long count() {
    return samples.count();
  }

  /** As {@link SampleSet#plainQuantileSeconds}. */
  double plainQuantileSeconds(double level) {
    return samples.plainQuantileSeconds(level);
  }

  UnitHistogram units() {
    return units;
  }

  /** The distribution as the report shows it. */
  Distribution distribution() {
    return samples.distribution(nanos -> IndependentCount.above(units, nanos));
  }
}
