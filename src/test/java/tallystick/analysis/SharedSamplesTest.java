package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Phase;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** Samples that several readings share give every figure that samples of their own would give. */
class SharedSamplesTest {
  private static final List<Objective> OBJECTIVES =
      List.of(
          new Objective(Objective.Metric.ITL, 0.02, 0.9, ""),
          new Objective(Objective.Metric.TTFT, 0.2, 0.9, ""),
          new Objective(Objective.Metric.TPOT, 0.02, 0.9, ""));

  /** The last has more gaps than a phase keeps one by one. */
  @ParameterizedTest
  @CsvSource({"1, 20, 0, 0", "2, 20, 0.2, 0", "3, 20, 0, 0.2", "4, 20, 0.2, 0.2", "5, 2000, 0, 0"})
  void theOnlyPhaseHasTheFiguresItHasBesideAnother(
      long seed, int gaps, double failing, double ofTwo) {
    List<RequestRow> rows = rows(seed, gaps, failing, ofTwo);
    PhaseAnalysis alone = analyze(rows, false).phases().getFirst();
    PhaseAnalysis besideAnother = analyze(rows, true).phases().getFirst();
    assertThat(alone.chunkGaps().count()).isPositive();
    assertThat(alone).isEqualTo(besideAnother);
  }

  /** A class of its own hinders the sharing, and holds every request here. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0.2", "3, 0.02"})
  void anObjectiveOnEveryGapHasTheCountsOfOneOnTheOnlyClass(long seed, double failing) {
    List<RequestRow> rows = rows(seed, 20, failing, 0);
    ObjectiveResult every = analyze(rows, false).objectives().getFirst();
    MadeRun run = run(rows);
    run.objectives.clear();
    run.objectives.add(new Objective(Objective.Metric.ITL, 0.02, 0.9, "default"));
    assertThat(run.analyze().objectives().getFirst())
        .usingRecursiveComparison()
        .ignoringFields("objective")
        .isEqualTo(every);
  }

  @Test
  void requestsOfNoKnownPhaseAreOfTheRunAndNotOfItsOnlyPhase() {
    MadeRun run = run(rows(6, 20, 0, 0));
    run.requests.add(request(300, 100).phase("lost").build());
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.client().ttftFromIntended().count()).isEqualTo(301);
    assertThat(analysis.phases().getFirst().ttft().count()).isEqualTo(300);
    assertThat(analysis.phases().getFirst().chunkGaps().count()).isEqualTo(300 * 20);
  }

  private static RunAnalysis analyze(List<RequestRow> rows, boolean hasSecond) {
    MadeRun run = run(rows);
    if (hasSecond) {
      run.phases.add(
          new Phase("later", false, 150 * MadeRun.SECOND, 151 * MadeRun.SECOND, 2));
    }
    return run.analyze();
  }

  private static MadeRun run(List<RequestRow> rows) {
    MadeRun run = new MadeRun();
    run.window(10, 200);
    run.phases.clear();
    run.phases.add(new Phase("main", false, 0, 150 * MadeRun.SECOND, 2));
    run.objectives.addAll(OBJECTIVES);
    run.requests.addAll(rows);
    return run;
  }

  private static List<RequestRow> rows(long seed, int gaps, double failing, double ofTwo) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, 300)
        .mapToObj(
            i -> {
              double[] between = random.doubles(gaps, 0.1 / gaps, 0.5 / gaps).toArray();
              MadeRequest made = request(i, 10 + i * 0.5).late(0.01).ttft(random.nextDouble());
              made.gaps(between).tokens(1, random.nextDouble() < ofTwo ? 2 : 1);
              if (random.nextDouble() < failing) {
                made.outcome(
                    random.nextBoolean() ? Outcome.CLIENT_CANCELLED : Outcome.CUT_MID_STREAM, 200);
              }
              return made.usage(10, gaps + 1).build();
            })
        .toList();
  }
}
