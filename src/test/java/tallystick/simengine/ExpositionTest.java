package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.NeedsProgram;

class ExpositionTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0.0",
    "1, 1.0",
    "2560, 2560.0",
    "0.075, 0.075",
    "0.9928057553956835, 0.9928057553956835",
    "4800008192, 4.800008192e+09",
    "1795219624.1209698, 1.7952196241209698e+09",
    "0.00004695999996329192, 4.695999996329192e-05",
    "1000000, 1e+06",
    "328.9812890230005, 328.9812890230005"
  })
  void writesNumbersAsPythonsClientDoes(double value, String expected) {
    assertThat(NumberText.of(value)).isEqualTo(expected);
  }

  @Test
  void announcesAFamilyThatHasNoSeriesYet() {
    String text =
        new ServerMetrics(EngineKind.VLLM, 1000).exposition(EngineRun.asRecorded().core.registry());
    assertThat(text).contains("# TYPE http_requests_total counter\n# HELP http_request_size");
  }

  @Test
  @NeedsProgram("promtool")
  void promtoolReadsIt() throws Exception {
    EngineRun run = EngineRun.asRecorded();
    run.submit(EngineRun.prompt(40, 1), 9);
    run.runToEnd();
    ServerMetrics server = new ServerMetrics(EngineKind.VLLM, 1000);
    server.answered("/v1/completions", "POST", 200, 0.1, 1001);
    Process promtool =
        new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true).start();
    promtool.getOutputStream().write(server.exposition(run.core.registry()).getBytes());
    promtool.getOutputStream().close();
    String said =
        new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor(20, TimeUnit.SECONDS)).isTrue();
    // 3 means that it was read but names are not as promtool likes them: vLLM's colons.
    assertThat(promtool.exitValue()).as(said).isIn(0, 3);
    assertThat(said).doesNotContain("error while linting");
  }
}
