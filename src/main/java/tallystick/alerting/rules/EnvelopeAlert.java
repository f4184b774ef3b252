package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleWords;
import tallystick.alerting.Urgency;
import tallystick.alerting.derivation.LoadEnvelope;
import tallystick.alerting.derivation.PerEngine;
import tallystick.alerting.derivation.StepCost;

/** An alert on an engine that became slow while its load did not change. */
final class EnvelopeAlert {
  static final String NAME = "VLLMDegradedAtEqualLoad";

  private final RuleParts parts;
  private final PerEngine engine;

  EnvelopeAlert(RuleParts parts) {
    this.parts = parts;
    this.engine = new PerEngine(parts.derived().query());
  }

  void add() {
    switch (parts.derived().envelope()) {
      case LoadEnvelope.Refused refused ->
          parts
              .refusals()
              .add(
                  new RefusedAlert(
                      NAME, "decoding slower than at this load in health", refused.code(),
                      refused.missing()));
      case LoadEnvelope.Known known -> add(known);
    }
  }

  private void add(LoadEnvelope.Known known) {
    String on = "on (" + engine.labels() + ")";
    String running = parts.record("engine:vllm_running:avg2m", engine.running());
    String tokens =
        parts.record("engine:vllm_step_tokens:mean2m", engine.tokensPerStep());
    String ratio = parts.record("engine:vllm_itl_to_expected:ratio2m", expected(known.cost()));
    String beyond =
        known.bands().stream()
            .map(
                band ->
                    "(%s > %s and %s (%s > %s <= %s))"
                        .formatted(
                            ratio, RuleWords.number(band.limit()), on, running,
                            RuleWords.number(band.above()), RuleWords.number(band.most())))
            .collect(Collectors.joining("\nor\n", "(", ")"));
    String expression =
        "%s\nand %s\n%s <= %s"
            .formatted(beyond, on, tokens, RuleWords.number(Math.ceil(known.mostTokens())));
    Map<String, String> annotations =
        parts.annotations(
            "{{ $labels.instance }} decodes more slowly than at this load in health",
            "A token takes {{ $value | printf \"%.2f\" }} times as long as in the load test at as"
                + " many running requests and as full steps.");
    parts.add(
        new RuleSet.Rule(
            true, NAME, expression, known.holdMillis(), 0,
            Map.of("severity", Urgency.TICKET.severity()), annotations, evidence(known),
            Promise.NONE));
  }

  private String expected(StepCost cost) {
    List<String> terms = new ArrayList<>(List.of(RuleWords.number(cost.base())));
    if (cost.request() > 0) {
      terms.add(RuleWords.number(cost.request()) + " * " + engine.running());
    }
    if (cost.token() > 0) {
      terms.add(RuleWords.number(cost.token()) + " * (" + engine.tokensPerStep() + ")");
    }
    return "(%s)\n/ (%s)".formatted(engine.interTokenLatency(), String.join(" + ", terms));
  }

  private static List<String> evidence(LoadEnvelope.Known known) {
    StepCost cost = known.cost();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "expected: %s ms, %s ms for each running request, %s ms for each token of a step;"
                + " from %d runs, without ranges that saw a preemption",
            RuleWords.number(1e3 * cost.base()), RuleWords.number(1e3 * cost.request()),
            RuleWords.number(1e3 * cost.token()), known.runs()));
    for (LoadEnvelope.Band band : known.bands()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s to %s running: %d windows of 2m, the slowest that held on a run left out"
                  + " %.3f times as expected, limit %s",
              RuleWords.number(band.above()), RuleWords.number(band.most()), band.windows(),
              band.worst(), RuleWords.number(band.limit())));
    }
    known.refused().forEach(line -> lines.add("  refused at " + line));
    lines.add("  silent at other loads, and at steps of more tokens than were seen");
    lines.add(
        Double.isNaN(known.mixWorst())
            ? "  one mix only: transfer to another was not measured"
            : String.format(
                Locale.ROOT,
                "  on mixes left out: %.3f times as expected held", known.mixWorst()));
    return lines;
  }
}
