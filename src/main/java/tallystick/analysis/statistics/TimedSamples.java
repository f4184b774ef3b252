package tallystick.analysis.statistics;

import java.util.Optional;
import tallystick.analysis.result.Distribution;

/**
 * Durations of one kind, and of each the unit of time it ended in, so that the intervals of their
 * percentiles can allow for samples that suffer together. Not safe for use by several threads.
 */
public final class TimedSamples {
  private final SampleSet samples;
  private final UnitHistogram units;
  private final TimeUnits time;
  private final boolean ownsSamples;

  public TimedSamples(SampleSet samples, TimeUnits time) {
    this(samples, new UnitHistogram(time.count()), time, true);
  }

  private TimedSamples(
      SampleSet samples, UnitHistogram units, TimeUnits time, boolean ownsSamples) {
    this.samples = samples;
    this.units = units;
    this.time = time;
    this.ownsSamples = ownsSamples;
  }

  /**
   * The same samples cut by other units of time. Each sample must be added to both; this one takes
   * only its time.
   */
  public TimedSamples cutBy(TimeUnits other) {
    return new TimedSamples(samples, new UnitHistogram(other.count()), other, false);
  }

  /** What it holds now, in samples of their own that keep at most so many one by one. */
  public TimedSamples copy(int exactLimit) {
    return new TimedSamples(samples.copy(exactLimit), units.copy(), time, true);
  }

  /** These samples for reading, as if they had kept at most so many one by one. */
  public TimedSamples keeping(int exactLimit) {
    return samples.isExact() && samples.count() > exactLimit ? copy(exactLimit) : this;
  }

  /** Adds the gaps between moments that ascend, each where it ends. */
  public void addGaps(long[] moments) {
    if (moments.length < 2) {
      return;
    }
    int first = time.indexOf(moments[1]);
    boolean isOneUnit = first == time.indexOf(moments[moments.length - 1]);
    if (ownsSamples) {
      samples.addGaps(moments);
    }
    if (isOneUnit) {
      units.addGaps(first, moments);
      return;
    }
    for (int i = 1; i < moments.length; i++) {
      units.add(time.indexOf(moments[i]), moments[i] - moments[i - 1], 1);
    }
  }

  /** Adds a duration that ended at a moment. */
  public void add(long nanos, long atNanos) {
    add(nanos, atNanos, 1);
  }

  /** Adds the same duration several times. */
  public void add(long nanos, long atNanos, int times) {
    if (ownsSamples) {
      samples.add(nanos, times);
    }
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

  /** The fewest independent samples that these are worth for a percentile, or one near it. */
  public double fewestIndependent(double level) {
    return samples.fewest(level, nanos -> IndependentCount.above(units, nanos));
  }

  /** The distribution as the report shows it; where there is none, for a known reason. */
  public Distribution distribution(Optional<String> whyNone) {
    return count() == 0 ? whyNone.map(SampleSet::none).orElseGet(this::distribution)
        : distribution();
  }

  /** The distribution as the report shows it. */
  public Distribution distribution() {
    return samples.distribution(nanos -> IndependentCount.above(units, nanos));
  }
}
