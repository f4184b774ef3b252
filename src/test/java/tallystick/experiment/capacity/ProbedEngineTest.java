package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualReplay;

class ProbedEngineTest {
  private static final double SECOND = 1e9;

  /** Poisson arrivals, prompts of 20 to 3,000 tokens. */
  private static List<RequestRow> schedule() {
    SplittableRandom random = new SplittableRandom(21);
    List<RequestRow> rows = new ArrayList<>();
    double at = 0;
    for (int i = 0; i < 600; i++) {
      at -= Math.log(1 - random.nextDouble()) / 8;
      long nanos = Math.round(at * SECOND);
      int prompt = random.nextInt(20, 3000);
      int output = random.nextInt(1, 120);
      rows.add(
          new RequestRow(
              i, "main", "default", i, 0, "r" + i, prompt, output,
              new RequestRow.Times(nanos, nanos, -1, -1, nanos, nanos, nanos, nanos, -1),
              RequestRow.Chunks.NONE, new RequestRow.Usage(prompt, output, 0),
              new RequestRow.Ending(Outcome.OK, 200, "length", ""),
              RequestRow.EngineTimings.NONE));
    }
    return rows;
  }

  @ParameterizedTest
  @CsvSource({"512", "2048", "8192"})
  void theBatchThatNobodyToldIsReadFromTheSteps(int batch) {
    EngineSettings settings =
        EngineSettings.ofFlags(
            Map.of(
                "max-num-batched-tokens", Integer.toString(batch), "num-gpu-blocks-override",
                "8000"));
    List<RequestRow> rows = VirtualReplay.of(schedule(), settings, 100_000);
    MeasuredRun run = new MeasuredRun("probe", Map.of(), List.of(), List.of(rows), Map.of());

    ProbedEngine engine = ProbedEngine.of(run, 0).orElseThrow();

    assertThat(engine.batchedTokens()).isEqualTo(batch);
  }
}
