package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.MadeRuns;

/** Four cells, the second one is today's; a cell's TTFT P95 tells how good it is. */
class PredictedGridTest {
  private static final DesignSpace GRID =
      DesignSpace.of(List.of("max_num_seqs=8,16,32,64"), Map.of("max_num_seqs", "16"));

  private static ComparedRun run(double ttft) {
    ComparedRun run = MadeRuns.run(1, ttft, Map.of(), List.of());
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(), run.missing(),
        run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(),
        Map.of("preemptions per request", 0.0), run.doubts());
  }

  /** The same in all three plays, but for the last cell. */
  private static PredictedGrid forecast(double lastWhereSlower) {
    List<List<ComparedRun>> plays = new ArrayList<>();
    for (double last : new double[] {0.7, 0.7, lastWhereSlower}) {
      plays.add(List.of(run(0.9), run(0.5), run(0.52), run(last)));
    }
    return new PredictedGrid(GRID, 0.9, plays);
  }

  private static BlockMeasurements measured(double now, double check) {
    List<TunedRun> runs = new ArrayList<>();
    runs.add(played(1, now));
    runs.add(played(forecast(0.7).check().orElseThrow(), check));
    return new BlockMeasurements(runs, List.of(1), 1);
  }

  private static TunedRun played(int cell, double ttft) {
    return new TunedRun(
        new TunedRun.Step(1, 1, 0, cell, 1, 1), 10, List.of(run(ttft)), List.of(), "", false);
  }

  @Test
  void whatIsWorseInEveryPlayIsLeftOutButForOneCheck() {
    PredictedGrid forecast = forecast(0.7);

    assertThat(forecast.worse()).containsOnlyKeys(0, 3);
    assertThat(forecast.worse().get(0)).isEqualTo("16 is predicted to be better");
    assertThat(forecast.check()).contains(0);
    assertThat(forecast.leftOut()).containsExactly(3);
  }

  @Test
  void whatIsAsGoodInOnePlayIsMeasured() {
    assertThat(forecast(0.5).worse()).containsOnlyKeys(0);
    assertThat(forecast(0.5).leftOut()).isEmpty();
  }

  @Test
  void nothingIsLeftOutWithoutAProfile() {
    assertThat(new PredictedGrid(GRID, 0.9, List.of()).worse()).isEmpty();
    assertThat(new PredictedGrid(GRID, 0.9, List.of()).leftOut()).isEmpty();
  }

  @Test
  void theCheckCellOrTodaysBetraysAWrongProfile() {
    assertThat(forecast(0.7).betrayal(measured(0.5, 0.95))).isEmpty();
    assertThat(forecast(0.7).betrayal(measured(0.5, 0.5)).orElseThrow())
        .isEqualTo("8 has ITL P99 50.0 ms, predicted 90.0 ms");
    assertThat(forecast(0.7).betrayal(measured(0.6, 0.9)).orElseThrow()).startsWith("16 has");
    assertThat(
            forecast(0.7).betrayal(new BlockMeasurements(List.of(played(1, 0.5)), List.of(1), 1)))
        .contains("8 could not be measured");
  }
}
