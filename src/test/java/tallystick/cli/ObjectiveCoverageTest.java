package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.scenario.Objective;

/**
 * Verdicts and intervals are as sure as they say. One JVM plays a world with many seeds; the truth
 * of a share is its value over all of them. {@code -Dcoverage.from=50000 -Dcoverage.runs=200}
 * measures other seeds; the table goes to standard output.
 */
@Tag("stress")
class ObjectiveCoverageTest {
  private static final int FROM = Integer.getInteger("coverage.from", 70_000);
  private static final int RUNS = Integer.getInteger("coverage.runs", 120);
  private static final Path WORLDS = Path.of("src/test/resources/worlds");

  @TempDir private Path folder;

  @Test
  void aLoadWithRoomIsSeldomJudgedWrong() throws Exception {
    List<RunAnalysis> runs = play("steady-65.yaml");
    assertVerdicts(runs, 0.25, 0.05);
    assertPercentiles(runs, 0.88);
    assertMeans(runs, 0.80);
  }

  @Test
  void aLoadNearItsLimitIsSeldomJudgedWrong() throws Exception {
    List<RunAnalysis> runs = play("steady-90.yaml");
    // Its limits lie at the truth itself, from 0.85 to 1.2 times the allowed share.
    assertVerdicts(runs, 0.35, 0.20);
    assertPercentiles(runs, 0.85);
    assertMeans(runs, 0.75);
  }

  /** Beyond what the engine carries, no objective on waiting is kept, and few stay open. */
  @Test
  void aLoadThatPilesUpIsViolated() throws Exception {
    List<RunAnalysis> runs = play("steady-115.yaml");
    for (int i = 0; i < runs.get(0).objectives().size(); i++) {
      int place = i;
      List<ObjectiveResult> results =
          runs.stream().map(run -> run.objectives().get(place)).toList();
      if (results.get(0).objective().parts().stream().anyMatch(one -> isWaiting(one.metric()))) {
        Calibration judged = new Calibration();
        judged.add(results);
        String text = judged.text(results.get(0).objective().toString());
        System.out.println(text);
        assertThat(judged.wrong(Strength.SURE)).as(text).isZero();
        assertThat(judged.said[0]).as(text).isGreaterThanOrEqualTo(runs.size() * 8 / 10);
      }
    }
  }

  private static boolean isWaiting(Objective.Metric metric) {
    return metric == Objective.Metric.TTFT || metric == Objective.Metric.E2E;
  }

  /** Of what is called sure at most one in twenty is wrong, of what is likely one in four. */
  private static void assertVerdicts(
      List<RunAnalysis> runs, double mostWrongLikely, double mostTooCloseOfFar) {
    Calibration all = new Calibration();
    for (int i = 0; i < runs.get(0).objectives().size(); i++) {
      int place = i;
      Calibration one = new Calibration();
      List<ObjectiveResult> results =
          runs.stream().map(run -> run.objectives().get(place)).toList();
      one.add(results);
      all.add(results);
      System.out.println(one.text(results.get(0).objective().toString()));
    }
    System.out.println(all.text("all"));
    assertThat(all.wrong(Strength.SURE)).as(all.text("sure")).isLessThanOrEqualTo(0.05);
    assertThat(all.wrong(Strength.LIKELY))
        .as(all.text("likely"))
        .isLessThanOrEqualTo(mostWrongLikely);
    assertThat((double) all.farTooClose / Math.max(1, all.far))
        .as(all.text("far"))
        .isLessThanOrEqualTo(mostTooCloseOfFar);
    assertThat((double) all.held / all.printed).as(all.text("held")).isGreaterThan(0.82);
  }

  /** What was said of objectives whose truth is known. */
  private static final class Calibration {
    private final int[] said = new int[Strength.values().length];
    private final int[] wrong = new int[Strength.values().length];
    private int far;
    private int farTooClose;
    private int held;
    private int printed;

