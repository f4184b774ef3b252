package tallystick.analysis.client;

import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * What every request brought of one quantity, and when; those that their client left, at the
 * duration they had reached, also apart.
 */
final class ObjectiveSamples {
  /** 4 MiB: every phase has samples of its own. Verdicts count raw values all the same. */
  private static final int EXACT_LIMIT = 1 << 19;

  private final ObjectiveReading reading;
  private final OwnClock clock;
  private TimedSamples samples;
  private boolean isShared;
  private final SampleSet left = new SampleSet();

  /**
   * Nothing read so far.
   *
   * @param time units of the stretch that is judged
   * @param clock by which durations are read
   */
  ObjectiveSamples(ObjectiveReading reading, TimeUnits time, OwnClock clock) {
    this.reading = reading;
    this.clock = clock;
    this.samples = new TimedSamples(new SampleSet(EXACT_LIMIT, 4), time);
  }

  /**
   * Nothing read so far.
   *
   * @param gaps those of answers that ended well, filled by somebody else, each request before it
   *     comes here; shared until a request comes that ended otherwise
   */
  ObjectiveSamples(ObjectiveReading reading, TimedSamples gaps) {
    this.reading = reading;
    this.clock = OwnClock.STEADY;
    this.samples = gaps;
    this.isShared = true;
  }

  void read(RequestRow row, int choices, boolean isTimed) {
    if (isShared && (!isTimed || row.ending().outcome() == Outcome.OK)) {
      return;
    }
    if (isShared) {
      isShared = false;
      samples = samples.copy(EXACT_LIMIT);
    }
    if (clock.neverStands()) {
      reading.read(row, choices, isTimed, this::add);
    } else {
      // Sections of time are of the run's own clock.
      long at = row.times().ended();
      reading.read(
          clock.of(row), choices, isTimed, (nanos, any, left) -> add(nanos, at, left));
    }
  }

  /** Ends the reading. */
  void end() {
    samples = samples.keeping(EXACT_LIMIT);
  }

  TimedSamples samples() {
    return samples;
  }

  long count() {
    return samples.count();
  }

  /** Requests their client left within a duration: a limit above it says nothing of them. */
  long leftWithin(long nanos) {
    return left.within(nanos);
  }

  /** Things within a duration that a limit can judge. */
  long goodWithin(long nanos) {
    return samples.samples().within(nanos) - leftWithin(nanos);
  }

  private void add(long nanos, long atNanos, boolean unfinished) {
    samples.add(nanos, atNanos);
    if (unfinished && left.count() < EXACT_LIMIT) {
      left.add(nanos);
    }
  }
}
