package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

class SpanWaitTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private final SpanWait wait = new SpanWait();

  @Test
  void missesTheSpanOfARequestThatEndedWell() {
    wait.see(row("run-1-0", Outcome.OK));
    assertThat(wait.missing()).isEqualTo(1);
    wait.see(span("run-1-0"));
    assertThat(wait.missing()).isZero();
  }

  @Test
  void aSpanMayComeBeforeItsRow() {
    wait.see(span("run-1-0"));
    wait.see(row("run-1-0", Outcome.OK));
    assertThat(wait.missing()).isZero();
  }

  @Test
  void nobodyWaitsForRequestsThatFailed() {
    wait.see(row("run-1-0", Outcome.TIMED_OUT));
    assertThat(wait.missing()).isZero();
  }

  @Test
  void aStrangersSpanFillsNoPlace() {
    wait.see(row("run-1-0", Outcome.OK));
    wait.see(span("run-2-0"));
    assertThat(wait.missing()).isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void theWaitEndsWithTheLastSpan() throws Exception {
    wait.see(row("run-1-0", Outcome.OK));
    Thread engine = new Thread(() -> wait.see(span("run-1-0")));
    engine.start();
    wait.await(LONG);
    engine.join();
    assertThat(wait.missing()).isZero();
  }

  @Test
  @Timeout(60)
  void theWaitEndsWithTheTimeToo() throws Exception {
    wait.see(row("run-1-0", Outcome.OK));
    wait.await(1_000_000);
    assertThat(wait.missing()).isEqualTo(1);
  }

  private static SpanRow span(String requestId) {
    return new SpanRow(TraceId.of(requestId), "01", 0, 0, 0, 0, 0, 0, 1, 1);
  }

  private static RequestRow row(String requestId, Outcome outcome) {
    return new RequestRow(
        0, "main", "default", 0, 0, requestId, 1, 1,
        new RequestRow.Times(0, 0, -1, -1, 0, 0, 0, 0, RequestRow.NEVER), RequestRow.Chunks.NONE,
        RequestRow.Usage.NONE, new RequestRow.Ending(outcome, 200, "", ""),
        RequestRow.EngineTimings.NONE);
  }
}
