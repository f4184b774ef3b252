package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.Journal;
import tallystick.experiment.PlanVariant;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.FiguresReading;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/** Tunes simulated engines whose true front is told by many more runs under other seeds. */
class TuneGoalsTest {
  private static final double NOISE = 0.02;
  private static final int TRUE_BLOCKS = Integer.getInteger("blocks", 6);

  @TempDir Path folder;

  /**
   * An engine, a load and a grid.
   *
   * @param seed of the tuning
   */
  private record World(int seed, Scenario scenario, PlantedWorld engines, DesignSpace grid) {}

  private World world(int seed, boolean isNull) throws IOException {
    Random random = new Random(seed);
    String load =
        isNull && seed % 2 == 0
            ? "arrival: closed, concurrency: " + (8 + random.nextInt(16))
            : String.format(Locale.ROOT, "rate: %.3g", 5 * Math.exp(1.4 * random.nextDouble()));
    Path file = folder.resolve("world-" + seed + ".yaml");
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            """
            workload: {%s, prompt_tokens: {lognormal: {median: %d, sigma: 0.4, min: 16, max: 900}},
              output_tokens: {lognormal: {median: %d, sigma: 0.4, min: 8, max: 200}}}
            duration: 30s
            warmup: {requests: 8}
            objectives: [{ttft: %s, share: 0.9}]
            """,
            load,
            200 + random.nextInt(300),
            40 + random.nextInt(40),
            List.of("400ms", "800ms", "2s").get(random.nextInt(3))));
    Map<String, String> flags =
        random.nextInt(3) == 0
            ? Map.of(
                "profile", "invented-mid-gpu", "num-gpu-blocks-override", "600",
                "max-model-len", "2048")
            : Map.of("profile", "invented-mid-gpu");
    return new World(
        seed, ScenarioReader.read(file, List.of(), List.of()),
        new PlantedWorld(flags, isNull, NOISE, "no"),
        DesignSpace.of(
            List.of(
                List.of("max_num_seqs=8,16,64", "max_num_seqs=4,12,32").get(random.nextInt(2)),
                "max_num_batched_tokens=256,1024,4096"),
            Map.of()));
  }

  private TuneEnd tune(World world) throws IOException, InterruptedException {
    TuneExperiment tune =
        new TuneExperiment(
            world.scenario(),
            new TuneExperiment.Asked(
                world.grid(), OptionalDouble.empty(), 3, 5, NonInferiorityMargins.usual(),
                new Budget(OptionalDouble.empty()), world.seed()),
            world.engines(), List.of());
    Path here = Files.createDirectory(folder.resolve("tune-" + world.seed()));
    Journal.begin(here, tune.identity());
    return run(tune, here, line -> {}, () -> false).orElseThrow();
  }

  /** Means of many runs of every cell. */
  private double[][] truth(World world) throws IOException, InterruptedException {
    double[][] means = new double[world.grid().cells().size()][TunedMetric.values().length + 1];
    for (Configuration cell : world.grid().cells()) {
      for (int block = 1; block <= TRUE_BLOCKS; block++) {
        TestBed bench = world.engines().with(cell.settings(), 777 + 31 * cell.number());
        RunPlayer player = new RunPlayer(bench, folder.resolve("truth"));
        Scenario of = world.scenario();
        ComparedRun run =
            player
                .read(
                    new PlanVariant(
                            of.workload(), of.extent(), 1_000_000L + 1_000 * world.seed() + block,
                            of.stop(), of.labels())
                        .plan(of),
                    "run", played -> FiguresReading.analyze(played.record()))
                .orElseThrow();
        for (TunedMetric response : TunedMetric.values()) {
          means[cell.number()][response.ordinal()] += response.cost(run) / TRUE_BLOCKS;
        }
        means[cell.number()][TunedMetric.values().length] +=
            TunedMetric.goodShare(run) / TRUE_BLOCKS;
      }
    }
    return means;
  }

  private static boolean[] front(double[][] truth) {
    double[] tolerance =
        IntStream.range(0, TunedMetric.values().length)
            .mapToDouble(i -> TunedMetric.values()[i].tolerance())
            .toArray();
    boolean[] allowed = new boolean[truth.length];
    double[][] costs = new double[truth.length][];
    for (int cell = 0; cell < truth.length; cell++) {
      costs[cell] = java.util.Arrays.copyOf(truth[cell], TunedMetric.values().length);
      allowed[cell] = truth[cell][TunedMetric.values().length] >= 0.9;
    }
    return ParetoFront.of(costs, tolerance, allowed);
  }

  /** What a report claims that is not so. */
  private static List<String> wrong(World world, TuneEnd end, double[][] truth) {
    boolean[] onFront = front(truth);
    List<String> wrong = new ArrayList<>();
    for (Configuration cell : world.grid().cells()) {
      ConfigurationStatus standing = end.screening().standing(cell.number());
      boolean isWrong =
          standing.kind() != ConfigurationStatus.Kind.OPEN
              && (standing.kind() == ConfigurationStatus.Kind.ON_FRONT) != onFront[cell.number()];
      if (isWrong) {
        wrong.add(cell.words() + " is not " + standing);
      }
    }
    if (end.verdict() instanceof TuneAnswer.Compared earned && earned.confirmation().isBetter()) {
      double[] best = truth[earned.confirmation().cell().number()];
      double[] now = truth[world.grid().current().number()];
      int share = TunedMetric.values().length;
      // A worse metric is guarded only where today's setting keeps the objectives, else told.
      boolean isGuarded = !earned.confirmation().baseFails();
      boolean isWorse = best[1] - now[1] > Math.log(1.06) || best[2] - now[2] > Math.log(1.06);
      boolean isWrong =
          now[0] - best[0] <= 0.01 || best[share] < 0.9
              || (isGuarded ? isWorse : now[share] >= 0.9);
      if (isWrong) {
        wrong.add("recommended " + earned.confirmation());
      }
    }
    return wrong;
  }

  @Test
  @Tag("stress")
  void noFrontAndNoRecommendationIsWrong() throws Exception {
    int first = Integer.getInteger("first", 9_000);
    int worlds = Integer.getInteger("worlds", 2);
    for (int seed = first; seed < first + worlds; seed++) {
      World world = world(seed, false);
      TuneEnd end = tune(world);
      List<String> faults = wrong(world, end, truth(world));
      assertThat(faults).as("world " + seed + "\n" + SaidTuning.screen(end)).isEmpty();
    }
  }

  @Test
  @Tag("stress")
  void whereSettingsChangeNothingNoneIsRecommended() throws Exception {
    int first = Integer.getInteger("first", 9_500);
    int worlds = Integer.getInteger("worlds", 2);
    int recommended = 0;
    for (int seed = first; seed < first + worlds; seed++) {
      TuneEnd end = tune(world(seed, true));
      recommended += end.verdict() instanceof TuneAnswer.Compared one
          && one.confirmation().isBetter() ? 1 : 0;
    }
    assertThat(recommended).isZero();
  }
}
