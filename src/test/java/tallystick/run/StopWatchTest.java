package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Scenario.StopRules;

/** Each rule of {@code stop_when}, just below its limit and at it. */
class StopWatchTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void theTimeEndsARun() {
    StopWatch watch = new StopWatch(new StopRules(0, 0, 0, 10 * SECOND));

    assertThat(watch.verdict(10 * SECOND - 1, 0)).isEmpty();
    assertThat(watch.verdict(10 * SECOND, 0)).hasValueSatisfying(words -> words.contains("time"));
  }

  @Test
  void aQueueEndsARunAndAnUnknownOneDoesNot() {
    StopWatch watch = new StopWatch(new StopRules(0, 0, 50, 0));

    assertThat(watch.verdict(SECOND, 49)).isEmpty();
    assertThat(watch.verdict(SECOND, Double.NaN)).isEmpty();
    assertThat(watch.verdict(SECOND, 50).orElseThrow())
        .isEqualTo("stop_when waiting: 50 requests wait, the limit is 50");
  }

  @Test
  void failuresEndARunOnceThereAreEnoughToTell() {
    StopWatch watch = new StopWatch(new StopRules(0.5, 0, 0, 0));
    for (int i = 1; i < StopRules.RECENT; i++) {
      watch.see(row(Outcome.HTTP_ERROR, 0));
      assertThat(watch.verdict(SECOND, 0)).isEmpty();
    }
    watch.see(row(Outcome.OK, SECOND));

    assertThat(watch.verdict(SECOND, 0).orElseThrow())
        .isEqualTo("stop_when error_share: 19 of the last 20 failed");
  }

  @Test
  void usersWhoLeaveAsPlannedAreNoFailures() {
    StopWatch watch = new StopWatch(new StopRules(0.1, 0, 0, 0));
    for (int i = 0; i < StopRules.RECENT - 1; i++) {
      watch.see(row(Outcome.CLIENT_CANCELLED, SECOND));
    }
    watch.see(row(Outcome.TIMED_OUT, 0));
    assertThat(watch.verdict(SECOND, 0)).isEmpty();

    watch.see(row(Outcome.TIMED_OUT, 0));
    assertThat(watch.verdict(SECOND, 0).orElseThrow())
        .isEqualTo("stop_when error_share: 2 of the last 20 failed");
  }

  @Test
  void failuresOfLongAgoEndNothing() {
    StopWatch watch = new StopWatch(new StopRules(0.5, 0, 0, 0));
    for (int i = 0; i < StopRules.RECENT; i++) {
      watch.see(row(Outcome.REFUSED, 0));
    }
    for (int i = 0; i < StopRules.RECENT / 2 + 1; i++) {
      watch.see(row(Outcome.OK, SECOND));
    }

    assertThat(watch.verdict(SECOND, 0)).isEmpty();
  }

  @Test
  void theMedianTtftFromTheIntendedStartEndsARun() {
    StopWatch watch = new StopWatch(new StopRules(0, 2 * SECOND, 0, 0));
    for (int i = 0; i < StopRules.RECENT; i++) {
      watch.see(row(Outcome.OK, i % 2 == 0 ? SECOND : 9 * SECOND));
    }
    assertThat(watch.verdict(SECOND, 0)).isEmpty();
    watch.see(row(Outcome.OK, 3 * SECOND));

    assertThat(watch.verdict(SECOND, 0).orElseThrow())
        .isEqualTo("stop_when ttft: the median of the last 20 is 3000 ms");
  }

  private static RequestRow row(Outcome outcome, long firstTokenNanos) {
    long[] arrivals = outcome == Outcome.OK ? new long[] {firstTokenNanos} : new long[0];
    return new RequestRow(
        0, "main", "default", 0, 0, "id", 8, 8,
        new RequestRow.Times(0, 0, -1, -1, 1, 2, 3, 10 * SECOND, RequestRow.NEVER),
        new RequestRow.Chunks(arrivals, new int[arrivals.length], 0), RequestRow.Usage.NONE,
        new RequestRow.Ending(outcome, 200, "", ""), RequestRow.EngineTimings.NONE);
  }
}
