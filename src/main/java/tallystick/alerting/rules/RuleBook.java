package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tallystick.alerting.AlertProposal;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Evidence;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.analysis.prometheus.Durations;
import tallystick.runrecord.MetricConcept;

/** Makes the rules of a derivation: recordings and alerts in one group, refusals beside them. */
public final class RuleBook {
  private static final String RANGE = "5m";
  private static final String PREEMPTION_RANGE = "10m";
  private static final int P95_EVENTS = 100;
  private static final int P99_EVENTS = 500;
  private static final String SCENARIO_QUEUE = "#scenario-1-ttft-and-queue-time-rise";
  private static final String SCENARIO_ITL = "#scenario-2-itl-rises-while-queue-time-is-low";
  private static final String SCENARIO_PREEMPTION = "#scenario-3-preemptions-increase";
  private static final String SCENARIO_ERRORS = "#scenario-4-errors-or-cancellations-rise";

  private final DerivedAlerts derived;
  private final AlertRequest request;
  private final String level;
  private final List<RuleSet.Rule> alerts = new ArrayList<>();
  private final List<AlertProposal.Refused> refusals = new ArrayList<>();
  private final Map<String, String> recordings = new LinkedHashMap<>();

  private RuleBook(DerivedAlerts derived) {
    this.derived = derived;
    this.request = derived.request();
    this.level =
        request.grouping().isEmpty()
            ? "all"
            : String.join(
                "_",
                request.grouping().stream().map(label -> label.replace("_name", "")).toList());
  }

  /** The rules of a derivation. */
  public static RuleSet of(DerivedAlerts derived) {
    return new RuleBook(derived).set();
  }

  private RuleSet set() {
    burn();
    warning(
        "VLLMHighTTFT", "vllm_ttft_seconds", SCENARIO_QUEUE, Signal.TTFT_P95, Signal.TTFT_P99);
    warning(
        "VLLMQueueTimeHigh", "vllm_queue_time_seconds", SCENARIO_QUEUE, Signal.QUEUE_P95,
        Signal.QUEUE_P99);
    preemption();
    warning("VLLMHighITL", "vllm_itl_seconds", SCENARIO_ITL, Signal.ITL_P99, Signal.ITL_P95);
    warning("VLLMHighTPOT", "vllm_tpot_seconds", SCENARIO_ITL, Signal.TPOT_P95);
    availability();
    absence();
    List<RuleSet.Rule> rules = new ArrayList<>();
    recordings.forEach((name, text) -> rules.add(RuleSet.Rule.recording(name, text)));
    rules.addAll(alerts);
    return new RuleSet(header(), "vllm-slo", request.intervalMillis(), rules, refusals);
  }

  private List<String> header() {
    List<String> lines = new ArrayList<>();
    List<String> runs = derived.validity().runs();
    lines.add(
        "Alert rules derived by Tallystick from "
            + OutcomeText.counted(runs.size(), "run", "runs")
            + ": "
            + String.join(", ", runs));
    if (derived.validity().simulated()) {
      lines.add("SIMULATED: some of these runs are of the simulated engine. A rehearsal; the");
      lines.add("thresholds say nothing about a real server.");
    }
    lines.add("valid for: " + derived.validity().text());
    lines.add("edge: " + derived.edge().sentence());
    lines.add("client labels in windows of " + Durations.text(derived.validity().windowMillis()));
    lines.add("Check: promtool check rules rules.yaml; promtool test rules rules_test.yaml");
    return lines;
  }

  private void burn() {
    Optional<Refused> refused = derived.refused(Signal.BAD_RATIO);
    String name = "VLLM" + request.metricWord().toUpperCase(Locale.ROOT) + "BudgetBurn";
    if (refused.isPresent()) {
      refuse(name + "Page", "error budget burning too fast", refused.get());
      refuse(name + "Ticket", "error budget burning", refused.get());
      return;
    }
    burn(name + "Page", "page", "burns too fast", BurnRate.PAGES);
    burn(name + "Ticket", "ticket", "burns", BurnRate.TICKETS);
  }

  private void burn(String name, String severity, String how, List<BurnRate> rates) {
    double target = request.objective().share();
    List<String> evidence = new ArrayList<>();
    String expression = branches(rates, target, this::badRatio, this::badEvents, evidence);
    evidence.add(derived.edge().sentence());
    evidence.addAll(evidence(derived.derived(Signal.BAD_RATIO).orElseThrow()));
    Map<String, String> annotations =
        annotations(
            "%s error budget of %s %s".formatted(word(), subject(), how),
            "{{ $value | humanizePercentage }} of requests exceeded "
                + text(derived.edge().seconds())
                + " s.",
            SCENARIO_QUEUE);
    annotations.put("threshold_kind", "objective of " + text(target) + " times burn factor");
    alerts.add(
        new RuleSet.Rule(
            true, name, expression, 0, Map.of("severity", severity, "slo", request.metricWord()),
            annotations, evidence));
  }

