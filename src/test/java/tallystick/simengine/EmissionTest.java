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
    long outputs = 0;
    try (EmbeddedEngine engine = EmbeddedEngine.start(steady(), "127.0.0.1", 0)) {
      String body = streamed("\"prompt\":[9],\"max_tokens\":" + TOKENS);
      List<StreamingClient.Heard> all =
          new StreamingClient(engine.url()).together(Collections.nCopies(STREAMS, body));
      for (StreamingClient.Heard heard : all) {
        // Tokens that wait for a busy API server leave together: fewer outputs, none of them early.
        for (int output = 0; output < heard.eventNanos().length; output++) {
          assertThat(heard.eventNanos()[output] - heard.sentNanos())
              .isGreaterThanOrEqualTo((output + 1) * STEP_NANOS);
        }
        assertThat(heard.eventNanos()).hasSizeBetween(1, TOKENS);
        outputs += heard.eventNanos().length;
      }
      lateness = engine.lateness();
    }
    // An output is counted just after it has left: a client may have read the last one by then.
    assertThat(lateness.count()).isEqualTo(outputs);
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
