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
    Turnarounds turnarounds,
    RowCheck check,
    PromptLengths promptLengths,
    List<PhaseSamples> phases) {

  /**
   * What is known before the requests are read.
   *
   * @param lastNanos when the window ended, as far as known
   * @param ttftEdges upper edges of the engine's TTFT in seconds; none where it has none
   * @param e2eEdges the same of its E2E
   */
  record Frame(
      Window window, TimeBatches batches, long lastNanos, double[] ttftEdges, double[] e2eEdges) {}

  /** Nothing read so far. */
  static ClientSide of(Settings settings, Frame frame) {
    Window window = frame.window();
    long lastNanos = frame.lastNanos();
    double expectedSeconds = Math.max(1, window.secondsAfterOrigin(lastNanos));
    List<PhaseSamples> phases =
        settings.phases().stream()
            .filter(phase -> !phase.warmup())
            .map(phase -> new PhaseSamples(phase, window, lastNanos, settings))
            .toList();
    return new ClientSide(
        new LatencySamples(
            frame.ttftEdges(), frame.e2eEdges(), TimeUnits.of(window, lastNanos)),
        new RequestCounts(),
        new ClientTally(),
        new ClientTimeline(window, expectedSeconds),
        ObjectiveJudges.of(settings.objectives()),
        new ClientBatches(window, frame.batches()),
        new StallCandidates(),
        new StreamShape(),
        new Turnarounds(window.originNanos(), TimeUnits.of(window, lastNanos)),
        new RowCheck(),
        new PromptLengths(),
        phases);
  }

  /**
   * Takes a measured request that asks for so many answers. One whose steps run backwards in time
   * counts, but says nothing of any duration.
   */
  void read(RequestRow row, int choices) {
    counts.read(row);
    tally.read(row, choices);
    promptLengths.read(row);
    if (check.isInOrder(row)) {
      readTimes(row, choices);
    }
  }

  private void readTimes(RequestRow row, int choices) {
    latencies.read(row, choices);
    timeline.read(row);
    objectives.read(row);
    batches.read(row);
    shape.read(row);
    turnarounds.read(row);
    if (choices == 1) {
      stalls.read(row);
    }
    for (PhaseSamples phase : phases) {
      phase.read(row, choices);
    }
  }
}