  /** One branch for each pair of windows; what each rests on is added to the evidence. */
  private static String branches(
      List<BurnRate> rates,
      double target,
      UnaryOperator<String> ratioOver,
      UnaryOperator<String> badOver,
      List<String> evidence) {
    List<String> branches = new ArrayList<>();
    for (BurnRate given : rates) {
      BurnRate rate = given.usable(target);
      int guard = rate.leastBadEvents(target);
      String ratio = text(rate.ratio(target));
      branches.add(
          "(%s > %s and %s > %s and %s >= %d)"
              .formatted(
                  ratioOver.apply(rate.longRange()), ratio,
                  ratioOver.apply(rate.shortRange()), ratio,
                  badOver.apply(rate.longRange()), guard));
      evidence.add(
          "%s/%s: factor %s%s, ratio %s, at least %d bad events"
              .formatted(
                  rate.longRange(), rate.shortRange(), text(rate.factor()),
                  rate.equals(given) ? "" : " (14.4 could never fire at this target)", ratio,
                  guard));
    }
    return String.join("\nor\n", branches);
  }

  /** Failures at the HTTP boundary burn a budget of their own; its threshold is arithmetic. */
  private void availability() {
    double target = request.availability();
    Optional<String> family = derived.query().names().family(MetricConcept.HTTP_REQUESTS);
    String name = "VLLMAvailabilityBudgetBurn";
    if (target == 0) {
      return;
    }
    if (family.isEmpty()) {
      refusals.add(
          new AlertProposal.Refused(
              name, "failures at the HTTP boundary", RefusalCode.TOO_FEW_OBSERVATIONS,
              "0 series count HTTP requests, need 1: measure availability at the gateway"));
      return;
    }
    AvailabilityQuery query = new AvailabilityQuery(family.get(), request.grouping());
    String prefix = query.grouping().isEmpty() ? "all" : String.join("_", query.grouping());
    UnaryOperator<String> ratio =
        range -> record(prefix + ":http_bad:ratio_rate" + range, query.badRatio(range));
    UnaryOperator<String> bad =
        range -> record(prefix + ":http_bad:increase" + range, query.badEvents(range));
    for (String severity : List.of("page", "ticket")) {
      boolean page = severity.equals("page");
      List<String> evidence = new ArrayList<>();
      evidence.add("arithmetic of the objective " + text(target) + "; no load test behind it");
      String expression =
          branches(page ? BurnRate.PAGES : BurnRate.TICKETS, target, ratio, bad, evidence);
      alerts.add(
          new RuleSet.Rule(
              true, name + (page ? "Page" : "Ticket"), expression, 0,
              Map.of("severity", severity, "slo", "availability"),
              annotations(
                  "vLLM answers too many requests with an error",
                  "{{ $value | humanizePercentage }} of requests failed at the server.",
                  SCENARIO_ERRORS),
              evidence));
    }
  }

  /** An alert on the first of the signals that has a threshold; refused as the first one is. */
  private void warning(String name, String metric, String anchor, Signal... signals) {
    Optional<Derived> found =
        Arrays.stream(signals).flatMap(each -> derived.derived(each).stream()).findFirst();
    if (found.isEmpty()) {
      derived
          .refused(signals[0])
          .ifPresent(refused -> refuse(name, signals[0].meaning(), refused));
      return;
    }
    Derived threshold = found.get();
    Signal signal = threshold.signal();
    String percentile = signal.word().substring(signal.word().length() - 3);
    String recording = level + ":" + metric + ":" + percentile + "_5m";
    record(recording, derived.query().of(signal, RANGE).orElseThrow());
    int least = percentile.equals("p99") ? P99_EVENTS : P95_EVENTS;
    String expression =
        "%s > %s\nand\n%s >= %d"
            .formatted(recording, text(threshold.threshold()), guard(), least);
    Map<String, String> annotations =
        annotations(
            signal.meaning() + " of " + subject() + " is {{ $value | printf \"%.2f\" }} s",
            "Above "
                + text(threshold.threshold())
                + " s users' objective was violated in the load test.",
            anchor);
    alerts.add(
        new RuleSet.Rule(
            true, name, expression, derived.holdMillis().getOrDefault(signal, 0L),
            Map.of("severity", "warning"), annotations, evidence(threshold)));
  }

