package tallystick.report;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.experiment.regress.BaselineVariance;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.ComparisonAnswer;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.OverloadEvidence;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.experiment.regress.SettingsOfSides;

/** A comparison of each kind, by name. */
final class MadeComparisons {
  private static final List<ComparedRun> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);
  private static final List<ComparedRun> ALIKE = MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502);
  private static final List<ComparedRun> WORSE = MadeRuns.of(0.60, 0.62, 0.59, 0.61, 0.6);
  private static final String TAKEN = "8 min";

  private MadeComparisons() {}

  static Map<String, RegressReport> all() {
    Map<String, RegressReport> all = new LinkedHashMap<>();
    all.put("passed", judged(BASE, ALIKE));
    all.put("passed-in-part",
        noisy(BASE, each(ALIKE, MadeComparisons::restless), 0.3, ComparedMetric.TTFT_P95));
    all.put(
        "passed-of-other-margins",
        judged(
            "compare",
            BASE,
            ALIKE,
            NonInferiorityMargins.of(List.of("ttft_p95=20%", "itl_p99=5%"))));
    all.put("regressed", judged(BASE, WORSE));
    all.put("regressed-by-compare", judged("compare", BASE, WORSE, NonInferiorityMargins.usual()));
    all.put("regressed-of-a-part-unproven", judged(BASE, MadeRuns.of(8, 12, 15, 20, 80)));
    all.put(
        "regressed-on-real-engines",
        judged(each(BASE, MadeComparisons::real), each(WORSE, MadeComparisons::real)));
    all.put("overloaded", judged(BASE, piled(5, 5)));
    all.put(
        "overloaded-and-few-good",
        judged(each(BASE, run -> MadeRuns.good(run, 1, 450)), few(piled(4, 5))));
    all.put("likely-worse", judged(BASE, scattered()));
    all.put("likely-worse-by-compare",
        judged("compare", BASE, scattered(), NonInferiorityMargins.usual()));
    all.put("died", died());
    all.put("passed-likely", judged(BASE, MadeRuns.of(0.47, 0.54, 0.50, 0.485, 0.51)));
    all.put("lost-all", judged(BASE, each(BASE, MadeRuns::failed)));
    all.put("lost-goodput", judged(BASE, each(WORSE, MadeComparisons::withoutGood)));
    all.put("too-close-of-wide-intervals", judged(BASE, MadeRuns.of(0.35, 0.8, 0.6, 0.45, 0.55)));
    all.put(
        "too-close-at-the-margin",
        judged(BASE, MadeRuns.of(0.521, 0.548, 0.509, 0.54, 0.522)));
    all.put(
        "too-close-of-few-requests",
        judged(each(BASE, MadeComparisons::brief), each(ALIKE, MadeComparisons::brief)));
    all.put(
        "too-close-beside-failures",
        judged(
            each(BASE, MadeComparisons::halfDone), MadeRuns.of(0.55, 0.575, 0.54, 0.56, 0.551)));
    all.put(
        "too-close-where-all-is-noise",
        noisy(
            BASE, MadeRuns.of(0.35, 0.8, 0.6, 0.45, 0.55), 0.5, ComparedMetric.values()));
    addRefused(all);
    return all;
  }

  private static void addRefused(Map<String, RegressReport> all) {
    all.put("too-few-runs", judged(BASE.subList(0, 1), WORSE.subList(0, 1)));
    all.put("too-few-runs-of-one-side", judged(BASE, WORSE.subList(0, 2)));
    all.put("unlike", judged(BASE, each(ALIKE, MadeComparisons::elsewhere)));
    all.put("unlike-of-one-run", judged(BASE, BASE));
    all.put("unlike-of-spoiled-runs", judged(BASE, each(ALIKE, MadeComparisons::spoiled)));
    all.put("unlike-of-many-reasons", judged(BASE, each(WORSE, MadeComparisons::allUnlike)));
    all.put("overloaded-after-four-pairs", judged(piled(0, 4), piled(4, 4)));
    all.put("overloaded-by-compare",
        judged("compare", piled(0, 4), piled(4, 4), NonInferiorityMargins.usual()));
    all.put("passed-beside-an-overloaded-base", judged(piled(5, 5), piled(0, 5)));
    all.put("both-overloaded-by-users", overloaded(true, 10, 12.3));
    all.put("both-overloaded-by-a-trace", overloaded(false, 0, 12.3));
    all.put("unlike-of-no-rate-known", overloaded(false, 0, 0));
    all.put("base-alone", baseAlone(List.of()));
    all.put("base-alone-invalid",
        baseAlone(List.of(new Regression.Unlike("saturated", "the client was late"))));
    all.put("with-cautions", cautions());
    all.put(
        "closed-loop",
        judged(each(BASE, MadeComparisons::closed), each(ALIKE, MadeComparisons::closed)));
    all.put("unpaired", judged(BASE, MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502, 0.511)));
  }

  /** What one says where it is kept in a folder. */
  static Answer answer(String kind) {
    boolean isKept = kind.equals("regressed-on-real-engines") || kind.equals("likely-worse");
    return new ComparisonAnswer(all().get(kind))
        .answer(new Invocation(List.of(), isKept ? "my reports/made-regress-1" : ""));
  }

  private static List<ComparedRun> each(List<ComparedRun> runs, UnaryOperator<ComparedRun> change) {
    return runs.stream().map(change).toList();
  }

  private static RegressReport judged(List<ComparedRun> base, List<ComparedRun> candidate) {
    return judged("regress", base, candidate, NonInferiorityMargins.usual());
  }

  private static RegressReport judged(
      String command,
      List<ComparedRun> base,
      List<ComparedRun> candidate,
      NonInferiorityMargins margins) {
    RegressionJudge.Runs runs = RegressionJudge.Runs.recorded(base, candidate);
    return report(
        command, command.equals("regress") ? TAKEN : "",
        RegressionJudge.judge(runs, margins, Optional.empty()), "", List.of(), runs);
  }

  private static RegressReport report(
      String command, String time, Regression regression, String noise, List<String> cautions,
      RegressionJudge.Runs runs) {
    return new RegressReport(
        command, "made", "v1 of <b>", runs.candidate().isEmpty() ? "" : "v2", 5, time,
        time.isEmpty() ? 0 : 96, regression, noise, cautions, runs.base(), runs.candidate(),
        Purpose.COMPARE, "");
  }

  private static RegressReport noisy(
      List<ComparedRun> base, List<ComparedRun> candidate, double spread,
      ComparedMetric... metrics) {
    Map<ComparedMetric, Double> spreads = new EnumMap<>(ComparedMetric.class);
    for (ComparedMetric metric : metrics) {
      spreads.put(metric, spread);
    }
    BaselineVariance noise =
        new BaselineVariance(
            1, "2026-01-01T00:00:00Z", "made", base.getFirst().likeness(), 5, spreads);
    RegressionJudge.Runs runs = RegressionJudge.Runs.recorded(base, candidate);
    return report(
        "regress",
        TAKEN,
        RegressionJudge.judge(runs, NonInferiorityMargins.usual(), Optional.of(noise)),
        "5 A/A pairs of 2026-01-01T00:00:00Z",
        List.of(),
        runs);
  }

  private static RegressReport baseAlone(List<Regression.Unlike> unlike) {
    return report(
        "regress",
        TAKEN,
        new Regression(
            unlike.isEmpty() ? Regression.Verdict.TOO_CLOSE : Regression.Verdict.INVALID,
            Strength.TOO_CLOSE,
            List.of(),
            List.of(),
            List.of(),
            unlike,
            new Regression.Design(5, 0, false, 0, 0, 0, List.of()),
            new OverloadEvidence(0, 0)),
        "",
        List.of("1 of 6 runs left out: the client was late"),
        new RegressionJudge.Runs(BASE, List.of(), false, List.of(), 0, 0));
  }

  private static RegressReport cautions() {
    Map<String, String> flags = new TreeMap<>();
    IntStream.range(0, 9).forEach(i -> flags.put("engine flag_" + i, "" + i));
    List<ComparedRun> newer =
        each(piled(1, 5), run -> changed(run, run.load(), Map.of(), flags, run.doubts()));
    RegressionJudge.Runs runs =
        new RegressionJudge.Runs(
            BASE, newer, true, List.of(true, false, true, false, true), 0.64, 1);
    return report(
        "regress",
        TAKEN,
        RegressionJudge.judge(runs, NonInferiorityMargins.usual(), Optional.empty()),
        "",
        List.of(
            "the candidate ran with max_num_seqs 64, instead of 128",
            "the noise file is of another machine or load, so it was not used",
            RegressReport.BASE_OF_A_FILE),
        runs);
  }

  private static List<ComparedRun> scattered() {
    return MadeRuns.of(0.70, 1.90, 0.75, 2.50, 0.90);
  }

  private static List<ComparedRun> few(List<ComparedRun> runs) {
    double[] shares = {0.074, 0.063, 0.038, 0.625, 0.056};
    return each(runs, run -> MadeRuns.good(run, shares[(int) run.seed() - 1], 450));
  }

  private static RegressReport died() {
    RegressReport made = judged(BASE.subList(0, 2), ALIKE.subList(0, 2));
    return new RegressReport(
        made.command(), made.title(), made.base(), made.candidate(), 5, made.time(), 96,
        new Regression(
            Regression.Verdict.REGRESSED, Strength.SURE, List.of(), List.of(), List.of(),
            List.of(), made.regression().design(), new OverloadEvidence(0, 0)),
        "", List.of(), made.baseRuns(), made.candidateRuns(), Purpose.COMPARE,
        "died in pair 3: torch.OutOfMemoryError: CUDA out of memory");
  }

  private static RegressReport overloaded(boolean isClosed, double rate, double offered) {
    ComparedRun.Load load =
        new ComparedRun.Load(isClosed, 500, offered, rate, 100, 50, 25, "s", null);
    List<ComparedRun> runs =
        each(
            MadeRuns.of(0.5, 0.51, 0.49, 0.5, 0.52),
            run ->
                changed(
                    run, load, Map.of(), Map.of(),
                    List.of(new ComparedRun.Doubt(ComparedRun.OVERLOADED, "requests piled up"))));
    return judged(
        runs,
        each(
            MadeRuns.of(0.501, 0.512, 0.493, 0.505, 0.521),
            run -> changed(run, load, Map.of(), Map.of(), runs.getFirst().doubts())));
  }

  /** The same schedules as the base's, of which the first so many are overloaded. */
  private static List<ComparedRun> piled(int piled, int of) {
    ComparedRun.Doubt doubt = new ComparedRun.Doubt(ComparedRun.OVERLOADED, "requests piled up");
    return BASE.stream()
        .limit(of)
        .map(
            run ->
                MadeRuns.run(
                    run.seed(),
                    0.001 * run.seed() + 0.01 * piled + (run.seed() <= piled ? 9 : 0.5), Map.of(),
                    run.seed() <= piled ? List.of(doubt) : List.of()))
        .toList();
  }

  private static ComparedRun changed(
      ComparedRun run, ComparedRun.Load load, Map<String, String> likeness,
      Map<String, String> settings, List<ComparedRun.Doubt> doubts) {
    Map<String, String> alike = new TreeMap<>(run.likeness());
    alike.putAll(likeness);
    Map<String, String> set = new TreeMap<>(run.settings());
    set.putAll(settings);
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(), run.missing(),
        run.ttft(), run.e2e(), load, alike, set, run.engine(), doubts);
  }

  private static ComparedRun real(ComparedRun run) {
    return changed(run, run.load(), Map.of("engine kind", "real"), Map.of(), List.of());
  }

  private static ComparedRun elsewhere(ComparedRun run) {
    return changed(run, run.load(), Map.of("machine", "another"), Map.of(), List.of());
  }

  private static ComparedRun spoiled(ComparedRun run) {
    return changed(
        run, run.load(), Map.of(), Map.of(),
        List.of(
            new ComparedRun.Doubt("saturated", "the client's core was busy"),
            new ComparedRun.Doubt("unreconciled", "R1 differs by 3")));
  }

  private static ComparedRun allUnlike(ComparedRun run) {
    ComparedRun.Load load =
        new ComparedRun.Load(
            false, 500, 20, 20, 300, 90, 25, "another", new ComparedRun.Shape(40, 3, 0.0));
    return changed(
        run, load,
        Map.of(
            "machine", "another", "engine kind", "real", SettingsOfSides.KEY, "64", "phases", "2",
            "loop", "closed", "endpoint", "chat"),
        Map.of(), List.of(new ComparedRun.Doubt("incomplete", "the record ends early")));
  }

  private static ComparedRun closed(ComparedRun run) {
    ComparedRun.Load load = run.load();
    return changed(
        run,
        new ComparedRun.Load(
            true, load.requests(), load.offeredPerSecond(), load.ratePerSecond(),
            load.promptTokens(), load.answerTokens(), load.answerSpread(), load.schedule(),
            load.shape()),
        Map.of(), Map.of(), List.of());
  }

  private static ComparedRun withoutGood(ComparedRun run) {
    return with(
        run, Map.of(), Map.of(ComparedMetric.GOOD_SHARE, ComparedRun.ZERO),
        ComparedMetric.GOODPUT, ComparedMetric.GOOD_SHARE);
  }

  private static ComparedRun brief(ComparedRun run) {
    return with(
        run, Map.of(),
        Map.of(ComparedMetric.ITL_P99, "n=99, need 200", ComparedMetric.TTFT_P95, "n=99, need 100"),
        ComparedMetric.ITL_P99, ComparedMetric.TTFT_P95);
  }

  private static ComparedRun restless(ComparedRun run) {
    double[] waits = {0.4, 0.6, 0.55, 0.48, 0.505};
    return with(
        run, Map.of(ComparedMetric.TTFT_P95, waits[(int) run.seed() - 1]), Map.of());
  }

  private static ComparedRun halfDone(ComparedRun run) {
    return with(run, Map.of(ComparedMetric.COMPLETED, 0.5), Map.of());
  }

  private static ComparedRun with(
      ComparedRun run, Map<ComparedMetric, Double> added, Map<ComparedMetric, String> missing,
      ComparedMetric... without) {
    Map<ComparedMetric, Double> metrics = new EnumMap<>(run.metrics());
    metrics.putAll(added);
    metrics.keySet().removeAll(List.of(without));
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics,
        new TreeMap<>(missing), run.ttft(), run.e2e(), run.load(), run.likeness(),
        run.settings(), run.engine(), run.doubts());
  }
}
