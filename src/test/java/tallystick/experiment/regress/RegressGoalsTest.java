package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.Journal;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Comparisons in virtual time whose truth is known. */
class RegressGoalsTest {
  private static final Map<String, String> ENGINE = Map.of("max-num-seqs", "16");
  private static final int REPEATS = 5;

  @TempDir Path folder;

  private RegressReport compare(double slowness, long seed) throws Exception {
    DriftingWorld world = new DriftingWorld(0.03, true, seed * 1000);
    Scenario scenario = scenario();
    RegressExperiment experiment =
        new RegressExperiment(
            scenario,
            new RegressExperiment.Asked(
                REPEATS, new Budget(OptionalDouble.empty()), seed, NonInferiorityMargins.usual(),
                Optional.empty(), Optional.empty(), Purpose.COMPARE),
            new RegressExperiment.Side(world.engine(1, ENGINE), "base"),
            new RegressExperiment.Side(world.engine(slowness, ENGINE), "candidate"));
    Path here = Files.createDirectory(folder.resolve(slowness + "-" + seed));
    Journal.begin(here, experiment.identity());
    return run(experiment, here, line -> {}, () -> false).orElseThrow();
  }

  private Scenario scenario() throws IOException {
    Path file = folder.resolve("goal.yaml");
    Files.writeString(
        file,
        """
        name: goal
        workload:
          rate: 10
          arrival: poisson
          prompt_tokens: {lognormal: {median: 350, sigma: 0.5, max: 2000}}
          output_tokens: {lognormal: {median: 60, sigma: 0.5, max: 300}}
        duration: 60s
        """);
    return ScenarioReader.read(file, List.of(), List.of());
  }

  private long regressed(double slowness, int from, int to) throws Exception {
    long regressed = 0;
    for (int seed = from; seed < to; seed++) {
      Verdict verdict = compare(slowness, seed).regression().verdict();
      assertThat(verdict).isNotEqualTo(Verdict.INVALID);
      regressed += verdict == Verdict.REGRESSED ? 1 : 0;
    }
    return regressed;
  }

  @Test
  @Tag("stress")
  void equalEnginesOnADriftingMachineDoNotRegress() throws Exception {
    assertThat(regressed(1, 5000, 5004)).isZero();
  }

  @Test
  @Tag("stress")
  void anEngineThatIsATwentiethSlowerDoes() throws Exception {
    assertThat(regressed(1.05, 6000, 6004)).isEqualTo(4);
  }
}
