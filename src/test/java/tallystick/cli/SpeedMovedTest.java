package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that becomes half as fast midway: a mean over both halves is a figure of neither. */
class SpeedMovedTest {
  private static final String OPEN = "{arrival: poisson, rate: 8, ";
  private static final String CLOSED = "{arrival: closed, concurrency: 8, ";

  @TempDir Path folder;

  private String screen(String load, String fault) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("halving.yaml"),
            "workload: " + load + "prompt_tokens: 300, output_tokens: 80}\n"
                + "duration: 100s\nobjectives: [{ttft: 500ms, share: 0.95}]\n");
    CommandRun run =
        CommandRun.of(
            "simulate", scenario.toString(), "--fault", fault, "--out",
            folder.resolve("out").toString());
    return run.output().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN, CLOSED})
  void itSaysWhenAndWhatEachHalfGave(String load) throws IOException {
    assertThat(screen(load, "slow:prefill=2,decode=2,at=50s,for=1000s"))
        .containsPattern(
            "WARNING The engine's speed moved about (4[5-9]|5[0-5]) s into the run"
                + " \\(00:0\\d:\\d\\d UTC\\): a token took [678]\\.\\d ms before and"
                + " 1[3-9]\\.\\d ms after, TTFT [\\d.]+ ms and [\\d.]+ ms\\.");
    // Nobody is told to run so much longer: that would settle nothing.
    assertThat(screen(load, "slow:prefill=2,decode=2,at=50s,for=1000s"))
        .doesNotContain("more would make it sure");
  }

  @Test
  void oneThatKeepsItsSpeedIsNotBlamed() throws IOException {
    assertThat(screen(OPEN, "slow:decode=1")).doesNotContain("speed moved");
  }
}
