package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.result.Strength;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.experiment.Budget;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.Journal;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.plan.Plan;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

class RegressExperimentTest {
  @TempDir Path folder;

  private RegressExperiment experiment(
      double slowness, Budget budget, Optional<Baseline> baseline, Purpose purpose,
      Integer... runsWithALateClient)
      throws IOException {
    DriftingWorld world = new DriftingWorld(0, false, 7, List.of(runsWithALateClient));
    return new RegressExperiment(
        scenario(),
        new RegressExperiment.Asked(
            3, budget, 11, NonInferiorityMargins.usual(), Optional.empty(), baseline, purpose),
        new RegressExperiment.Side(world.engine(1, Map.of()), "the old one"),
        new RegressExperiment.Side(world.engine(slowness, Map.of()), "the new one"));
  }

  private RegressExperiment experiment(double slowness, Integer... runsWithALateClient)
      throws IOException {
    return experiment(
        slowness, new Budget(OptionalDouble.empty()), Optional.empty(), Purpose.COMPARE,
        runsWithALateClient);
  }

  private Scenario scenario() throws IOException {
    Path file = folder.resolve("small.yaml");
    Files.writeString(
        file,
        """
        workload: {rate: 12, prompt_tokens: 200, output_tokens: 30}
        duration: 8s
        """);
    return ScenarioReader.read(file, List.of(), List.of());
  }

  private Path begun(RegressExperiment experiment, String name) throws IOException {
    Path here = Files.createDirectory(folder.resolve(name));
    Journal.begin(here, experiment.identity());
    return here;
  }

