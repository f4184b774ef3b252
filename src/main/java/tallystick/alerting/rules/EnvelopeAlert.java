package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.LoadEnvelope;
import tallystick.alerting.derivation.PerEngine;
import tallystick.alerting.derivation.StepTimeModel;
import tallystick.runrecord.MetricConcept;

/** An alert on an engine that became slow while its load did not change. */
record EnvelopeAlert(RuleParts parts, PerEngine engine) {
  static final String NAME = "VLLMDegradedAtEqualLoad";

  void add() {
    switch (parts.derived().envelope()) {
      case LoadEnvelope.Refused refused ->
          parts.refuse(
              NAME, "steps slower than in health at the same load", refused.code(),
              refused.missing());
      case LoadEnvelope.Known known -> add(known);
    }
  }

  private void add(LoadEnvelope.Known known) {
    String on = "on (" + engine.labels() + ")";
    String running = parts.record("engine:vllm_running:avg2m", engine.running());
    String tokens =
        parts.record("engine:vllm_step_tokens:mean2m", engine.tokensPerStep());
    String ratio = parts.record("engine:vllm_step_to_expected:ratio2m", expected(known.cost()));
    String beyond =
        known.bands().stream()
            .map(
                band ->
                    "(%s > %s and %s (%s > %s <= %s))"
                        .formatted(
                            ratio, RuleWords.number(band.limit()), on, running,
                            RuleWords.number(band.above()), RuleWords.number(band.most())))
            .collect(Collectors.joining("\nor\n", "(", ")"));
    // Beyond what arrivals by chance do, the load moves: a mean of it explains no mean of times.
    String expression =
        "%1$s\nand %2$s\n%3$s <= %4$s\nand %2$s\n%5$s < 2 * sqrt(%6$s)"
            .formatted(
                beyond, on, tokens, RuleWords.number(Math.ceil(known.mostTokens())),
                engine.sum("stddev_over_time", MetricConcept.RUNNING, ""), running);
    Map<String, String> annotations =
        parts.annotations(
            "{{ $labels.instance }} takes longer for a step than in health at the same load",
            "A step takes {{ $value | printf \"%.2f\" }} times as long as in the load test with as"
                + " much to do.");
    parts.add(
        new RuleSet.Rule(
            true, NAME, expression, known.holdMillis(), 0,
            Map.of("severity", AlertSeverity.TICKET.code()), annotations, evidence(known),
            AlertExpectation.NONE));
  }

  private String expected(StepTimeModel cost) {
    List<String> terms = new ArrayList<>(List.of(RuleWords.number(cost.base())));
    if (cost.request() > 0) {
      terms.add(RuleWords.number(cost.request()) + " * " + engine.running());
    }
    if (cost.token() > 0) {
      terms.add(RuleWords.number(cost.token()) + " * (" + engine.tokensPerStep() + ")");
    }
    if (cost.again() > 0) {
      terms.add(RuleWords.number(cost.again()) + " * (" + engine.computedAgain() + ")");
    }
    return "(%s)\n/ (%s)".formatted(engine.stepTime(), String.join(" + ", terms));
  }

  private static List<String> evidence(LoadEnvelope.Known known) {
    StepTimeModel cost = known.cost();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "expected: %s ms, %s ms for each running request, %s ms for each token of a step;"
                + " %s ms for a whole KV cache computed again after preemptions; from %d runs",
            RuleWords.number(1e3 * cost.base()), RuleWords.number(1e3 * cost.request()),
            RuleWords.number(1e3 * cost.token()), RuleWords.number(1e3 * cost.again()),
            known.runs()));
    for (LoadEnvelope.Band band : known.bands()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s to %s running: %d windows of 2m, longest-lasting slowness on a run left out"
                  + " %.3f times the expected time, limit %s",
              RuleWords.number(band.above()), RuleWords.number(band.most()), band.windows(),
              band.worst(), RuleWords.number(band.limit())));
    }
    known.refused().forEach(line -> lines.add("  refused at " + line));
    lines.add(
        "  silent at other loads, at steps with more tokens than in these runs, and while the"
            + " load changes");
    lines.add(
        Double.isNaN(known.mixWorst())
            ? "  one mix only: transfer to another was not measured"
            : String.format(
                Locale.ROOT,
                "  on mixes left out: lasting slowness of %.3f times the expected"
                    + " time", known.mixWorst()));
    return lines;
  }
}
