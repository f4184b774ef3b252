package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Comparisons in virtual time whose truth is known. */
class RegressGoalsTest {
  private static final Map<String, String> ENGINE = Map.of("max-num-seqs", "16");
  private static final int REPEATS = 5;

  @TempDir Path folder;

  /** What came of comparisons. */
  private record Tally(Map<Verdict, Integer> verdicts, int comparisons) {}

  private RegressReport compare(double slowness, long seed) throws Exception {
    DriftingWorld world = new DriftingWorld(0.03, true, seed * 1000);
    Scenario scenario = scenario();
    RegressExperiment experiment =
        new RegressExperiment(
            scenario,
            new RegressExperiment.Asked(
                REPEATS, new Budget(OptionalDouble.empty()), seed, Margins.usual(),
                Optional.empty(), Optional.empty(), RegressExperiment.Purpose.COMPARE),
            world.engine(1, ENGINE), world.engine(slowness, ENGINE));
    Path here = Files.createDirectory(folder.resolve(slowness + "-" + seed));
    experiment.begin(here);
    return experiment.run(here, line -> {}, () -> false).orElseThrow();
  }

  private Scenario scenario() throws IOException {
    Path file = folder.resolve("goal.yaml");
    Files.writeString(
        file,
        """
        name: goal
        workload:
          rate: RATE
          arrival: poisson
          prompt_tokens: {lognormal: {median: 350, sigma: 0.5, max: 2000}}
          output_tokens: {lognormal: {median: 60, sigma: 0.5, max: 300}}
        duration: DURATION
        """.replace("RATE", System.getProperty("rate", "10"))
            .replace("DURATION", System.getProperty("duration", "60s")));
    return ScenarioReader.read(file, List.of(), List.of());
  }

  private Tally count(double slowness, int from, int to) throws Exception {
    Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
    for (int seed = from; seed < to; seed++) {
      RegressReport report = compare(slowness, seed);
      verdicts.merge(report.regression().verdict(), 1, Integer::sum);
      if (Boolean.getBoolean("loud")) {
        report.regression().unlike().forEach(System.out::println);
        report.regression().metrics().forEach(one -> System.out.printf(
            "%d %s %s %.4f +- %.4f see %.4f p %.4f%n", report.baseRuns().getFirst().load().requests(), one.metric(), one.verdict(),
            one.effect().value(), one.effect().high() - one.effect().value(), one.couldSee(),
            one.chance()));
        System.out.println(report.regression().design());
      }
    }
    return new Tally(verdicts, to - from);
  }

  @Test
  @Tag("stress")
  void measure() throws Exception {
    int from = Integer.getInteger("from", 0);
    int to = Integer.getInteger("to", 4);
    long begin = System.nanoTime();
    System.out.println(
        System.getProperty("slow") + " " + count(Double.parseDouble(System.getProperty("slow", "1")), from, to)
            + " " + (System.nanoTime() - begin) / 1e9);
    assertThat(to).isPositive();
  }
}
