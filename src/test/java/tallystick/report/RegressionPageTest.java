package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.cli.NextLines;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.ComparisonAnswer;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

class RegressionPageTest {
  private static final List<ComparedRun> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);
  private static final List<ComparedRun> ALIKE = MadeRuns.of(0.501, 0.518, 0.492, 0.509, 0.502);

  @Test
  void aRegressionLeadsWithItsVerdictAndDrawsEachEffectBesideItsMargin() {
    String page = AnswerFiles.page(answer("<b>base", MadeRuns.of(0.60, 0.62, 0.59, 0.61, 0.6)));
    assertThat(page)
        .contains("<dt>Regressed</dt>", "TTFT P95 +20 %")
        .contains("class=\"row bad\"><span class=\"level\">TTFT P95</span>")
        .contains("class=\"margin\"", "class=\"zero\"", "base &lt;b&gt;base")
        .contains("default-src 'none'")
        .doesNotContain("NaN", "<b>base");
  }

  @Test
  void everyRunIsADotBesideItsPartner() {
    String page = AnswerFiles.page(answer("base", MadeRuns.of(0.60, 0.62, 0.59, 0.61, 0.6)));
    String pairs = page.substring(page.indexOf("<section id=\"pairs\">"));
    assertThat(pairs).contains("<h2>Pair by pair", ">TTFT P95</a></h3>", "base", "candidate");
    String first = pairs.substring(0, pairs.indexOf("</figure>"));
    assertThat(first.split("<circle cx", -1)).as("five runs of each side, and two in the legend")
        .hasSize(5 + 5 + 2 + 1);
    assertThat(AnswerFiles.page(answer("base", MadeRuns.of(0.501))))
        .doesNotContain("id=\"pairs\"");
  }

  @Test
  void thePartThatRoseMostIsNamedWhereTheRunsDifferTooMuchToProveIt() {
    assertThat(AnswerFiles.page(answer("base", MadeRuns.of(8, 12, 15, 20, 80))))
        .contains("TTFT P95")
        .contains("most of it in queue (+13.2 s); these runs differ too much to prove it");
  }

  @Test
  void nothingIsRedWhereAllPassed() {
    assertThat(AnswerFiles.page(answer("base", ALIKE)))
        .contains("no judged metric is worse by more than allowed")
        .doesNotContain("class=\"row bad\"");
  }

  @Test
  void tooFewRunsHaveNoPicture() {
    assertThat(AnswerFiles.page(answer("base", MadeRuns.of(0.501))))
        .doesNotContain("class=\"track\"");
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

  @Test
  void aCandidateThatAloneDoesNotCarryTheRateRegressesAndNoSizeIsTold() {
    String page = AnswerFiles.page(answer("base", piled(5, 5)));
    assertThat(page)
        .contains(
            "TTFT P95 490–520 ms -&gt; 9.05–9.06 s", "(sure)",
            "requests pile up in 5 of 5 of its runs; how much slower is not told: the queue grows"
                + " as long as a run lasts",
            "a rate that both sides keep up with: first try half of this one, --set",
            "workload.rate=5. tally capacity")
        .doesNotContain("NaN", "passed");
  }

  @Test
  void overloadIsNoReasonToRefuse() {
    assertThat(screen(piled(0, 4), piled(4, 4))).contains("REGRESSED", "4 of 4 of its runs");
    assertThat(screen(piled(5, 5), piled(0, 5)))
        .contains("NO WORSE", "base overloaded: latency then depends on the run's length");
    assertThat(screen(piled(4, 5), piled(5, 5))).doesNotContain("INVALID");
  }

  @Test
  void whatIsLikelyWorseSaysInHowManyPairsAndWhatWouldMakeItSure() {
    assertThat(
            screen(
                MadeRuns.of(0.50, 0.51, 0.49, 0.50, 0.52),
                MadeRuns.of(0.70, 1.90, 0.75, 2.50, 0.90)))
        .contains(
            "LIKELY WORSE TTFT P95 in 5 of 5 pairs: 490–520 ms -> 700 ms–2.50 s (+",
            "more pairs would make it sure", "NEXT The same command with --repeats 1");
  }

  @Test
  void theNextStepIsOneThatThisKindOfLoadHas() {
    assertThat(nextUnder(new ComparedRun.Load(false, 500, 12.3, 10, 100, 50, 25, "s", null)))
        .contains("first try half of this one, --set workload.rate=5.");
    assertThat(nextUnder(new ComparedRun.Load(false, 500, 12.3, 0, 100, 50, 25, "s", null)))
        .contains(
            "Compare under less load: lower the scenario's rates, or --speed for a trace;"
                + " tally capacity --from 6.15 finds what each carries")
        .doesNotContain("--set");
    assertThat(nextUnder(new ComparedRun.Load(true, 500, 12.3, 0, 100, 50, 25, "s", null)))
        .contains("Compare with fewer users: a lower workload.concurrency")
        .doesNotContain("workload.rate", "tally capacity");
  }

  private static String nextUnder(ComparedRun.Load load) {
    return screen(
        under(load, 0.5, 0.51, 0.49, 0.5, 0.52), under(load, 0.501, 0.512, 0.491, 0.503, 0.521));
  }

  private static List<ComparedRun> under(ComparedRun.Load load, double... ttft) {
    return MadeRuns.of(ttft).stream()
        .map(
            run ->
                new ComparedRun(
                    run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(),
                    run.missing(), run.ttft(), run.e2e(), load, run.likeness(), run.settings(),
                    run.engine(),
                    List.of(new ComparedRun.Doubt(ComparedRun.OVERLOADED, "requests piled up"))))
        .toList();
  }

  private static String screen(List<ComparedRun> base, List<ComparedRun> candidate) {
    String screen = screen(report("base", base, candidate));
    NextLines.check(screen);
    return screen.replaceAll("\\s+", " ");
  }

  @Test
  void aPipelineAndAPullRequestReadTheSameOfAnOverloadedCandidate(@TempDir Path folder)
      throws Exception {
    AnswerFiles.write(answer("base", piled(5, 5)), folder, "");
    for (String file : List.of("summary.md", "junit.xml")) {
      assertThat(Files.readString(folder.resolve(file)))
          .contains(
              "TTFT P95", "how much slower is not told: the queue grows as long as a run lasts");
    }
    assertThat(Files.readString(folder.resolve("junit.xml")))
        .contains("tests=\"7\"", "failures=\"4\"", "skipped=\"0\"");
  }

  @Test
  void theFolderHoldsThePageAndItsLineInTheListOfRuns(@TempDir Path folder) throws Exception {
    AnswerFiles.write(answer("base", ALIKE), folder, "");
    assertThat(folder.resolve("regress.html")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("answers.json")))
        .contains("\"NO WORSE\"", "regress.html", "2026-01-01T00:00:00Z")
        .contains("simulated engine, virtual time");
    assertThat(Files.readString(folder.resolve("regress.html")))
        .contains("<span class=\"chip caution\">simulated engine, virtual time</span>");
  }

  @Test
  void aMachineThatChangedMeanwhileIsACautionAndASteadyOneIsNot() {
    assertThat(screen(drifted(0.64)).replaceAll("\\s+", " "))
        .contains("base drifted +64 %", "the machine was not steady: ", "differ by 64 %.");
    assertThat(screen(drifted(0.05)).replaceAll("\\s+", " "))
        .contains("base drifted +5 %")
        .doesNotContain("not steady");
  }

  private static RegressReport drifted(double drift) {
    return report(
        "base", new RegressionJudge.Runs(BASE, ALIKE, true, List.of(), drift, 0));
  }

  @Test
  void aRegressionEndsWithThePageToLookAt() {
    RegressReport made = report("base", MadeRuns.of(0.60, 0.62, 0.59, 0.61, 0.6));

    assertThat(screen(made)).doesNotContain("NEXT");
    assertThat(
            ScreenWriter.text(
                new ComparisonAnswer(made)
                    .answer(new Invocation(List.of(), "reports/x")), Terminal.PLAIN))
        .contains("NEXT     ./tally open reports/x # its page: run by run");
  }

  private static String screen(RegressReport report) {
    return ScreenWriter.text(
        new ComparisonAnswer(report).answer(new Invocation(List.of(), "")), Terminal.PLAIN);
  }

  private static Answer answer(String base, List<ComparedRun> candidate) {
    return new ComparisonAnswer(report(base, candidate))
        .answer(new Invocation(List.of(), ""));
  }

  private static RegressReport report(String base, List<ComparedRun> candidate) {
    return report(base, BASE, candidate);
  }

  private static RegressReport report(
      String base, List<ComparedRun> ofBase, List<ComparedRun> candidate) {
    return report(base, RegressionJudge.Runs.recorded(ofBase, candidate));
  }

  private static RegressReport report(String base, RegressionJudge.Runs runs) {
    return new RegressReport(
        "regress",
        "made",
        base,
        "candidate",
        5,
        "",
        0,
        RegressionJudge.judge(runs, NonInferiorityMargins.usual(), Optional.empty()),
        "",
        List.of(),
        runs.base(),
        runs.candidate(),
        Purpose.COMPARE,
        "");
  }
}
