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
    burn(page, AlertSeverity.PAGE, "burns too fast", BurnRate.PAGES);
    burn(ticket, AlertSeverity.TICKET, "burns", BurnRate.TICKETS);
  }

  private void burn(String name, AlertSeverity urgency, String how, List<BurnRate> rates) {
    double target = request.objective().share();
    List<String> evidence = new ArrayList<>();
    String expression = branches(rates, target, parts::badRatio, parts::badEvents, evidence);
    evidence.add(derived.edge().sentence());
    evidence.addAll(parts.evidence(derived.derived(Signal.BAD_RATIO).orElseThrow()));
    AlertExpectation promise = promise(rates, target);
    String promised = parts.promised(promise, 0, 0);
    evidence.add("  promises: " + promised);
    Map<String, String> annotations =
        parts.annotations(
            "%s error budget of %s %s".formatted(parts.word(), parts.subject(), how),
            "{{ $value | humanizePercentage }} of requests exceeded "
                + RuleWords.number(derived.edge().seconds())
                + " s.");
    annotations.put(
        "threshold_kind", "objective of " + RuleWords.number(target) + " times burn factor");
    annotations.put("promises", promised);
    parts.add(
        new RuleSet.Rule(
            true, name, expression, 0, 0,
            Map.of("severity", urgency.severity(), "slo", request.metricWord()),
            annotations, evidence, promise));
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
                millis(rate.longRange()), ratio, rate.leastBadEvents(target)),
            new SufferingPredicate.Share(millis(rate.shortRange()), ratio, 1)));
  }

  private static long longestShort(List<BurnRate> rates) {
    return rates.stream().mapToLong(rate -> millis(rate.shortRange())).max().orElse(0);
  }

  private static long millis(String range) {
    return PromTime.millis(range).orElseThrow();
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
      String ratio = RuleWords.number(rate.ratio(target));
      branches.add(
          "(%s > %s and %s > %s and %s >= %s)"
              .formatted(
                  ratioOver.apply(rate.longRange()), ratio,
                  ratioOver.apply(rate.shortRange()), ratio,
                  badOver.apply(rate.longRange()), guard));
      evidence.add(
          "%s/%s: factor %s%s, ratio %s, at least %s bad events"
              .formatted(
                  rate.longRange(), rate.shortRange(), RuleWords.number(rate.factor()),
                  rate.equals(given) ? "" : " (14.4 could never fire at this target)", ratio,
                  guard));
    }
    return String.join("\nor\n", branches);
  }

  /** Failures at the HTTP boundary burn a budget of their own; its threshold is arithmetic. */
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
    AvailabilityQuery query = new AvailabilityQuery(family.get(), request.grouping());
    String prefix = query.grouping().isEmpty() ? "all" : String.join("_", query.grouping());
    UnaryOperator<String> ratio =
        range -> parts.record(prefix + ":http_bad:ratio_rate" + range, query.badRatio(range));
    UnaryOperator<String> bad =
        range -> parts.record(prefix + ":http_bad:increase" + range, query.badEvents(range));
    availability(name + "Page", AlertSeverity.PAGE, BurnRate.PAGES, ratio, bad);
    availability(name + "Ticket", AlertSeverity.TICKET, BurnRate.TICKETS, ratio, bad);
  }

  private void availability(
      String name,
      AlertSeverity urgency,
      List<BurnRate> rates,
      UnaryOperator<String> ratio,
      UnaryOperator<String> bad) {
    double target = request.availability();
    List<String> evidence = new ArrayList<>();
    evidence.add(
        "arithmetic of the objective " + RuleWords.number(target) + "; no load test behind it");
    String expression = branches(rates, target, ratio, bad, evidence);
    parts.add(
        new RuleSet.Rule(
            true, name, expression, 0, 0,
            Map.of("severity", urgency.severity(), "slo", "availability"),
            parts.annotations(
                "vLLM answers too many requests with an error",
                "{{ $value | humanizePercentage }} of requests failed at the server."),
            evidence,
            AlertExpectation.silent(longestShort(rates))));
  }
}
