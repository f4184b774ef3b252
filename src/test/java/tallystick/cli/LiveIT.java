package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main job against a real vLLM of 140 KV blocks of 32 tokens and 64 sequences, whose base URL
 * is in {@code TALLY_LIVE_URL}; src/test/sh/real-vllm.sh starts one.
 */
@Tag("live")
class LiveIT {
  private static final List<String> EXACT = List.of("R1", "R2", "R3", "R4", "R5", "R6", "R7");

  /** A busy machine makes the client late (4), which says nothing of joining spans. */
  private static final List<Integer> LATE_OR_NOT = List.of(0, 1, 4);

  @TempDir Path folder;

  @Test
  void aRealEnginePreemptsAndTheLedgerClosesExactly() throws Exception {
    JsonNode analysis = run("scenarios/kv-pressure.yaml");

    assertThat(analysis.at("/engine/counters/vllm:num_preemptions_total").asLong()).isPositive();
    assertReconciledExactly(analysis);
    assertThat(analysis.at("/counts/completion_tokens").asLong())
        .isEqualTo(analysis.at("/engine/counters/vllm:generation_tokens_total").asLong());
  }

  @Test
  void chatPromptsHaveTheirExactLengthOnARealTokenizer() throws Exception {
    JsonNode analysis =
        run("scenarios/steady-chat.yaml", "--set", "duration=10s", "--set", "workload.rate=2");

    assertReconciledExactly(analysis);
    assertThat(CommandRun.row(analysis, "R3").path("status").asText()).isEqualTo("exact");
  }

  /** Of an engine started with {@code --otlp-traces-endpoint http://127.0.0.1:4318/v1/traces}. */
  @Test
  void spansAndHistogramsOfARealEngineAgreeWithinAMillisecond() throws Exception {
    JsonNode traces =
        run(
                LATE_OR_NOT,
                "scenarios/steady-chat.yaml",
                "--set", "duration=15s", "--otlp-port", "4318")
            .path("traces");

    assertThat(traces.path("joined").asInt()).isPositive();
    assertThat(traces.path("joined")).isEqualTo(traces.path("requests"));
    for (JsonNode part : traces.path("parts")) {
      // A missing difference is an object and not a number.
      assertThat(part.path("difference").isNumber()).as(part.toString()).isTrue();
      assertThat(Math.abs(part.path("difference").asDouble())).isLessThan(0.001);
    }
  }

  private static void assertReconciledExactly(JsonNode analysis) {
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    for (String id : EXACT) {
      assertThat(CommandRun.row(analysis, id).path("status").asText()).as(id).isEqualTo("exact");
    }
  }

  private JsonNode run(String scenario, String... more) throws Exception {
    return run(List.of(0, 1, 5), scenario, more);
  }

  private JsonNode run(List<Integer> codes, String scenario, String... more) throws Exception {
    String url = System.getenv("TALLY_LIVE_URL");
    assertThat(url).as("TALLY_LIVE_URL must hold the base URL of a real vLLM").isNotBlank();
    String[] arguments = new String[6 + more.length];
    List<String> first = List.of("run", scenario, "--target", url, "--out", folder.toString());
    System.arraycopy(first.toArray(), 0, arguments, 0, 6);
    System.arraycopy(more, 0, arguments, 6, more.length);
    CommandRun ran = CommandRun.of(arguments);
    assertThat(ran.code()).as(ran.output()).isIn(codes);
    return CommandRun.analysis(folder);
  }
}
