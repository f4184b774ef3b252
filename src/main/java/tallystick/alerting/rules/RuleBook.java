package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.BadEventGuard;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.PerEngine;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.promql.PromTime;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;

/** Makes the rules of a derivation: recordings and alerts in one group, refusals beside them. */
public final class RuleBook {
  /** Alerts on what is gone or stuck: users' suffering does not judge them. */
  public static final List<String> ABSENCE = StandingAlerts.NAMES;

  private static final String PREEMPTION_RANGE = "10m";
  private static final long PREEMPTION_MILLIS = 600_000; // of the range above
  /** Of {@link RuleParts#RANGE}. */
  private static final long RANGE_MILLIS = 300_000;

  private static final int P95_EVENTS = 100; // of which five are above it
  private static final int P99_EVENTS = 500; // of which five are above it

  private final DerivedAlerts derived;
  private final AlertRequest request;
  private final RuleParts parts;

  private RuleBook(DerivedAlerts derived) {
    this.derived = derived;
    this.request = derived.request();
    this.parts = RuleParts.of(derived);
  }

  /** The rules of a derivation. */
  public static RuleSet of(DerivedAlerts derived) {
    return new RuleBook(derived).set();
  }

  private RuleSet set() {
    BurnAlerts burn = new BurnAlerts(parts, derived, request);
    PerEngine engine = new PerEngine(derived.query());
    burn.ofLatency();
    objective();
    warning("VLLMHighTTFT", ":vllm_ttft_seconds:", Signal.TTFT_P95, Signal.TTFT_P99);
    warning(
        "VLLMQueueTimeHigh", ":vllm_queue_time_seconds:", Signal.QUEUE_P95, Signal.QUEUE_P99);
    preemption();
    warning("VLLMHighITL", ":vllm_itl_seconds:", Signal.ITL_P99, Signal.ITL_P95);
    warning("VLLMHighTPOT", ":vllm_tpot_seconds:", Signal.TPOT_P95);
    burn.ofAvailability();
    new EnvelopeAlert(parts, engine).add();
    new StandingAlerts(parts, engine).all();
    return new RuleSet(
        header(), "vllm-slo", request.intervalMillis(), parts.rules(), parts.refusals());
  }

  private List<String> header() {
    List<String> lines = new ArrayList<>();
    List<String> runs = derived.validity().runs();
    lines.add(
        "Alert rules derived by Tallystick from "
            + Counted.of(runs.size(), "run", "runs")
            + ": "
            + String.join(", ", runs));
    if (derived.validity().simulated()) {
      lines.add("SIMULATED: some of these runs are of the simulated engine. A rehearsal; the");
      lines.add("thresholds say nothing about a real server.");
    }
    lines.add("valid for: " + derived.validity().text());
    lines.add("edge: " + derived.edge().sentence());
    lines.add("client labels in windows of " + PromTime.text(derived.validity().windowMillis()));
    lines.add("Check: promtool check rules rules.yaml; promtool test rules rules_test.yaml");
    return lines;
  }

  /** The derived threshold itself: the share of requests above the edge, with a guard. */
  private void objective() {
    String name = request.alertName("ObjectiveMissed");
    Optional<Derived> found = derived.derived(Signal.BAD_RATIO);
    if (found.isEmpty()) {
      parts.refuse(name, Signal.BAD_RATIO);
      return;
    }
    double target = request.objective().share();
    int least =
        BadEventGuard.leastBadEvents(target, found.get().threshold() / (1 - target));
    String expression =
        "%s > %s\nand\n%s >= %s"
            .formatted(
                parts.badRatio(RuleParts.RANGE), RuleWords.number(found.get().threshold()),
                parts.badEvents(RuleParts.RANGE), least);
    List<String> evidence = new ArrayList<>(List.of(derived.edge().sentence()));
    evidence.addAll(parts.evidence(found.get()));
    evidence.add("  at least " + least + " bad events");
    Map<String, String> annotations =
        parts.annotations(
            parts.word() + " of " + parts.subject() + " is beyond its objective",
            "{{ $value | humanizePercentage }} of requests exceeded "
                + RuleWords.number(derived.edge().seconds())
                + " s.");
    add(
        name,
        expression,
        found.get(),
        annotations,
        evidence,
        AlertExpectation.silentAndFiresAlways(
            RANGE_MILLIS, SufferingPredicate.of(RANGE_MILLIS, found.get().threshold(), least)));
  }

