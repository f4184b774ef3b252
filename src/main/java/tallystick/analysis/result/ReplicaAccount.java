package tallystick.analysis.result;

import java.util.List;

/**
 * The engines that shared the run's load, each with its part.
 *
 * @param replicas one for each target and engine; empty unless there are several
 * @param busiestOverShare the largest ratio of a replica's output tokens to those that its share of
 *     the requests would bring: 1 is even
 * @param moves targets that came and went, in order of time; empty where all stayed
 */
public record ReplicaAccount(List<Replica> replicas, Figure busiestOverShare, List<Move> moves) {

  /**
   * A target that came or went.
   *
   * @param atSeconds after the window's origin
   * @param target its number and URL
   * @param isJoining whether it came
   * @param seen what of its work the scrapes show, in words; may be empty
   */
  public record Move(double atSeconds, String target, boolean isJoining, String seen) {}

  /** Targets that all stayed. */
  public ReplicaAccount(List<Replica> replicas, Figure busiestOverShare) {
    this(replicas, busiestOverShare, List.of());
  }

  /**
   * One engine's part in the measured window.
   *
   * @param name for example {@code target 0 engine 1}
   * @param expectedShare its target's weight, divided evenly among the target's engines
   * @param tokenShare its share of all output tokens
   * @param finished requests it finished, for any reason
   * @param promptTokens prompt tokens it took in
   * @param outputTokens output tokens it made
   * @param preemptions times it preempted a request
   * @param meanTtftSeconds its mean time to first token
   * @param meanRunning requests running, mean over the scrapes under load
   * @param meanWaiting requests waiting, mean over the scrapes under load
   * @param highestKvUsage its fullest KV cache at a scrape, 0 to 1
   */
  public record Replica(
      String name,
      Figure expectedShare,
      Figure tokenShare,
      Figure finished,
      Figure promptTokens,
      Figure outputTokens,
      Figure preemptions,
      Figure meanTtftSeconds,
      Figure meanRunning,
      Figure meanWaiting,
      Figure highestKvUsage) {}

  public ReplicaAccount {
    replicas = List.copyOf(replicas);
    moves = List.copyOf(moves);
  }
}
