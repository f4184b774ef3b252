package tallystick.analysis.client;

import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.RequestRow;

/**
 * How long after an answer (and the user's think time) the harness began the request that waited
 * for it. Not counted are requests whose start the plan gave: the users of a closed loop begin at
 * once, and how late they did is in lateness. Unit: nanoseconds in, seconds out.
 */
public final class ThinkTimeOverhead {
  private final long originNanos;
  private final TimedSamples samples;
  private final SampleSet cycles = new SampleSet();
  private final SampleSet unexplained = new SampleSet();
  private final OwnClock clock;

  /** Nothing read so far of a window with this origin. */
  ThinkTimeOverhead(long originNanos, TimeUnits time, OwnClock clock) {
    this.clock = clock;
    this.originNanos = originNanos;
    this.samples = new TimedSamples(new SampleSet(), time);
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    RequestRow.Times times = row.times();
    if (times.started() >= 0 && times.intended() > originNanos) {
      samples.add(times.started() - times.intended(), times.started());
      cycles.add(times.ended() - times.intended());
      unexplained.add(clock.at(times.started()) - clock.at(times.intended()));
    }
  }

  /** From one answer, and the think time, to the next answer: turnaround and request. */
  public SampleSet cycles() {
    return cycles;
  }

  /** The overheads without the time in which the client stood still. */
  public SampleSet unexplained() {
    return unexplained;
  }

  public TimedSamples samples() {
    return samples;
  }
}