  /** Recomputation and latency on the same labels: an internal event alone alerts nobody. */
  private void preemption() {
    String name = "VLLMPreemptionRelatedDegradation";
    Optional<Derived> preemptions = derived.derived(Signal.PREEMPTIONS_PER_FINISHED);
    Optional<Derived> latency = derived.derived(Signal.BAD_RATIO);
    Optional<String> query =
        derived.query().of(Signal.PREEMPTIONS_PER_FINISHED, PREEMPTION_RANGE);
    if (preemptions.isEmpty() || latency.isEmpty() || query.isEmpty()) {
      derived
          .refused(Signal.PREEMPTIONS_PER_FINISHED)
          .or(() -> derived.refused(Signal.BAD_RATIO))
          .ifPresent(
              refused -> refuse(name, Signal.PREEMPTIONS_PER_FINISHED.meaning(), refused));
      return;
    }
    String metric = level + ":vllm_preemptions_per_finished:ratio_rate10m";
    record(metric, query.get());
    String expression =
        "%s > %s\nand\n%s > %s\nand\n%s >= %d"
            .formatted(
                metric, text(preemptions.get().threshold()),
                badRatio(RANGE), text(latency.get().threshold()), guard(), P95_EVENTS);
    List<String> evidence = new ArrayList<>(evidence(preemptions.get()));
    evidence.addAll(evidence(latency.get()));
    long hold = derived.holdMillis().getOrDefault(Signal.PREEMPTIONS_PER_FINISHED, 0L);
    alerts.add(
        new RuleSet.Rule(
            true, name, expression, hold, Map.of("severity", "warning"),
            annotations(
                "Requests of " + subject() + " are recomputed while users wait",
                "Preemptions per finished request: {{ $value | printf \"%.3f\" }}.",
                SCENARIO_PREEMPTION),
            evidence));
  }

  /** Without these a dead target, no traffic or a renamed metric would resolve every alert. */
  private void absence() {
    String up = "up{job=\"" + request.job() + "\"}";
    alerts.add(
        plain("VLLMTargetDown", up + " == 0\nor\nabsent(" + up + ")", 120_000,
            "A vLLM target cannot be scraped, or none is configured"));
    derived
        .query()
        .names()
        .family(MetricConcept.TTFT)
        .ifPresent(
            family ->
                alerts.add(
                    plain("VLLMMetricsAbsent", "absent(" + family + "_count)", 300_000,
                        "No target exposes " + family + ": the alerts above cannot fire")));
  }

  private RuleSet.Rule plain(String name, String expression, long hold, String summary) {
    return new RuleSet.Rule(
        true, name, expression, hold, Map.of("severity", "page"),
        annotations(summary, "Every latency alert is silent while this holds.", SCENARIO_ERRORS),
        List.of("no threshold: presence only"));
  }

  private Map<String, String> annotations(String summary, String description, String anchor) {
    Map<String, String> annotations = new LinkedHashMap<>();
    annotations.put("summary", summary);
    annotations.put("description", description);
    annotations.put("runbook_url", request.runbookUrl() + anchor);
    annotations.put("threshold_source", String.join(", ", derived.validity().runs()));
    annotations.put("valid_for", derived.validity().text());
    return annotations;
  }

  private List<String> evidence(Derived outcome) {
    Evidence evidence = outcome.evidence();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: threshold %s, 90 %% interval [%s, %s], clears at %s"
            .formatted(
                outcome.signal().word(), text(outcome.threshold()),
                text(evidence.thresholdLow()), text(evidence.thresholdHigh()),
                text(evidence.clearLevel())));
    lines.add(
        ("  windows: %d met, %d violated, %d indeterminate; area under the curve %.3f"
                + " [%.3f, %.3f]")
            .formatted(
                evidence.healthyWindows(), evidence.violatedWindows(),
                evidence.indeterminateWindows(), evidence.area(), evidence.areaLow(),
                evidence.areaHigh()));
    lines.add(
        "  on runs left out: precision %.2f, recall %.2f"
            .formatted(
                evidence.byRun().confusion().precision(), evidence.byRun().confusion().recall()));
    lines.add(
        evidence
            .byMix()
            .map(
                mix ->
                    "  on mixes left out: precision %.2f, recall %.2f"
                        .formatted(mix.confusion().precision(), mix.confusion().recall()))
            .orElse("  one mix only: transfer to another was not measured"));
    return lines;
  }

  private void refuse(String name, String watches, SignalOutcome.Refused refused) {
    refusals.add(
        new AlertProposal.Refused(name, watches, refused.code(), refused.missing()));
  }

  private String badRatio(String range) {
    return record(
        level + ":vllm_" + request.metricWord() + "_bad:ratio_rate" + range,
        derived.query().badRatio(range).orElseThrow());
  }

  private String badEvents(String range) {
    return record(
        level + ":vllm_" + request.metricWord() + "_bad:increase" + range,
        derived.query().badEvents(range).orElseThrow());
  }

  private String guard() {
    return record(
        level + ":vllm_" + request.metricWord() + "_count:increase5m",
        derived.query().events(RANGE).orElseThrow());
  }

  private String record(String metric, String expression) {
    recordings.putIfAbsent(metric, expression);
    return metric;
  }

  private String word() {
    return request.metricWord().toUpperCase(Locale.ROOT);
  }

  private String subject() {
    Set<String> labels = new LinkedHashSet<>(request.grouping());
    return labels.contains("model_name") ? "{{ $labels.model_name }}" : "vLLM";
  }

  private static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    return new java.math.BigDecimal(value)
        .round(new java.math.MathContext(6))
        .stripTrailingZeros()
        .toPlainString();
  }
}
