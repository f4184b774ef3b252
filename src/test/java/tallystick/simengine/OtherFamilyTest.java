package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The simulated engine that names and counts as SGLang does. */
class OtherFamilyTest {
  private static final String ONE = "engine_type=\"unified\",model_name=\"tiny\"";

  @Test
  void tokensAreCountedWhenARequestFinishes() {
    EngineRun run = run(Map.of());
    run.submit(EngineRun.prompt(40, 1), 9);
    run.steps(5);
    assertThat(metric(run, "generation_tokens_total{" + ONE + "}")).isZero();
    assertThat(metric(run, "prompt_tokens_total{" + ONE + "}")).isZero();
    assertThat(metric(run, "inter_token_latency_seconds_count{" + ONE + "}")).isEqualTo(4);
    run.runToEnd();
    assertThat(metric(run, "generation_tokens_total{" + ONE + "}")).isEqualTo(9);
    assertThat(metric(run, "prompt_tokens_total{" + ONE + "}")).isEqualTo(40);
    String streaming = ONE.replace(",", ",is_streaming=\"true\",");
    assertThat(metric(run, "num_requests_total{" + streaming + "}")).isEqualTo(1);
  }

  @Test
  void aRequestThatIsLeftLeavesNoTokens() {
    EngineRun run = run(Map.of());
    Frontend.Request request = run.submit(EngineRun.prompt(40, 1), 200);
    run.steps(5);
    run.core.cancel(request);
    run.runToEnd();
    assertThat(metric(run, "num_aborted_requests_total{" + ONE + "}")).isEqualTo(1);
    assertThat(metric(run, "generation_tokens_total{" + ONE + "}")).isZero();
    assertThat(metric(run, "prompt_tokens_histogram_count{" + ONE + "}")).isZero();
  }

  @Test
  void severalTokensOfAStepAreAsManyGaps() {
    EngineRun run = run(Map.of("speculative-tokens", "2", "acceptance", "1"));
    run.submit(EngineRun.prompt(40, 1), 10);
    run.runToEnd();
    assertThat(metric(run, "inter_token_latency_seconds_count{" + ONE + "}")).isEqualTo(9);
  }

  @Test
  void itsSchedulerTellsEnginesApartWhereThereAreSeveralAndNothingTellsWhenItBegan() {
    assertThat(exposed(run(Map.of())))
        .doesNotContain("dp_rank", "_created", "vllm")
        .contains("sglang:num_running_reqs{" + ONE + "} 0.0");
    assertThat(exposed(run(Map.of("data-parallel-size", "2"))))
        .contains("sglang:num_running_reqs{dp_rank=\"1\"," + ONE + "} 0.0")
        .contains("sglang:generation_tokens_total{" + ONE + "} 0.0");
  }

  private static EngineRun run(Map<String, String> more) {
    Map<String, String> flags = new TreeMap<>(more);
    flags.put("family", "sglang");
    return new EngineRun(flags);
  }

  private static String exposed(EngineRun run) {
    return run.core.registry().snapshot().text();
  }

  private static double metric(EngineRun run, String series) {
    return exposed(run)
        .lines()
        .filter(line -> line.startsWith("sglang:" + series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }
}
