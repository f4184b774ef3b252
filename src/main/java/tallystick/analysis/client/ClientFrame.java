package tallystick.analysis.client;

import tallystick.analysis.statistics.TimeBatches;
import tallystick.runrecord.PlanTable;

/**
 * What is known before the requests are read.
 *
 * @param plan what the plan asks of each request
 * @param scrapeSeconds times of one target's good scrapes under load, ascending
 * @param lastNanos when the window ended, as far as known
 * @param sentUntilNanos when nothing more was to be sent, by the plan or by who stopped it; {@link
 *     Long#MAX_VALUE} where only the number of requests ends it, or its death
 * @param ttftEdges upper edges of the engine's TTFT in seconds; none where it has none
 * @param e2eEdges the same of its E2E
 * @param itlEdges the same of its gaps between tokens
 * @param still when the load process stood still
 * @param sharesPhase whether an only phase may share the samples of the run
 */
public record ClientFrame(
    MeasuredWindow window,
    PlanTable plan,
    TimeBatches batches,
    double[] scrapeSeconds,
    long lastNanos,
    long sentUntilNanos,
    double[] ttftEdges,
    double[] e2eEdges,
    double[] itlEdges,
    ClientPauses still,
    boolean sharesPhase) {

  /** The client's own. */
  OwnClock clock() {
    return still.clock();
  }
}