  /** An alert on a threshold waits as long as health shows it by chance, and does not flap. */
  private void add(
      String name,
      String expression,
      Derived found,
      Map<String, String> annotations,
      List<String> evidence,
      AlertExpectation promise) {
    parts.addPromising(
        new RuleSet.Rule(
            true,
            name,
            expression,
            derived.holdMillis().getOrDefault(found.signal(), 0L),
            request.keepFiringMillis(),
            Map.of("severity", found.urgency().code()),
            annotations,
            evidence,
            promise,
            Optional.of(found.signal())));
  }

  /** An alert on the first of the signals that has a threshold; refused as the first one is. */
  private void warning(String name, String metric, Signal... signals) {
    Optional<Derived> found =
        Arrays.stream(signals).flatMap(each -> derived.derived(each).stream()).findFirst();
    if (found.isEmpty()) {
      parts.refuse(name, signals[0]);
      return;
    }
    Derived threshold = found.get();
    Signal signal = threshold.signal();
    String percentile = signal.code().substring(signal.code().length() - 3);
    String recording =
        parts.recordAtLevel(
            metric + percentile + "_5m", derived.query().of(signal, RuleParts.RANGE));
    int least = percentile.equals("p99") ? P99_EVENTS : P95_EVENTS;
    String expression =
        "%s > %s\nand\n%s >= %s"
            .formatted(
                recording, RuleWords.number(threshold.threshold()), parts.guard(), least);
    Map<String, String> annotations =
        parts.annotations(
            signal.meaning() + " of " + parts.subject() + " is {{ $value | printf \"%.2f\" }} s",
            "Above "
                + RuleWords.number(threshold.threshold())
                + " s users' objective was violated in the load test.");
    add(
        name, expression, threshold, annotations, parts.evidence(threshold),
        isOfObjective(signal) && isReached(threshold)
            ? AlertExpectation.silentAndFires(RANGE_MILLIS, List.of(beyond(percentile, least)))
            : AlertExpectation.silent(RANGE_MILLIS));
  }

  /** Users can miss an objective for their first token while the others come in time. */
  private boolean isOfObjective(Signal signal) {
    Objective.Metric metric = request.objective().metric();
    return (metric == Objective.Metric.TTFT ? Signal.OF_FIRST_TOKEN : Signal.of(metric))
        .contains(signal);
  }

  /** Whoever misses the objective is above the threshold; a wait in the queue is a part of it. */
  private boolean isReached(Derived found) {
    double limit = request.objective().thresholdSeconds();
    boolean isPart =
        found.signal() == Signal.QUEUE_P95 || found.signal() == Signal.QUEUE_P99;
    return isPart ? found.threshold() < limit : found.threshold() <= limit;
  }

  /** A percentile exceeds nothing while fewer requests than those above it miss the objective. */
  private static SufferingPredicate beyond(String percentile, int least) {
    return SufferingPredicate.among(least, RANGE_MILLIS, percentile.equals("p99") ? 0.01 : 0.05);
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
              refused -> parts.refuse(name, Signal.PREEMPTIONS_PER_FINISHED.meaning(), refused));
      return;
    }
    String metric =
        parts.recordAtLevel(":vllm_preemptions_per_finished:ratio_rate10m", query);
    String expression =
        "%s > %s\nand\n%s > %s\nand\n%s >= %s"
            .formatted(
                metric, RuleWords.number(preemptions.get().threshold()),
                parts.badRatio(RuleParts.RANGE), RuleWords.number(latency.get().threshold()),
                parts.guard(), P95_EVENTS);
    List<String> evidence = new ArrayList<>(parts.evidence(preemptions.get()));
    evidence.addAll(parts.evidence(latency.get()));
    Map<String, String> annotations =
        parts.annotations(
            "Requests of " + parts.subject() + " are recomputed while users wait",
            "Preemptions per finished request: {{ $value | printf \"%.3f\" }}.");
    add(
        name, expression, preemptions.get(), annotations, evidence,
        AlertExpectation.silent(PREEMPTION_MILLIS));
  }
}
