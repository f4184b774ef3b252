package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.Margins;
import tallystick.experiment.regress.RegressReport;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.experiment.regress.RunFigures;

class RegressionPageTest {
  private static final List<RunFigures> BASE = MadeRuns.of(0.50, 0.52, 0.49, 0.51, 0.50);

  @Test
  void aRegressionLeadsWithItsVerdictAndDrawsEachEffectBesideItsMargin() {
    String page = RegressionText.page(report("<b>base", MadeRuns.of(0.60, 0.62, 0.59, 0.61, 0.6)));
    assertThat(page)
        .contains("<dt>Verdict</dt>", "regressed: TTFT P95 +20 %")
        .contains("class=\"row bad\"><span class=\"level\">TTFT P95</span>")
        .contains("class=\"margin\"", "class=\"zero\"", "base &lt;b&gt;base")
        .contains("default-src 'none'")
        .doesNotContain("NaN", "<b>base");
  }

  @Test
  void thePartThatRoseMostIsNamedWhereTheRunsDifferTooMuchToProveIt() {
    assertThat(RegressionText.page(report("base", MadeRuns.of(1.5, 60, 4, 12, 30))))
        .contains("regressed: TTFT P95")
        .contains("most of it in queue (+10.5 s); these runs differ too much to prove it");
  }

  @Test
  void nothingIsRedWhereAllPassed() {
    assertThat(RegressionText.page(report("base", BASE)))
        .contains("passed: no metric is worse")
        .doesNotContain("class=\"row bad\"");
  }

  @Test
  void tooFewRunsHaveNoPicture() {
    assertThat(RegressionText.page(report("base", MadeRuns.of(0.5))))
        .doesNotContain("class=\"track\"");
  }

  @Test
  void aCandidateThatDoesNotCarryTheRateIsToBeComparedAtALowerOne() {
    RunFigures.Doubt doubt = new RunFigures.Doubt(RunFigures.OVERLOADED, "requests piled up");
    List<RunFigures> piled =
        BASE.stream()
            .map(run -> MadeRuns.run(run.seed(), 9, Map.of(), List.of(doubt)))
            .toList();
    assertThat(RegressionText.page(report("base", piled)))
        .contains(
            "cannot be compared: overloaded; under this load requests pile up in 5 of 5 runs"
                + " of the candidate and in 0 of 5 runs of the base",
            "a rate that both carry: where the scenario has one rate, first try --set",
            "workload.rate=5 (half of it)");
  }

  @Test
  void aPipelineAndAPullRequestReadTheSameOfAnOverloadedCandidate(@TempDir Path folder)
      throws Exception {
    RunFigures.Doubt doubt = new RunFigures.Doubt(RunFigures.OVERLOADED, "requests piled up");
    RegressionText.write(
        report(
            "base",
            BASE.stream()
                .map(run -> MadeRuns.run(run.seed(), 9, Map.of(), List.of(doubt)))
                .toList()),
        folder);
    for (String file : List.of("summary.md", "junit.xml")) {
      assertThat(Files.readString(folder.resolve(file)))
          .contains("5 of 5 runs of the candidate and in 0 of 5 runs of the base");
    }
  }

  @Test
  void theFolderHoldsThePageAndItsLineInTheListOfRuns(@TempDir Path folder) throws Exception {
    RegressionText.write(report("base", BASE), folder);
    assertThat(folder.resolve("regress.html")).isNotEmptyFile();
    assertThat(Files.readString(folder.resolve("answers.json")))
        .contains("\"VERDICT\"", "regress.html", "2026-01-01T00:00:00Z");
  }

  static RegressReport report(String base, List<RunFigures> candidate) {
    RegressionJudge.Runs runs = RegressionJudge.Runs.recorded(BASE, candidate);
    return new RegressReport(
        "regress", "made", base, "candidate", 5, "",
        RegressionJudge.judge(runs, Margins.usual(), Optional.empty()), "", List.of(), runs.base(),
        runs.candidate(), Path.of(""));
  }
}
