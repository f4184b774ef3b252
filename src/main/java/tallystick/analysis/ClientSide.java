package tallystick.analysis;

import tallystick.plan.Settings;
import tallystick.runrecord.RequestRow;

/** What one pass over the requests gathers, by purpose. */
record ClientSide(
    LatencySamples latencies,
    RequestCounts counts,
    ClientTally tally,
    ClientTimeline timeline,
    ObjectiveJudges objectives) {

  /** Nothing read so far. */
  static ClientSide of(Settings settings, Window window, double expectedSeconds) {
    return new ClientSide(
        new LatencySamples(),
        new RequestCounts(),
        new ClientTally(),
        new ClientTimeline(window, expectedSeconds),
        ObjectiveJudges.of(settings.objectives()));
  }

  /** Takes a measured request that asks for so many answers. */
  void read(RequestRow row, int choices) {
    latencies.read(row, choices);
    counts.read(row);
    tally.read(row, choices);
    timeline.read(row);
    objectives.read(row);
  }
}
