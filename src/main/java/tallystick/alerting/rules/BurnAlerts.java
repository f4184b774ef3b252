package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.promql.PromTime;
import tallystick.runrecord.MetricConcept;

/** Multi-window, multi-burn-rate alerts for latency and for availability. */
record BurnAlerts(RuleParts parts, DerivedAlerts derived, AlertRequest request) {
  /** What burns: the share that must be good; over a range, the share of bad and their number. */
  private record Budget(
      String slo, double target, UnaryOperator<String> ratio, UnaryOperator<String> bad) {}

  /** Pages and tickets for the objective of the load test. */
  void ofLatency() {
    Optional<Refused> refused = derived.refused(Signal.BAD_RATIO);
    String page = request.alertName("BudgetBurnPage");
    String ticket = request.alertName("BudgetBurnTicket");
    if (refused.isPresent()) {
      parts.refuse(page, "error budget burning too fast", refused.get());
      parts.refuse(ticket, "error budget burning", refused.get());
      return;
    }
    Budget budget =
        new Budget(
            request.metricWord(), request.objective().share(), parts::badRatio, parts::badEvents);
    latency(budget, page, AlertSeverity.PAGE, "burns too fast", BurnRate.PAGES);
    latency(budget, ticket, AlertSeverity.TICKET, "burns", BurnRate.TICKETS);
  }

  private void latency(
      Budget budget, String name, AlertSeverity urgency, String how, List<BurnRate> rates) {
    List<String> evidence = new ArrayList<>();
    String expression = branches(budget, rates, evidence);
    evidence.add(derived.edge().sentence());
    evidence.addAll(parts.evidence(derived.derived(Signal.BAD_RATIO).orElseThrow()));
    Map<String, String> annotations =
        parts.annotations(
            "%s error budget of %s %s".formatted(parts.word(), parts.subject(), how),
            "{{ $value | humanizePercentage }} of requests exceeded "
                + RuleWords.number(derived.edge().seconds()) + " s.");
    annotations.put(
        "threshold_kind", "objective of " + RuleWords.number(budget.target())
            + " times burn factor");
    parts.addPromising(
        rule(
            budget, name, urgency, expression, annotations, evidence,
            promise(rates, budget.target())));
  }

  private static RuleSet.Rule rule(
      Budget budget, String name, AlertSeverity urgency, String expression,
      Map<String, String> annotations, List<String> evidence, AlertExpectation promise) {
    return new RuleSet.Rule(
        true, name, expression, 0, 0, Map.of("severity", urgency.code(), "slo", budget.slo()),
        annotations, evidence, promise);
  }

  /** How fast a budget must burn is arithmetic; the short windows end it where users are well. */
  private static AlertExpectation promise(List<BurnRate> rates, double target) {
    return AlertExpectation.silentAndFires(
        longestShort(rates),
        rates.stream().map(rate -> burden(rate.usable(target), target)).toList());
  }

  private static SufferingPredicate burden(BurnRate rate, double target) {
    double ratio = rate.ratio(target);
    return new SufferingPredicate(
        List.of(
            new SufferingPredicate.Share(
                millis(rate.longRange()), ratio, 1, rate.leastBadEvents(target)),
            new SufferingPredicate.Share(millis(rate.shortRange()), ratio, 1, 1)));
  }

  private static long longestShort(List<BurnRate> rates) {
    return rates.stream().mapToLong(rate -> millis(rate.shortRange())).max().orElse(0);
  }

  private static long millis(String range) {
    return PromTime.millis(range).orElseThrow();
  }

  /** One branch for each pair of windows; what each rests on is added to the evidence. */
  private static String branches(
      Budget budget, List<BurnRate> rates, List<String> evidence) {
    double target = budget.target();
    List<String> branches = new ArrayList<>();
    for (BurnRate given : rates) {
      BurnRate rate = given.usable(target);
      int guard = rate.leastBadEvents(target);
      String ratio = RuleWords.number(rate.ratio(target));
      branches.add(
          "(%s > %s and %s > %s and %s >= %s)"
              .formatted(
                  budget.ratio().apply(rate.longRange()), ratio,
                  budget.ratio().apply(rate.shortRange()), ratio,
                  budget.bad().apply(rate.longRange()), guard));
      evidence.add(
          "%s/%s: factor %s%s, ratio %s, at least %s bad events"
              .formatted(
                  rate.longRange(), rate.shortRange(), RuleWords.number(rate.factor()),
                  rate.equals(given) ? "" : " (14.4 could never fire at this target)", ratio,
                  guard));
    }
    return String.join("\nor\n", branches);
  }

  /**
   * Failures at the HTTP boundary burn a budget of their own; its threshold is arithmetic. The
   * engine's own request_success counts what the engine finished, not what users were refused.
   */
  void ofAvailability() {
    Optional<String> family = derived.query().names().family(MetricConcept.HTTP_REQUESTS);
    String name = "VLLMAvailabilityBudgetBurn";
    if (request.availability() == 0) {
      return;
    }
    if (family.isEmpty()) {
      parts.refuse(
          name, "failures at the HTTP boundary", RefusalCode.TOO_FEW_OBSERVATIONS,
          "0 series count HTTP requests, need 1: measure availability at the gateway");
      return;
    }
    // The counter knows no model.
    List<String> labels =
        request.grouping().stream().filter(label -> !label.equals("model_name")).toList();
    String prefix = labels.isEmpty() ? "all" : String.join("_", labels);
    String sum = labels.isEmpty() ? "sum" : "sum by (" + String.join(", ", labels) + ") ";
    String scope = request.selector().isEmpty() ? "" : "," + request.selector();
    String begin = "(" + family.get() + "{handler=~\"/v1/.*\"" + scope;
    String failed = begin + ",status=~\"5..|5xx\"}[";
    String all = begin + "}[";
    Budget budget =
        new Budget(
            "availability", request.availability(),
            range ->
                parts.record(
                    prefix + ":http_bad:ratio_rate" + range,
                    sum + "(rate" + failed + range + "])) / "
                        + sum + "(rate" + all + range + "]))"),
            range ->
                parts.record(
                    prefix + ":http_bad:increase" + range,
                    sum + "(increase" + failed + range + "]))"));
    availability(budget, name + "Page", AlertSeverity.PAGE, BurnRate.PAGES);
    availability(budget, name + "Ticket", AlertSeverity.TICKET, BurnRate.TICKETS);
  }

  private void availability(
      Budget budget, String name, AlertSeverity urgency, List<BurnRate> rates) {
    List<String> evidence = new ArrayList<>();
    evidence.add(
        "follows from the objective " + RuleWords.number(budget.target())
            + " alone; no load test is behind it");
    String expression = branches(budget, rates, evidence);
    Map<String, String> annotations =
        parts.annotations(
            "vLLM answers too many requests with an error",
            "{{ $value | humanizePercentage }} of requests failed at the server.");
    parts.add(
        rule(
            budget, name, urgency, expression, annotations, evidence,
            AlertExpectation.silent(longestShort(rates))));
  }
}
