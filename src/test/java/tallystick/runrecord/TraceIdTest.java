package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceIdTest {

  @Test
  void isWhatTheRuleGivesByAnotherHand() {
    // Computed with Python's integers from the rule in TraceId.of.
    assertThat(TraceId.of("run-1-0").hex()).isEqualTo("fd4a58e3f6538da965503c91a708c651");
  }

  @Test
  void theHeaderIsAW3cTraceparent() {
    assertThat(TraceId.of("run-1-0").traceparent())
        .isEqualTo("00-fd4a58e3f6538da965503c91a708c651-981a6472515b4bf9-01")
        .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
  }

  @Test
  void itsDigitsMeanItAgain() {
    TraceId trace = TraceId.of("steady-chat-20261121-032026-e64e-17");
    assertThat(TraceId.ofHex(trace.hex())).isEqualTo(trace);
    assertThatThrownBy(() -> TraceId.ofHex("abc")).hasMessageContaining("32");
    assertThatThrownBy(() -> TraceId.ofHex("x".repeat(32)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void neighbouringRequestsOfSeveralRunsHaveTracesOfTheirOwn() {
    Set<TraceId> seen = new HashSet<>();
    for (int run = 0; run < 20; run++) {
      for (int i = 0; i < 10_000; i++) {
        seen.add(TraceId.of("steady-chat-20261121-0320" + run + "-e64e-" + i));
      }
    }
    assertThat(seen).hasSize(200_000);
  }
}
