package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.Journal;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Comparisons in virtual time whose truth is known. */
class RegressGoalsTest {
  private static final Map<String, String> ENGINE = Map.of("max-num-seqs", "16");
  private static final int REPEATS = 5;

  @TempDir Path folder;

  private RegressReport compare(double slowness, long seed) throws Exception {
    return compare(
        new DriftingWorld(0.03, true, seed * 1000), slowness, ENGINE, scenario(10, 60), seed);
  }

  private RegressReport compare(
      DriftingWorld world, double slowness, Map<String, String> flags, Scenario scenario, long seed)
      throws Exception {
    RegressExperiment experiment =
        new RegressExperiment(
            scenario,
            new RegressExperiment.Asked(
                REPEATS, new Budget(OptionalDouble.empty()), seed, NonInferiorityMargins.usual(),
                Optional.empty(), Optional.empty(), Purpose.COMPARE),
            new RegressExperiment.Side(world.engine(1, ENGINE), "base"),
            new RegressExperiment.Side(world.engine(slowness, flags), "candidate"));
    Path here = Files.createDirectory(folder.resolve("" + Files.list(folder).count()));
    Journal.begin(here, experiment.identity());
    return run(experiment, here, line -> {}, () -> false).orElseThrow();
  }

  private Scenario scenario(double rate, int seconds) throws IOException {
    Path file = folder.resolve("goal.yaml");
    Files.writeString(
        file,
        """
        name: goal
        workload:
          rate: %s
          arrival: poisson
          prompt_tokens: {lognormal: {median: 350, sigma: 0.5, max: 2000}}
          output_tokens: {lognormal: {median: 60, sigma: 0.5, max: 300}}
        duration: %ds
        """
            .formatted(rate, seconds));
    return ScenarioReader.read(file, List.of(), List.of());
  }

  private void ends(Map<String, Integer> counts, RegressReport report) {
    Regression end = report.regression();
    counts.merge(end.strength().words() + " " + end.verdict(), 1, Integer::sum);
    counts.merge("pairs", end.design().base(), Integer::sum);
  }

  @Test
  @Tag("stress")
  void equalEnginesOnAMachineThatDriftsAndIsSlowInEveryFourthRun() throws Exception {
    Map<String, Integer> equal = new TreeMap<>();
    for (int seed = 51_000; seed < 51_040; seed++) {
      DriftingWorld world =
          new DriftingWorld(0.03, true, seed * 1000L)
              .slowInEveryFourthRun(seed % 2 == 0 ? 0 : 0.08);
      ends(equal, compare(world, 1, ENGINE, scenario(10, 40), seed));
    }
    System.out.println("40 equal: " + equal);
    assertThat(equal.getOrDefault("sure REGRESSED", 0)).isLessThanOrEqualTo(1);
    assertThat(equal.getOrDefault("likely REGRESSED", 0)).isLessThanOrEqualTo(4);
  }

  @Test
  @Tag("stress")
  void anEngineThatIsATwentiethSlowerRegresses() throws Exception {
    Map<String, Integer> slower = new TreeMap<>();
    for (int seed = 52_000; seed < 52_012; seed++) {
      ends(slower, compare(1.05, seed));
    }
    System.out.println("12 slower by 5 %: " + slower);
    assertThat(slower.get("sure REGRESSED")).isGreaterThanOrEqualTo(11);
  }

  /** 56 requests/s had been regressed, 58 refused, and 60 regressed. */
  @Test
  void theVerdictIsMonotoneInTheLoad() throws Exception {
    List<String> verdicts = new ArrayList<>();
    for (double rate : new double[] {12, 14, 16, 18, 22, 30, 60}) {
      Regression end =
          compare(
                  new DriftingWorld(0, false, 53_000), 1, Map.of("max-num-seqs", "10"),
                  scenario(rate, 20), 53)
              .regression();
      verdicts.add(rate + " " + end.strength().words() + " " + end.verdict());
    }
    int first =
        (int) verdicts.stream().takeWhile(verdict -> !verdict.endsWith("REGRESSED")).count();
    assertThat(verdicts.subList(first, verdicts.size()))
        .isNotEmpty()
        .allMatch(verdict -> verdict.endsWith(" sure REGRESSED"));
  }
}
