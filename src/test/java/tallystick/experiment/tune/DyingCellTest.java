package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.Journal;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.plan.Plan;
import tallystick.scenario.ScenarioReader;

/** Settings under which the engine ends in the middle of a run. */
class DyingCellTest {
  private static final Map<String, String> ENGINE = Map.of("profile", "invented-mid-gpu");

  @TempDir Path folder;

  private TuneExperiment tune(EngineProvider engines) throws IOException {
    Path file = folder.resolve("small.yaml");
    Files.writeString(
        file,
        """
        workload: {rate: 16, prompt_tokens: 100, output_tokens: 40}
        duration: 6s
        objectives: [{ttft: 500ms, share: 0.9}]
        """);
    return new TuneExperiment(
        ScenarioReader.read(file, List.of(), List.of()),
        new TuneExperiment.Asked(
            DesignSpace.of(List.of("max_num_seqs=2,4,32"), Map.of()),
            OptionalDouble.empty(),
            2,
            3,
            NonInferiorityMargins.of(List.of("itl_p99=50%")),
            new Budget(OptionalDouble.empty()),
            5),
        engines, List.of());
  }

  private Path begun(TuneExperiment tune, String name) throws IOException {
    Path here = Files.createDirectory(folder.resolve(name));
    Journal.begin(here, tune.identity());
    return here;
  }

  /** Every engine of one value runs out of memory under the load; it had ended the tuning. */
  @Test
  void aCellThatEndsItsEngineTwiceIsLeftOutAndSaid() throws Exception {
    TuneExperiment tune = tune(dying("2"));
    List<String> said = new ArrayList<>();

    TuneEnd end = run(tune, begun(tune, "dies"), said::add, () -> false).orElseThrow();

    assertThat(said).anyMatch(line -> line.matches(" +died twice: .*out of memory"));
    assertThat(SaidTuning.words(end))
        .contains("1 setting died under this load", " died");
    assertThat(end.verdict()).isInstanceOf(TuneAnswer.Compared.class);
  }

  @Test
  void todaysCellThatEndsItsEngineEndsTheTuning() throws Exception {
    TuneExperiment tune = tune(dying("4"));

    assertThatThrownBy(() -> run(tune, begun(tune, "dies"), line -> {}, () -> false))
        .isInstanceOf(EngineFailure.class)
        .hasMessageContaining("out of memory");
  }

  /** It lived through the blocks; it had ended the tuning without an answer. */
  @Test
  void aCellThatDiesInTheFreshPairsIsNotRecommended() throws Exception {
    TuneExperiment tune =
        tune(dying("32", "confirm"));

    TuneEnd end = run(tune, begun(tune, "late"), line -> {}, () -> false).orElseThrow();

    assertThat(SaidTuning.words(end))
        .contains("KEEP no setting is clearly better than today's 4 (likely)",
            "max_num_seqs=32 looked best, but its engine", "out of memory",
            "NEXT See why it ended in confirm/runs/");
    assertThat(end.verdict()).isInstanceOf(TuneAnswer.Died.class);
  }

  private static EngineProvider dying(String value) {
    return dying(value, "");
  }

  private static EngineProvider dying(String value, String where) {
    return (settings, salt) -> {
      TestBed bench = new PlantedWorld(ENGINE, false, 0.01, "no").with(settings, salt);
      return settings.containsValue(value) ? new Dying(bench, where) : bench;
    };
  }

  /**
   * An engine that ends in every run.
   *
   * @param where of such folders only
   */
  private record Dying(TestBed bench, String where) implements TestBed {
    @Override
    public OptionalDouble play(Plan plan, Path folder) throws IOException, InterruptedException {
      if (!folder.toString().contains(where)) {
        return bench.play(plan, folder);
      }
      Files.createDirectories(folder);
      throw new EngineFailure(EngineFailure.Moment.RUN, "out of memory");
    }

    @Override
    public String words() {
      return bench.words();
    }

    @Override
    public String fingerprint() {
      return bench.fingerprint();
    }

    @Override
    public boolean isRepeatable() {
      return bench.isRepeatable();
    }

    @Override
    public double overheadSeconds() {
      return bench.overheadSeconds();
    }
  }
}
