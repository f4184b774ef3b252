package tallystick.analysis.result;

import java.util.List;
import java.util.Map;

/**
 * What was offered, what was admitted and what was completed, each counted where it happens.
 *
 * @param offeredPerSecond requests sent per second of the time in which requests were sent; of the
 *     time between the first and the last where nobody knows it
 * @param admittedPerSecond requests whose first token the engine saw, per second
 * @param completedPerSecond requests the engine finished for any reason, per second
 * @param statuses requests by HTTP status at the client; {@code none} where no status came
 * @param engineFinished requests the engine finished, by its finish reason
 * @param clientTokensPerSecond output tokens that reached the client
 * @param engineTokensPerSecond output tokens the engine made
 * @param promptTokensPerSecond prompt tokens the engine took in
 * @param prefixHitRatio prefix-cache hits over queries, both in tokens
 * @param externalCache the KV cache outside the engine
 * @param preemptionsPerFinished preemptions for each finished request
 * @param speculativeAcceptance accepted over drafted tokens
 * @param acceptedAt share of drafts whose token at this place was accepted, from the first place
 * @param tokensPerIteration mean tokens of a scheduler step
 * @param waitingByReason largest sum over engines of waiting requests by reason
 * @param shape the workload as the client sent it and as the engine saw it
 * @param replicas the engines that shared the load
 * @param goodput what of it came in time
 */
public record LoadAccount(
    Figure offeredPerSecond,
    Figure admittedPerSecond,
    Figure completedPerSecond,
    Map<String, Long> statuses,
    Map<String, Double> engineFinished,
    Figure clientTokensPerSecond,
    Figure engineTokensPerSecond,
    Figure promptTokensPerSecond,
    Figure prefixHitRatio,
    ExternalCache externalCache,
    Figure preemptionsPerFinished,
    Figure speculativeAcceptance,
    List<Double> acceptedAt,
    Figure tokensPerIteration,
    Map<String, Double> waitingByReason,
    List<ShapeRow> shape,
    ReplicaAccount replicas,
    Goodput goodput) {

  /**
   * A KV cache outside the engine, as vLLM or LMCache tells of it.
   *
   * @param hitRatio tokens found there over tokens looked up
   * @param retrieveSeconds mean time of fetching from it, in seconds
   * @param storeSeconds mean time of storing into it, in seconds
   */
  public record ExternalCache(Figure hitRatio, Figure retrieveSeconds, Figure storeSeconds) {
    /** Whether it tells anything. */
    public boolean isThere() {
      return hitRatio instanceof Figure.Known || retrieveSeconds instanceof Figure.Known
          || storeSeconds instanceof Figure.Known;
    }
  }

  /**
   * One property of the workload.
   *
   * @param quantity in words, for example {@code prompt tokens}
   * @param client mean over the client's requests
   * @param engine mean over the engine's requests
   * @param engineBrackets buckets the engine's percentiles lie in, in tokens
   * @param source the engine family
   */
  public record ShapeRow(
      String quantity,
      Figure client,
      Figure engine,
      List<EngineDistribution.Bracket> engineBrackets,
      String source) {
    public ShapeRow {
      engineBrackets = List.copyOf(engineBrackets);
    }
  }

  public LoadAccount {
    acceptedAt = List.copyOf(acceptedAt);
    shape = List.copyOf(shape);
  }
}
