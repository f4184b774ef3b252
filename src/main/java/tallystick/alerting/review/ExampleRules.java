package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.Urgency;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;

/**
 * The three alerts of a public monitoring guide with the thresholds it prints as examples
 * (akrisanov.com/vllm-metrics, for vLLM 0.23): what copied constants would have done.
 */
public final class ExampleRules {
  private static final long HOLD_MILLIS = 600_000;

  private ExampleRules() {}

  /** The alerts, their names ended by {@code (example)}; none without its metrics. */
  public static List<RuleGroup> of(SignalQuery query) {
    Optional<String> ttft = query.of(Signal.TTFT_P95, "5m").map(text -> text + " > 3");
    Optional<String> queue = query.of(Signal.QUEUE_P95, "5m").map(text -> text + " > 2");
    Optional<String> preemptions = query.preemptions("10m").map(text -> text + " > 0 and ");
    List<RuleGroup.Rule> alerts = new ArrayList<>();
    ttft.ifPresent(text -> alerts.add(alert("VLLMHighTTFT", text)));
    queue.ifPresent(text -> alerts.add(alert("VLLMQueueTimeHigh", text)));
    preemptions
        .flatMap(text -> ttft.map(latency -> text + latency))
        .ifPresent(text -> alerts.add(alert("VLLMPreemptionRelatedDegradation", text)));
    return List.of(new RuleGroup("examples", 0, alerts));
  }

  private static RuleGroup.Alert alert(String name, String text) {
    return new RuleGroup.Alert(
        name + " (example)",
        PromqlParser.parse(text),
        HOLD_MILLIS,
        0,
        Map.of("severity", Urgency.WARNING.severity()));
  }
}
