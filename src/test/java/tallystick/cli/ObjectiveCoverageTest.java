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
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
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
    assertVerdicts(runs, 0.10);
    assertPercentiles(runs, 0.88);
    assertMeans(runs, 0.80);
  }

  @Test
  void aLoadNearItsLimitIsSeldomJudgedWrong() throws Exception {
    List<RunAnalysis> runs = play("steady-90.yaml");
    assertVerdicts(runs, 0.15);
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
      Row row = Row.of(results);
      System.out.println(row.text());
      if (results.get(0).objective().parts().stream().anyMatch(one -> isWaiting(one.metric()))) {
        assertThat(row.wrong()).as(row.text()).isZero();
        assertThat(row.open()).as(row.text()).isLessThan(runs.size() / 10);
      }
    }
  }

  private static boolean isWaiting(Objective.Metric metric) {
    return metric == Objective.Metric.TTFT || metric == Objective.Metric.E2E;
  }

  private static void assertVerdicts(List<RunAnalysis> runs, double mostWrong) {
    for (int i = 0; i < runs.get(0).objectives().size(); i++) {
      int place = i;
      Row row = Row.of(runs.stream().map(run -> run.objectives().get(place)).toList());
      System.out.println(row.text());
      assertThat((double) row.wrong() / runs.size()).as(row.text()).isLessThan(mostWrong);
      assertThat((double) row.held() / row.printed()).as(row.text()).isGreaterThan(0.82);
      boolean isFar = row.truth() > 0.999 || row.truth() < row.wanted() - 0.1;
      if (isFar) {
        assertThat(row.open()).as("far: " + row.text()).isLessThan(runs.size() * 3 / 10);
      }
    }
  }

  /** One objective over all runs. */
  private record Row(
      String name, double wanted, double truth, int wrong, int open, int held, int printed,
      int runs) {

    static Row of(List<ObjectiveResult> results) {
      long good = results.stream().mapToLong(ObjectiveResult::good).sum();
      long judged = results.stream().mapToLong(ObjectiveResult::judged).sum();
      double truth = (double) good / judged;
      double wanted = results.get(0).objective().share();
      ObjectiveResult.Verdict contrary =
          truth >= wanted ? ObjectiveResult.Verdict.VIOLATED : ObjectiveResult.Verdict.MET;
      int held = 0;
      int printed = 0;
      for (ObjectiveResult result : results) {
        if (result.low() instanceof Figure.Known low
            && result.high() instanceof Figure.Known high) {
          printed++;
          held += low.value() <= truth && truth <= high.value() ? 1 : 0;
        }
      }
      return new Row(
          results.get(0).objective().metric() + " " + results.get(0).objective().thresholdSeconds(),
          wanted, truth, count(results, contrary), 
          count(results, ObjectiveResult.Verdict.NOT_PROVEN),
          held, printed, results.size());
    }

    private static int count(List<ObjectiveResult> results, ObjectiveResult.Verdict verdict) {
      return (int) results.stream().filter(r -> r.verdict() == verdict).count();
    }

    String text() {
      return String.format(
          Locale.ROOT,
          "%-18s wanted %.4f true %.4f: wrong %d, not proven %d of %d, interval held %d of %d",
          name, wanted, truth, wrong, open, runs, held, printed);
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
