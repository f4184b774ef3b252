package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** One request of each kind moves the same counts as on the real engine. */
class RecordedDeltasTest {

  @Test
  void abortAfterFiveTokensBooksFourGapsAndNoEnd() throws IOException {
    assertSameCounts(
        "abort after 5 chunks",
        run -> {},
        run -> {
          Frontend.Request request = run.submit(EngineRun.prompt(40, 1), 200);
          run.steps(5);
          run.core.cancel(request);
          run.runToEnd();
        });
  }

  @Test
  void aPromptSeenForTheFirstTimeIsComputedWhole() throws IOException {
    assertSameCounts("P130 first", run -> {}, run -> complete(run, 130, 4));
  }

  @Test
  void aRepeatedPromptIsFoundUpToItsLastFullBlock() throws IOException {
    assertSameCounts(
        "P130 repeat", run -> complete(run, 130, 4), run -> complete(run, 130, 4));
  }

  @Test
  void oneTokenGivesNoGapButADecodeTimeOfZero() throws IOException {
    assertSameCounts("max_tokens=1", run -> {}, run -> complete(run, 10, 1));
  }

  @Test
  void everyChoiceCountsItsPromptAndOnlyTheParentItsN() throws IOException {
    assertSameCounts(
        "2 prompts x n=2",
        run -> {},
        run -> {
          run.submit(EngineRun.prompt(10, 1), 3, 2, List.of());
          run.submit(EngineRun.prompt(10, 2), 3, 2, List.of());
          run.runToEnd();
        });
  }

  @Test
  void choicesOfALongPromptShareItInTheSameStep() throws IOException {
    EngineRun run = EngineRun.asRecorded();
    run.submit(EngineRun.prompt(130, 1), 2, 2, List.of());
    run.runToEnd();
    assertThat(run.metric("prefix_cache_hits_total")).isEqualTo(128);
    assertThat(run.metric("generation_tokens_total")).isEqualTo(4);
  }

  @Test
  void aChunkedPromptIsBookedWholeOnTheStepThatEmits() throws IOException {
    assertSameCounts(
        "P3000 chunked (budget 2048)", run -> {}, run -> complete(run, 3000, 4));
  }

  @Test
  void aStopStringEndsARequestAsStop() throws IOException {
    EngineRun probe = EngineRun.asRecorded();
    complete(probe, 40, 1);
    String first = probe.deliveries.getFirst().text();
    assertSameCounts(
        "stop string",
        run -> {},
        run -> {
          run.submit(EngineRun.prompt(40, 1), 200, 1, List.of(first.strip()));
          run.runToEnd();
        });
  }

  @Test
  void anAbortByTheEngineIsAnOutputWithoutAToken() throws IOException {
    assertSameCounts(
        "engine-side abort in decode (/pause?mode=abort)",
        run -> {},
        run -> {
          run.submit(EngineRun.prompt(40, 1), 3000);
          run.steps(82);
          run.core.abortAll(run.nowNanos + 5);
          run.runToEnd();
        });
  }

  @Test
  void anAbortByTheEngineOfAWaitingRequestIsAPhantomFirstToken() throws IOException {
    EngineRun run = EngineRun.asRecorded();
    run.submit(EngineRun.prompt(40, 1), 5);
    run.core.abortAll(3_000_000_000L);
    assertThat(run.metric("request_prefill_time_seconds_sum")).isEqualTo(3.0);
    assertThat(run.metric("request_inference_time_seconds_sum")).isEqualTo(3.0);
    assertThat(run.metric("request_queue_time_seconds_sum")).isZero();
    assertSameCounts(
        "engine-side abort while WAITING",
        fresh -> {},
        fresh -> {
          fresh.submit(EngineRun.prompt(40, 1), 5);
          fresh.core.abortAll(3_000_000_000L);
          fresh.runToEnd();
        });
  }

  @Test
  void aClientThatLeavesWhileWaitingChangesNothing() throws IOException {
    assertSameCounts(
        "client left while WAITING, then resume",
        run -> {},
        run -> {
          run.core.cancel(run.submit(EngineRun.prompt(40, 1), 5));
          run.runToEnd();
        });
  }

  @Test
  void threeEqualPromptsInOneStepAreComputedOnce() {
    EngineRun run = EngineRun.asRecorded();
    for (int i = 0; i < 3; i++) {
      run.submit(EngineRun.prompt(200, 1), 2);
    }
    run.step();
    assertThat(run.metric("prefix_cache_hits_total")).isEqualTo(2 * 192);
    assertThat(run.metric("iteration_tokens_total_sum")).isEqualTo(200 + 8 + 8 + 3);
  }

  private static void complete(EngineRun run, int promptTokens, int maxTokens) {
    run.submit(EngineRun.prompt(promptTokens, 1), maxTokens);
    run.runToEnd();
  }

  private static void assertSameCounts(
      String recorded, Consumer<EngineRun> before, Consumer<EngineRun> act) throws IOException {
    EngineRun run = EngineRun.asRecorded();
    before.accept(run);
    Map<String, Double> then = run.metrics();
    act.accept(run);
    Map<String, Double> moved = new TreeMap<>();
    run.metrics()
        .forEach(
            (name, value) -> {
              double delta = value - then.getOrDefault(name, 0.0);
              if (delta != 0 && isCount(name)) {
                moved.put(name, delta);
              }
            });
    assertThat(moved).isEqualTo(recorded(recorded));
  }

  private static Map<String, Double> recorded(String name) throws IOException {
    try (InputStream in =
        RecordedDeltasTest.class.getResourceAsStream("/simengine/deltas.json")) {
      JsonNode deltas = Json.MAPPER.readTree(in).path("cases").path(name);
      Map<String, Double> expected = new TreeMap<>();
      deltas.properties().stream()
          .filter(delta -> isCount(delta.getKey()))
          .forEach(delta -> expected.put(delta.getKey(), delta.getValue().asDouble()));
      return expected;
    }
  }

  /** Sums of times differ between machines; block lifetimes depend on what came before. */
  private static boolean isCount(String name) {
    return !name.endsWith("_seconds_sum") && !name.contains("kv_block_");
  }
}
