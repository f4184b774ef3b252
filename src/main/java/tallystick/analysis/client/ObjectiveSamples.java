package tallystick.analysis.client;

import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.RequestRow;

/**
 * What every request brought of one quantity, and when; those that their client left, at the
 * duration they had reached, also apart.
 */
final class ObjectiveSamples {
  /** 4 MiB: every phase has samples of its own. Verdicts count raw values all the same. */
  private static final int EXACT_LIMIT = 1 << 19;

  private final ObjectiveReading reading;
  private final TimedSamples samples;
  private final SampleSet left = new SampleSet();

  /** Nothing read so far; {@code time} are the units of the stretch that is judged. */
  ObjectiveSamples(ObjectiveReading reading, TimeUnits time) {
    this.reading = reading;
    this.samples = new TimedSamples(new SampleSet(EXACT_LIMIT, 4), time);
  }

  void read(RequestRow row, int choices) {
    reading.read(row, choices, this::add);
  }

  TimedSamples samples() {
    return samples;
  }

  long count() {
    return samples.count();
  }

  /** Requests their client left within a duration: a limit above it says nothing of them. */
  long leftWithin(long nanos) {
    return left.count() == 0 ? 0 : left.atOrBelow(nanos / 1e9);
  }

  private void add(long nanos, long atNanos, boolean unfinished) {
    samples.add(nanos, atNanos);
    if (unfinished && left.count() < EXACT_LIMIT) {
      left.add(nanos);
    }
  }
}
