package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When outputs leave the engine: worked out ahead of a step's end, and never sent before it. */
class EmissionTest extends EngineOverHttp {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
  private static final int TOKENS = 8;
  private static final int STREAMS = 12;

  @Test
  void noTokenLeavesBeforeItsStepHasEnded() throws Exception {
    EmissionLateness lateness;
    try (EmbeddedEngine engine = EmbeddedEngine.start(steady(), "127.0.0.1", 0)) {
      String body = streamed("\"prompt\":[9],\"max_tokens\":" + TOKENS);
      List<StreamingClient.Heard> all =
          new StreamingClient(engine.url()).together(Collections.nCopies(STREAMS, body));
      for (StreamingClient.Heard heard : all) {
        // Outputs that wait for a busy machine leave as one event, as in vLLM: none of
        // them early. The last event is the end of the stream.
        for (int event = 0; event < heard.eventNanos().length - 1; event++) {
          assertThat(heard.eventNanos()[event] - heard.sentNanos())
              .isGreaterThanOrEqualTo((event + 1) * STEP_NANOS);
        }
        assertThat(heard.eventNanos()).hasSizeBetween(2, TOKENS + 1);
      }
      lateness = engine.lateness();
    }
    // An output is counted just after it has left: a client may have read the last one by then.
    assertThat(lateness.count()).isEqualTo((long) STREAMS * TOKENS);
    assertThat(lateness.quantileMillis(1)).isPositive();
  }

  /** Every step takes the same time, whatever is in it. */
  private static EngineSettings steady() {
    return EngineSettings.ofFlags(
            java.util.Map.of("data-parallel-size", "2", "end-token-share", "0"))
        .with(
            new StepTimeProfile(
                "steady", STEP_NANOS, 0, 0, 0, 0, StepTimeProfile.ApiServerTime.NONE, 0));
  }
}