  @Test
  void aMuchSlowerCandidateRegressesAndNoRowsAreLeftBehind() throws Exception {
    RegressExperiment experiment = experiment(1.3);
    Path here = begun(experiment, "slower");

    RegressReport report = run(experiment, here, line -> {}, () -> false).orElseThrow();

    assertThat(report.regression().verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(here.resolve("runs")).isEmptyDirectory();
  }

  private RegressExperiment of(int repeats, double slowness, int diesInRun) throws IOException {
    DriftingWorld world = new DriftingWorld(0, false, 7);
    TestBed candidate = world.engine(slowness, Map.of());
    int[] played = {0};
    TestBed mortal =
        new TestBed() {
          @Override
          public OptionalDouble play(Plan plan, Path folder)
              throws IOException, InterruptedException {
            if (++played[0] == diesInRun) {
              throw new EngineFailure(EngineFailure.Moment.RUN, "CUDA out of memory");
            }
            return candidate.play(plan, folder);
          }

          @Override
          public String words() {
            return candidate.words();
          }

          @Override
          public String fingerprint() {
            return candidate.fingerprint();
          }

          @Override
          public boolean isRepeatable() {
            return true;
          }

          @Override
          public double overheadSeconds() {
            return candidate.overheadSeconds();
          }
        };
    return new RegressExperiment(
        scenario(),
        new RegressExperiment.Asked(
            repeats, new Budget(OptionalDouble.empty()), 11, NonInferiorityMargins.usual(),
            Optional.empty(), Optional.empty(), Purpose.COMPARE),
        new RegressExperiment.Side(world.engine(1, Map.of()), "the old one"),
        new RegressExperiment.Side(mortal, "the new one"));
  }

  @Test
  void itEndsAsSoonAsItIsSure() throws Exception {
    RegressExperiment experiment = of(9, 1.3, 0);

    RegressReport report =
        run(experiment, begun(experiment, "sure"), line -> {}, () -> false).orElseThrow();

    assertThat(report.regression().verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(report.regression().strength()).isEqualTo(Strength.SURE);
    assertThat(report.regression().design().base()).isLessThanOrEqualTo(4);
    assertThat(report.pairSeconds()).isPositive();
  }

  @Test
  void moreRepeatsAddPairsToThoseThatAreFinished() throws Exception {
    RegressExperiment three = of(3, 1.052, 0);
    Path here = begun(three, "added");
    RegressReport first = run(three, here, line -> {}, () -> false).orElseThrow();
    RegressExperiment six = of(6, 1.052, 0);
    List<String> said = new ArrayList<>();
    RegressReport second = run(six, here, said::add, () -> false).orElseThrow();

    assertThat(Journal.mistakeIn(here, six.identity())).isEmpty();
    assertThat(second.baseRuns().subList(0, 3)).isEqualTo(first.baseRuns());
    if (first.regression().strength() != Strength.SURE) {
      assertThat(said).anyMatch(line -> line.startsWith("run 7 of at most 12  pair 4"));
      assertThat(second.baseRuns()).hasSizeGreaterThan(3);
    }
  }

  /** It had ended with an error, as if the world had failed. */
  @Test
  void aCandidateThatDiesInAPairIsAResultAndWhoeverGoesOnPlaysThatPairAgain() throws Exception {
    RegressExperiment experiment = of(5, 1.05, 3);
    Path here = begun(experiment, "dies");
    RegressReport report = run(experiment, here, line -> {}, () -> false).orElseThrow();

    assertThat(report.regression().verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(report.died())
        .isEqualTo("died in pair 3: run-06-candidate: CUDA out of memory");
    assertThat(report.baseRuns()).hasSize(2);
    assertThat(
            new ComparisonAnswer(report).answer(new Invocation(List.of(), "here")).outcome())
        .isEqualTo(AnswerStatus.FAILS);
    RegressReport mended =
        run(of(5, 1.05, 0), here, line -> {}, () -> false).orElseThrow();
    assertThat(mended.died()).isEmpty();
    assertThat(mended.baseRuns()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void aPairWithALateClientIsPlayedAgain() throws Exception {
    RegressExperiment experiment = experiment(1.3, 3);
    List<String> said = new ArrayList<>();

    RegressReport report =
        run(experiment, begun(experiment, "late"), said::add, () -> false).orElseThrow();

    assertThat(said)
        .anyMatch(line -> line.startsWith("run 8 of at most 8  pair 4 base (a pair had"));
    assertThat(report.regression().verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(report.regression().design().leftOut()).isEqualTo(1);
    assertThat(report.baseRuns()).hasSize(3);
  }

  @Test
  void noMorePairsThanAThirdArePlayedAgain() throws Exception {
    RegressExperiment experiment = experiment(1.3, 3, 5);

    RegressReport report =
        run(experiment, begun(experiment, "later"), line -> {}, () -> false).orElseThrow();

    assertThat(report.regression().verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.baseRuns()).hasSize(4);
  }

  @Test
  void whatWasInterruptedGoesOnAndEndsTheSame() throws Exception {
    RegressExperiment whole = experiment(1.3);
    RegressReport expected =
        run(whole, begun(whole, "whole"), line -> {}, () -> false).orElseThrow();
    RegressExperiment cut = experiment(1.3);
    Path here = begun(cut, "cut");
    List<String> said = new ArrayList<>();

    assertThat(run(cut, here, said::add, () -> said.size() >= 7)).isEmpty();
    assertThat(Journal.mistakeIn(here, experiment(1.2).identity())).isPresent();
    List<String> rest = new ArrayList<>();
    RegressReport report = run(cut, here, rest::add, () -> false).orElseThrow();

    assertThat(said).hasSize(7);
    assertThat(rest.get(1))
        .isEqualTo("at most 3 runs of 8 s with about 6 s of overhead each: about 42 s of virtual"
            + " time");
    assertThat(report.regression()).isEqualTo(expected.regression());
  }

  @Test
  void aBaselineStandsForTheBase() throws Exception {
    RegressExperiment alone =
        experiment(
            1, new Budget(OptionalDouble.empty()), Optional.empty(), Purpose.BASELINE);
    RegressReport measured =
        run(alone, begun(alone, "alone"), line -> {}, () -> false).orElseThrow();
    Path file = folder.resolve("baseline.json");
    alone.saveBaseline(measured, file);
    Baseline baseline = JsonInputFile.baseline("baseline.json", Files.readString(file));

    RegressExperiment later =
        experiment(
            1.3, new Budget(OptionalDouble.empty()), Optional.of(baseline), Purpose.COMPARE);
    RegressReport report =
        run(later, begun(later, "later"), line -> {}, () -> false).orElseThrow();

    assertThat(measured.regression().verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(report.regression().verdict()).isEqualTo(Verdict.REGRESSED);
    assertThat(report.regression().design().paired()).isTrue();
    assertThat(Files.size(file)).isLessThan(20_000);
  }

  @Test
  void aRunOfABaselineWithALateClientIsPlayedAgain() throws Exception {
    Budget noBudget = new Budget(OptionalDouble.empty());
    RegressExperiment once = experiment(1, noBudget, Optional.empty(), Purpose.BASELINE, 2);
    RegressExperiment twice = experiment(1, noBudget, Optional.empty(), Purpose.BASELINE, 2, 4);
    List<String> said = new ArrayList<>();

    RegressReport report =
        run(once, begun(once, "once"), said::add, () -> false).orElseThrow();
    RegressReport spoiled =
        run(twice, begun(twice, "twice"), line -> {}, () -> false).orElseThrow();

    assertThat(said).anyMatch(line -> line.startsWith("run 4 of 4  pair 4 base (a run had a late"));
    assertThat(report.regression().verdict()).isEqualTo(Verdict.TOO_CLOSE);
    assertThat(report.baseRuns()).hasSize(3).allMatch(run -> run.doubts().isEmpty());
    assertThat(report.cautions()).containsExactly("1 of 4 runs left out: the client was late");
    assertThat(spoiled.regression().verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void aBudgetTooSmallForThreePairsIsAMistake() {
    assertThatThrownBy(
            () ->
                experiment(
                    1, new Budget(OptionalDouble.of(60)), Optional.empty(), Purpose.COMPARE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 108 s");
  }

  @Test
  void oneSideAloneNeedsATimeOfThreeRuns() throws Exception {
    Budget budget = new Budget(OptionalDouble.of(56));
    RegressExperiment alone = experiment(1, budget, Optional.empty(), Purpose.BASELINE);
    RegressReport report =
        run(alone, begun(alone, "tight"), line -> {}, () -> false).orElseThrow();

    assertThat(report.baseRuns()).hasSize(3);
    assertThatThrownBy(
            () ->
                experiment(
                    1, new Budget(OptionalDouble.of(50)), Optional.empty(), Purpose.BASELINE))
        .hasMessageContaining("3 runs need at least 54 s");
  }

  @Test
  void aFileOfANewerFormatOrNoneAtAllIsRefused() {
    assertThatThrownBy(() -> JsonInputFile.baseline("b.json", "{\"format_version\": 9}"))
        .hasMessageContaining("format version 9");
    assertThatThrownBy(() -> JsonInputFile.noise("n.json", "{\"format_version\": 1}"))
        .hasMessageContaining("--calibrate");
    assertThatThrownBy(() -> JsonInputFile.noise("n.json", "[")).hasMessageContaining("n.json");
  }
}
