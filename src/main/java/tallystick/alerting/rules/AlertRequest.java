package tallystick.alerting.rules;

import java.util.List;
import java.util.Map;
import tallystick.scenario.Objective;

/**
 * What the user wants of the rules.
 *
 * @param objective what the client is judged by, with its target
 * @param grouping labels that stay apart, for example cluster and model_name
 * @param runbookUrl page with the scenarios; an alert adds its anchor
 * @param job the scrape job's name in production
 * @param windowMillis length of the windows to derive from; 0 chooses one
 * @param skipMillis beginning of each step that is left out
 * @param intervalMillis evaluation interval of the group
 * @param seed of the bootstrap
 * @param availability share of HTTP requests that must not fail at the server; 0 asks for no alert
 */
public record AlertRequest(
    Objective objective,
    List<String> grouping,
    String runbookUrl,
    String job,
    long windowMillis,
    long skipMillis,
    long intervalMillis,
    long seed,
    double availability) {
  private static final Map<Objective.Metric, String> SHORT =
      Map.of(
          Objective.Metric.TTFT, "ttft",
          Objective.Metric.TPOT, "tpot",
          Objective.Metric.E2E, "e2e",
          Objective.Metric.ITL, "itl");

  public AlertRequest {
    grouping = List.copyOf(grouping);
    if (!SHORT.containsKey(objective.metric())) {
      throw new IllegalArgumentException(
          "the engine has no histogram of " + objective.metric() + "; use TTFT, TPOT, E2E or ITL");
    }
    if (!(availability >= 0 && availability < 1)) {
      throw new IllegalArgumentException(
          "availability must be a share below 1, was " + availability);
    }
  }

  /** The usual request for an objective. */
  public static AlertRequest usual(Objective objective) {
    return new AlertRequest(
        objective,
        List.of("cluster", "model_name"),
        "https://example.com/runbooks/vllm",
        "vllm",
        0,
        60_000,
        30_000,
        1,
        0);
  }

  /** The same request with an objective for availability. */
  AlertRequest withAvailability(double share) {
    return new AlertRequest(
        objective, grouping, runbookUrl, job, windowMillis, skipMillis, intervalMillis, seed,
        share);
  }

  /** The objective's metric as a recording's name has it, for example {@code ttft}. */
  String metricWord() {
    return SHORT.get(objective.metric());
  }
}
