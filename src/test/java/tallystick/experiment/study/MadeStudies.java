package tallystick.experiment.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.LeadReview;
import tallystick.alerting.rules.AlertExpectation;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Answer;
import tallystick.experiment.Budget;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.scenario.Objective;

/** Studies that are made up: every end there is, with alerts earned and without. */
public final class MadeStudies {
  private static final String ENGINE = "vLLM 0.32.0 at http://10.0.0.7:8000";

  private MadeStudies() {}

  /** The answer to a study that earned two alerts. */
  public static Answer earned() {
    return SaidStudy.of(all().get("decided-earned"));
  }

  /** Name → study. */
  static Map<String, FinishedStudy> all() {
    Map<String, FinishedStudy> all = new LinkedHashMap<>();
    Map<String, StudyEnd> ends =
        Map.of(
            "decided", new StudyEnd.Decided(), "out-of-time", new StudyEnd.OutOfTime(900),
            "capacity-lost", new StudyEnd.CapacityLost("given", "no rate held"),
            "untrusted", new StudyEnd.Untrusted("the client was late"),
            "budget-too-small", new StudyEnd.BudgetTooSmall(610));
    ends.forEach(
        (name, end) -> {
          all.put(name, study(ENGINE, end, runs(3), List.of()));
          all.put(name + "-earned", study(ENGINE, end, runs(3), reviews(2)));
        });
    all.put(
        "no-run", study(ENGINE, new StudyEnd.BudgetTooSmall(610), List.of(), List.of()));
    all.put(
        "crowded",
        study(
            "the simulated engine, in virtual time", new StudyEnd.OutOfTime(900), runs(9),
            reviews(9)));
    FinishedStudy plain = study(ENGINE, new StudyEnd.Decided(), runs(3), List.of());
    all.put(
        "predicted",
        new FinishedStudy(
            plain.scenario(), plain.engine(), plain.model(), new Budget(OptionalDouble.empty()),
            plain.end(), plain.runs(), plain.standings(),
            List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.5, "")),
            Optional.of(new PredictedStudy(Map.of(Mix.GIVEN, 7.5), List.of(run(1, 7), run(3, 9)))),
            reviews(5)));
    all.put(
        "predicted-in-vain",
        new FinishedStudy(
            plain.scenario(), plain.engine(), plain.model(), plain.budget(), plain.end(),
            plain.runs(), List.of(), List.of(),
            Optional.of(new PredictedStudy(Map.of(Mix.GIVEN, 7.5), List.of())), List.of()));
    return all;
  }

  private static FinishedStudy study(
      String engine, StudyEnd end, List<StudyResult> runs, List<AlertReview> reviews) {
    return new FinishedStudy(
        "chat",
        engine,
        "m",
        new Budget(OptionalDouble.of(2500)),
        end,
        runs,
        List.of(
            standing(Signal.BAD_RATIO),
            standing(Signal.TTFT_P95, Requirement.NARROW_INTERVAL, Requirement.RUNS),
            standing(Signal.QUEUE_P95, Requirement.NARROW_INTERVAL),
            standing(Signal.QUEUE_P99, Requirement.NARROW_INTERVAL),
            standing(Signal.WAITING_MAX, Requirement.NARROW_INTERVAL),
            standing(Signal.KV_MAX, Requirement.AREA),
            standing(Signal.KV_MEAN, Requirement.VARIATION),
            standing(Signal.ITL_P95, Requirement.EDGES),
            standing(Signal.ITL_P99, Requirement.MIXES),
            standing(Signal.RUNNING_MEAN, Requirement.REQUESTS)),
        List.of(),
        Optional.empty(),
        reviews);
  }

  private static ThresholdProgress standing(Signal signal, Requirement... lacks) {
    return ThresholdProgress.of(
        Objective.Metric.TTFT,
        signal,
        List.of(lacks).stream().map(need -> new UnmetRequirement(need, 3, 5, "3 of 5")).toList(),
        4);
  }

  /** The second one is not compared in full, the last one cannot be used; some moved. */
  private static List<StudyResult> runs(int count) {
    List<StudyResult> runs = new ArrayList<>(measured(count));
    StudyRun scout =
        new StudyRun(
            count + 1, "longer-prompts", 30,
            List.of(new StudyStep(1, StudyStep.Kind.SCOUT, 12, 30)), 1);
    runs.add(
        new StudyResult(
            scout, "runs/run-00" + (count + 1), 35,
            List.of(new StepReading(scout.steps().getFirst(), 360, true, 1, 11.8)),
            StudyResult.Reference.NONE, true, true, ""));
    runs.add(
        new StudyResult(
            scout, "runs/run-00" + (count + 2), 36, List.of(), StudyResult.Reference.NONE, false,
            true, "the client was late"));
    return runs;
  }

  /** Runs that were measured; every second one and every third one met another engine. */
  static List<StudyResult> measured(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> run(number, 5)).toList();
  }

  private static StudyResult run(int number, double completed) {
    StudyStep reference = new StudyStep(1, StudyStep.Kind.REFERENCE, 5, 60);
    StudyStep over = new StudyStep(2, StudyStep.Kind.OVER, 8, 60);
    return new StudyResult(
        new StudyRun(number, Mix.GIVEN, 30, List.of(reference, over), number),
        "runs/run-00" + number, 300,
        List.of(
            new StepReading(reference, 300, true, 0.998, 5),
            new StepReading(over, 480, false, 0.02 * completed, completed)),
        new StudyResult.Reference(
            1 + (number % 2 == 0 ? 0.1 : 0) + (number % 3 == 0 ? 0.2 : 0), 0.001, 900),
        true, number != 2, "");
  }

  private static List<AlertReview> reviews(int alerts) {
    List<RuleSet.Rule> rules =
        IntStream.range(0, alerts)
            .mapToObj(
                number ->
                    new RuleSet.Rule(
                        true, "VLLMTTFTAlertNumber" + number,
                        number % 2 == 0
                            ? "fleet:ttft_bad:ratio_rate1h > 0.144"
                            : "fleet:vllm_ttft_seconds:p95_5m > 0.25",
                        0, 0, Map.of("severity", number % 2 == 0 ? "page" : "ticket"), Map.of(),
                        List.of("3 runs"), AlertExpectation.NONE))
            .toList();
    RuleSet set = new RuleSet(List.of(), "vllm-slo", 30_000, rules, List.of());
    LeadReview lead = new LeadReview(List.of(), List.of(), List.of());
    return List.of(new AlertReview(null, set, List.of(), List.of(), lead, Optional.empty()));
  }
}
