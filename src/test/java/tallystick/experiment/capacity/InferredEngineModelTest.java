package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualReplay;

class InferredEngineModelTest {
  @ParameterizedTest
  @CsvSource({"512", "2048", "8192"})
  void theBatchThatNobodyToldIsReadFromTheSteps(int batch) {
    EngineSettings settings =
        EngineSettings.ofFlags(
            Map.of(
                "max-num-batched-tokens", Integer.toString(batch), "num-gpu-blocks-override",
                "8000"));
    List<RequestRow> rows =
        VirtualReplay.of(StepQueueSimulatorTest.schedule(21, 8, 3000), settings, 100_000);
    MeasuredRun run = new MeasuredRun("probe", Map.of(), List.of(), List.of(rows), Map.of());

    InferredEngineModel engine = InferredEngineModel.of(run, 0).orElseThrow();

    assertThat(engine.batchedTokens()).isEqualTo(batch);
  }
}
