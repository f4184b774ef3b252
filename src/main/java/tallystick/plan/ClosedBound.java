package tallystick.plan;

import tallystick.scenario.Arrival;
import tallystick.scenario.Dataset;
import tallystick.scenario.Lengths;
import tallystick.scenario.RequestContent;
import tallystick.scenario.RequestContent.Outputs;
import tallystick.scenario.Workload;
import tallystick.scenario.Workload.RequestClass;

/** How many requests a closed loop that is bounded by time is planned with. */
final class ClosedBound {
  /** Most requests of a closed loop that is bounded by time alone. */
  private static final int MOST_REQUESTS = 200_000;

  /**
   * Quickest answer: {@value} ns and as much again per output token. No engine is expected to
   * answer below it, so that the loop does not run out of requests before its time.
   */
  static final long QUICKEST_TOKEN_NANOS = 1_000_000;

  private ClosedBound() {}

  /** More requests than the users can be answered in the time, within the limit. */
  static int requests(Workload workload, long durationNanos) {
    int users = ((Arrival.Closed) workload.arrival()).users();
    long shortest = workload.classes().stream().mapToLong(ClosedBound::shortest).min().orElse(1);
    long perUser = durationNanos / (QUICKEST_TOKEN_NANOS * (1 + shortest)) + 1;
    return (int) Math.max(users, Math.min(MOST_REQUESTS, perUser * users));
  }

  private static int shortest(RequestClass kind) {
    boolean someLeave = kind.cancellation().share() > 0;
    Workload.Tools tools = kind.conversation().tools();
    Workload.Agents agents = kind.conversation().agents();
    int ofTools = tools.share() > 0 ? tools.callTokens().least() : Lengths.MOST;
    int ofAgents =
        agents.share() > 0
            ? Math.min(agents.callTokens().least(), agents.outputTokens().least())
            : Lengths.MOST;
    return someLeave ? 1 : Math.min(Math.min(ofTools, ofAgents), least(kind.content()));
  }

  private static int least(RequestContent content) {
    return switch (content) {
      case RequestContent.Sampled sampled -> sampled.outputTokens().least();
      case RequestContent.Paired paired ->
          paired.pairs().stream().mapToInt(RequestContent.Pair::outputTokens).min().orElse(1);
      case RequestContent.FromDataset from ->
          switch (from.outputs()) {
            case Outputs.AsWritten written -> least(from.dataset());
            case Outputs.Drawn(Lengths lengths) -> lengths.least();
          };
    };
  }

  private static int least(Dataset dataset) {
    return dataset.entries().stream()
        .flatMap(entry -> entry.turns().stream())
        .mapToInt(Dataset.Turn::outputTokens)
        .min()
        .orElse(1);
  }
}
