package tallystick.analysis;

import java.util.List;
import tallystick.plan.Settings;
import tallystick.runrecord.RequestRow;

/** What one pass over the requests gathers, by purpose. */
record ClientSide(
    LatencySamples latencies,
    RequestCounts counts,
    ClientTally tally,
    ClientTimeline timeline,
    ObjectiveJudges objectives,
    ClientBatches batches,
    StallCandidates stalls,
    StreamShape shape,
    List<PhaseSamples> phases) {

  /**
   * Nothing read so far.
   *
   * @param lastNanos when the window ended, as far as known before the requests are read
   */
  static ClientSide of(Settings settings, Window window, TimeBatches batches, long lastNanos) {
    double expectedSeconds = Math.max(1, window.secondsAfterOrigin(lastNanos));
    List<PhaseSamples> phases =
        settings.phases().stream()
            .filter(phase -> !phase.warmup())
            .map(phase -> new PhaseSamples(phase, window, lastNanos, settings))
            .toList();
    return new ClientSide(
        new LatencySamples(),
        new RequestCounts(),
        new ClientTally(),
        new ClientTimeline(window, expectedSeconds),
        ObjectiveJudges.of(settings.objectives()),
        new ClientBatches(window, batches),
        new StallCandidates(),
        new StreamShape(),
        phases);
  }

  /** Takes a measured request that asks for so many answers. */
  void read(RequestRow row, int choices) {
    latencies.read(row, choices);
    counts.read(row);
    tally.read(row, choices);
    timeline.read(row);
    objectives.read(row);
    batches.read(row);
    shape.read(row);
    if (choices == 1) {
      stalls.read(row);
    }
    for (PhaseSamples phase : phases) {
      phase.read(row, choices);
    }
  }
}
