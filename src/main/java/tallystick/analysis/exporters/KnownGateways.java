package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

/** Points before the engine whose metrics need no explanation by the user: Dynamo's front end. */
final class KnownGateways {
  private KnownGateways() {}

  /** The user's meanings, and the vocabulary's for what the user left open. */
  static List<Metric> with(List<Metric> own) {
    List<Metric> all = new ArrayList<>(own);
    dynamo().stream()
        .filter(known -> own.stream().noneMatch(m -> m.quantity() == known.quantity()))
        .forEach(all::add);
    return List.copyOf(all);
  }

  private static List<Metric> dynamo() {
    return List.of(
        metric(Quantity.REQUESTS, MetricConcept.DYNAMO_REQUESTS, "status"),
        metric(Quantity.PROMPT_TOKENS, MetricConcept.DYNAMO_INPUT_LENGTH, ""),
        metric(Quantity.OUTPUT_TOKENS, MetricConcept.DYNAMO_OUTPUT_TOKENS, ""),
        metric(Quantity.TTFT, MetricConcept.DYNAMO_TTFT, ""),
        metric(Quantity.ITL, MetricConcept.DYNAMO_ITL, ""),
        metric(Quantity.E2E, MetricConcept.DYNAMO_E2E, ""),
        metric(Quantity.IN_FLIGHT, MetricConcept.DYNAMO_INFLIGHT, ""));
  }

  private static Metric metric(Quantity quantity, MetricConcept concept, String by) {
    String family = MetricVocabulary.standard().namesOf(concept).get(0).family();
    return new Metric(quantity, family, Map.of(), by, 1);
  }
}
