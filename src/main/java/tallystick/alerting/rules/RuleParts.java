package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.Confusion;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Evidence;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.promql.PromTime;

/** What the alerts of one rule book share: recordings, annotations, evidence, refusals. */
record RuleParts(
    DerivedAlerts derived,
    List<RuleSet.Rule> alerts,
    List<RefusedAlert> refusals,
    Map<String, String> recordings) {
  static final String RANGE = "5m";

  /** Those of a book that nothing was added to yet. */
  static RuleParts of(DerivedAlerts derived) {
    return new RuleParts(derived, new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
  }

  AlertRequest request() {
    return derived.request();
  }

  /** How the names of its recordings begin, by the labels that they keep. */
  private String level() {
    List<String> labels =
        request().grouping().stream().map(label -> label.replace("_name", "")).toList();
    return labels.isEmpty() ? "all" : String.join("_", labels);
  }

  /** Recordings first, then the alerts that read them. */
  List<RuleSet.Rule> rules() {
    List<RuleSet.Rule> rules = new ArrayList<>();
    recordings.forEach((name, text) -> rules.add(RuleSet.Rule.recording(name, text)));
    rules.addAll(alerts);
    return rules;
  }

  /** Adds an alert, with the way to its entry in the runbook. */
  void add(RuleSet.Rule alert) {
    String entry = request().runbookUrl() + RuleSet.anchor(alert.name());
    alerts.add(alert.and(List.of(), Map.of("runbook_url", entry)));
  }

  /** Adds an alert with what it promises, as rules_test.yaml holds it against the recorded run. */
  void addPromising(RuleSet.Rule alert) {
    String promised = promised(alert.promise(), alert.holdMillis(), alert.keepMillis());
    add(alert.and(List.of("  promises: " + promised), Map.of("promises", promised)));
  }

  void refuse(String name, String watches, SignalOutcome.Refused refused) {
    refuse(name, watches, refused.code(), refused.missing());
  }

  /** Refuses an alert as its signal is refused. */
  void refuse(String name, Signal signal) {
    derived.refused(signal).ifPresent(refused -> refuse(name, signal.meaning(), refused));
  }

  void refuse(String name, String watches, RefusalCode code, String missing) {
    refusals.add(new RefusedAlert(name, watches, code, missing));
  }

  Map<String, String> annotations(String summary, String description) {
    Map<String, String> annotations = new LinkedHashMap<>();
    annotations.put("summary", summary);
    annotations.put("description", description);
    annotations.put("threshold_source", inert(String.join(", ", derived.validity().runs())));
    annotations.put("valid_for", inert(derived.validity().text()));
    return annotations;
  }

  /** Prometheus runs what stands in double braces; names of strangers are shown as they are. */
  private static String inert(String text) {
    return text.replace("{{", "{{\"{{\"}}");
  }

  List<String> evidence(Derived outcome) {
    Evidence evidence = outcome.evidence();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: threshold %s, 90 %% interval [%s, %s], in health at most %s"
            .formatted(
                outcome.signal().code(), RuleWords.number(outcome.threshold()),
                RuleWords.number(evidence.thresholdLow()),
                RuleWords.number(evidence.thresholdHigh()),
                RuleWords.number(evidence.clearLevel())));
    lines.add(
        String.format(
            Locale.ROOT,
            "  windows: %d met, %d missed, %d undecided; area under the curve %.3f"
                + " [%.3f, %.3f]",
            evidence.healthyWindows(), evidence.violatedWindows(), evidence.unprovenWindows(),
            evidence.area(), evidence.areaLow(), evidence.areaHigh()));
    lines.add("  on runs left out: " + text(evidence.byRun().confusion()));
    lines.add(
        evidence
            .byMix()
            .map(mix -> "  on mixes left out: " + text(mix.confusion()))
            .orElse("  one mix only: transfer to another was not measured"));
    return lines;
  }

  private static String text(Confusion confusion) {
    return String.format(
        Locale.ROOT, "precision %.2f, recall %.2f", confusion.precision(), confusion.recall());
  }

  private String promised(AlertExpectation promise, long holdMillis, long keepMillis) {
    long interval = request().intervalMillis();
    List<String> lines = new ArrayList<>();
    lines.add(
        "silent while users are well, after "
            + PromTime.text(promise.settleMillis(keepMillis, interval)));
    if (promise.firesAlways()) {
      lines.add(
          "meant to fire within %s where users suffer for %s or more"
              .formatted(
                  PromTime.text(promise.delayMillis(holdMillis, interval)),
                  PromTime.text(AlertExpectation.leastMillis(holdMillis, interval))));
    }
    if (!promise.burdens().isEmpty()) {
      lines.add(
          "fires within %s if, for all that time, %s"
              .formatted(
                  PromTime.text(AlertExpectation.burdenDelayMillis(holdMillis, interval)),
                  SufferingPredicate.words(promise.burdens())));
    }
    lines.add(
        promise.burdens().isEmpty() && !promise.firesAlways()
            ? "no delay"
            : "it may miss lighter or shorter suffering");
    return String.join("; ", lines);
  }

  String badRatio(String range) {
    return ofObjective("bad:ratio_rate" + range, derived.query().of(Signal.BAD_RATIO, range));
  }

  String badEvents(String range) {
    return ofObjective("bad:increase" + range, derived.query().badEvents(range));
  }

  String guard() {
    return ofObjective("count:increase5m", derived.query().events(RANGE));
  }

  private String ofObjective(String rest, Optional<String> expression) {
    return recordAtLevel(":vllm_" + request().metricWord() + "_" + rest, expression);
  }

  /** The recording of a recorded level, for example {@code cluster_model:vllm_ttft:p95}. */
  String recordAtLevel(String rest, Optional<String> expression) {
    return record(level() + rest, expression.orElseThrow());
  }

  String record(String metric, String expression) {
    recordings.putIfAbsent(metric, expression);
    return metric;
  }

  String word() {
    return request().objective().metric().name();
  }

  String subject() {
    return request().grouping().contains("model_name") ? "{{ $labels.model_name }}" : "vLLM";
  }
}