    /** Runs of one objective: the truth is the share over all of them. */
    void add(List<ObjectiveResult> results) {
      long good = results.stream().mapToLong(ObjectiveResult::good).sum();
      long judged = results.stream().mapToLong(ObjectiveResult::judged).sum();
      double truth = (double) good / judged;
      double wanted = results.get(0).objective().share();
      double times = (1 - truth) / (1 - wanted);
      for (ObjectiveResult result : results) {
        boolean isWrong = (result.verdict() == Judgement.Verdict.MET) != (truth >= wanted);
        said[result.strength().ordinal()]++;
        wrong[result.strength().ordinal()] += isWrong ? 1 : 0;
        boolean isFar = times <= 0.25 || times >= 4;
        far += isFar ? 1 : 0;
        farTooClose += isFar && result.strength() == Strength.TOO_CLOSE ? 1 : 0;
        if (result.low() instanceof Figure.Known low
            && result.high() instanceof Figure.Known high) {
          printed++;
          held += low.value() <= truth && truth <= high.value() ? 1 : 0;
        }
      }
    }

    double wrong(Strength strength) {
      return (double) wrong[strength.ordinal()] / Math.max(1, said[strength.ordinal()]);
    }

    String text(String name) {
      return String.format(
          Locale.ROOT,
          "%s: sure %d (%d wrong), likely %d (%d wrong), too close %d; far ones too close %d of %d;"
              + " interval held %d of %d",
          name, said[0], wrong[0], said[1], wrong[1], said[2], farTooClose, far, held, printed);
    }
  }

  private static void assertPercentiles(List<RunAnalysis> runs, double fewestHeld) {
    for (double level : new double[] {0.5, 0.9, 0.95}) {
      check("TTFT", level, runs.stream().map(r -> r.client().ttftFromIntended()), fewestHeld);
      check("E2E", level, runs.stream().map(r -> r.client().e2eFromIntended()), fewestHeld);
      check("ITL", level, runs.stream().map(r -> r.client().chunkGaps()), fewestHeld);
    }
  }

  /** The truth of a percentile is taken as the median over the runs, which are long for it. */
  private static void check(
      String name, double level, Stream<Distribution> distributions, double fewestHeld) {
    List<Distribution.Percentile> all =
        distributions
            .flatMap(of -> of.percentiles().stream().filter(p -> p.level() == level))
            .toList();
    double truth =
        median(all.stream().mapToDouble(p -> ((Figure.Known) p.value()).value()).toArray());
    int held = 0;
    int printed = 0;
    for (Distribution.Percentile each : all) {
      boolean hasLow = each.low() instanceof Figure.Known;
      boolean hasHigh = each.high() instanceof Figure.Known;
      printed += hasLow || hasHigh ? 1 : 0;
      boolean above = each.low() instanceof Figure.Known low && low.value() > truth;
      boolean below = each.high() instanceof Figure.Known high && high.value() < truth;
      held += (hasLow || hasHigh) && !above && !below ? 1 : 0;
    }
    String text = "%s P%.0f held %d of %d".formatted(name, level * 100, held, printed);
    System.out.println(text);
    assertThat((double) held / printed).as(text).isGreaterThan(fewestHeld);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static void assertMeans(List<RunAnalysis> runs, double fewestHeld) {
    for (int i = 0; i < 2; i++) {
      int place = i;
      List<Decomposition> all =
          runs.stream().map(run -> run.decompositions().get(place)).toList();
      double truth =
          all.stream()
              .mapToDouble(of -> ((Figure.Known) of.whole().value()).value())
              .average()
              .orElseThrow();
      int held = 0;
      for (Decomposition each : all) {
        double low = ((Figure.Known) each.whole().low()).value();
        double high = ((Figure.Known) each.whole().high()).value();
        held += low <= truth && truth <= high ? 1 : 0;
      }
      String text = "mean %s held %d of %d".formatted(all.get(0).quantity(), held, all.size());
      System.out.println(text);
      assertThat((double) held / all.size()).as(text).isGreaterThan(fewestHeld);
    }
  }

  private List<RunAnalysis> play(String world) throws Exception {
    PlayedScenario scenario =
        new PlayedScenario(WORLDS.resolve(world), Map.of("max-num-seqs", "16"), folder);
    List<RunAnalysis> runs = new ArrayList<>();
    for (int seed = FROM; seed < FROM + RUNS; seed++) {
      runs.add(scenario.analysis(seed));
    }
    return runs;
  }
}
