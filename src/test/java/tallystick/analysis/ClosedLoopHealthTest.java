package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.LoopShape;
import tallystick.runrecord.HarnessRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/** When a closed loop counts as saturated; docs/decisions/analysis-saturated-client.md. */
class ClosedLoopHealthTest {
  private static final long MILLI = 1_000_000L;
  private static final long EVERY = 5 * MILLI;

  private final MadeRun run = SmallRun.run(0, 0, row -> row);

  @BeforeEach
  void isAClosedLoop() {
    run.loop = LoopShape.CLOSED;
  }

  /** A hundred requests that follow an answer, so many of them late. */
  private void follow(int late, double seconds) {
    for (int i = 0; i < 100; i++) {
      run.requests.add(
          request(i, 10.1 + 0.5 * i).late(i < late ? seconds : 0.0004).build());
    }
  }

  private void wake(int late, long nanos) {
    run.harness.add(
        new HarnessRow.WakeUps(
            MadeRun.nanos(20),
            EVERY,
            IntStream.range(0, 200)
                .mapToObj(i -> i < late ? nanos : 60_000L)
                .toList()));
  }

  private List<String> evidence() {
    return run.analyze().findings().stream()
        .filter(finding -> finding.code() == Finding.Code.CLIENT_SATURATED)
        .flatMap(finding -> finding.evidence().stream())
        .toList();
  }

  @Test
  void usersWhoAskForATenthLessThanTheyWouldAreAnotherLoad() {
    follow(100, 0.3);
    assertThat(evidence().get(0))
        .startsWith("Users waited for the client 300.0 ms between answer and next request");
    assertThat(evidence()).contains("Not usable: the load: its users waited for the client");
  }

  /** They come together: what they waited for the client they may have waited for each other. */
  @Test
  void usersWhoFollowLateMayHaveMadeAMissedLimitLonger() {
    run.objectives.add(new Objective(Metric.TTFT, 0.095, 0.9, ""));
    follow(100, 0.012);
    assertThat(evidence())
        .containsExactly(
            "Users waited for the client 12.0 ms between answer and next request on average",
            "objective TTFT is missed (sure), and may not be without the client's own delay",
            "Not usable: the verdict on TTFT");
    run.objectives.set(0, new Objective(Metric.TTFT, 0.05, 0.9, ""));
    assertThat(evidence()).isEmpty();
  }

  /** The server had less to do for it: without the client's delay waits may have been longer. */
  @Test
  void usersWhoFollowLateMayHaveMadeAKeptLimitShorter() {
    run.objectives.add(new Objective(Metric.TTFT, 0.105, 0.9, ""));
    follow(100, 0.012);
    assertThat(evidence())
        .contains("objective TTFT is met (sure), and may not be without the client's own delay");
    run.objectives.set(0, new Objective(Metric.TTFT, 0.115, 0.9, ""));
    assertThat(evidence()).isEmpty();
  }

  /** A wide limit on waits beside it does not hide that late starts lengthen gaps. */
  @Test
  void lateStartsAreHeldAgainstATightLimitBesideAWideOne() {
    run.loop = LoopShape.OPEN;
    run.objectives.add(new Objective(Metric.TTFT, 5, 0.9, ""));
    run.objectives.add(new Objective(Metric.LARGEST_GAP, 0.08, 0.9, ""));
    for (int i = 0; i < 100; i++) {
      run.requests.add(request(i, 10.1 + 0.5 * i).late(0.05).gaps(0.1).build());
    }
    assertThat(evidence())
        .containsExactly(
            "P99 from the intended to the actual start is 50.0 ms, allowed are 8.0 ms",
            "objective largest gap is missed (sure), and may not be without the client's own delay",
            "Not usable: the verdict on largest gap");
    run.objectives.set(1, new Objective(Metric.LARGEST_GAP, 0.04, 0.9, ""));
    assertThat(evidence()).isEmpty();
  }

  @Test
  void aTurnaroundOfMillisecondsChangesNeitherLoadNorLatency() {
    follow(100, 0.006);
    assertThat(evidence()).isEmpty();
    assertThat(run.analyze().harness().turnaround().mean().orZero())
        .isCloseTo(0.006, org.assertj.core.api.Assertions.within(1e-9));
    double late = run.analyze().client().ttftFromIntended().mean().orZero();
    run.requests.clear();
    follow(0, 0);
    assertThat(run.analyze().client().ttftFromIntended().mean().orZero() - late)
        .isCloseTo(0, org.assertj.core.api.Assertions.within(1e-4));
  }

  @Test
  void tooFewForAPercentileAreNotJudged() {
    for (int i = 0; i < 40; i++) {
      run.requests.add(request(i, 10.1 + i).late(0.2).build());
    }
    assertThat(evidence()).isEmpty();
  }

  @Test
  void sleepersThatWakeLateSaturateItWithoutAStall() {
    follow(0, 0);
    wake(20, 6 * MILLI);
    assertThat(evidence().get(0))
        .isEqualTo("P95 of how late a sleeping thread woke is 6.0 ms, allowed are 5.0 ms");
    assertThat(evidence()).contains("Not usable: TTFT, E2E and ITL: stamps were late");
  }

  @Test
  void sleepersThatWakeAsLateAsAllowedDoNot() {
    follow(0, 0);
    wake(200, 5 * MILLI);
    assertThat(evidence()).isEmpty();
  }

  @Test
  void oneLongSleepCountsForEachWakeUpItSwallowed() {
    follow(0, 0);
    wake(1, 19 * MILLI);
    Distribution woke = run.analyze().harness().wakeUps();
    assertThat(woke.count()).isEqualTo(200 + 3);
    assertThat(woke.maximum()).isEqualTo(Figure.of(0.019));
    run.harness.removeIf(HarnessRow.WakeUps.class::isInstance);
    // Later than 5 ms are 10 of 200 sleeps, but 30 of the 230 wake-ups that were due.
    wake(10, 19 * MILLI);
    assertThat(evidence().get(0)).startsWith("P95 of how late a sleeping thread woke is 14.0 ms");
  }

  @Test
  void anObjectiveOfLongTimesAllowsATenthOfIt() {
    run.objectives.add(new Objective(Metric.TTFT, 0.2, 0.9, ""));
    follow(100, 0.004);
    wake(200, 19 * MILLI);
    assertThat(evidence()).isEmpty();
    wake(200, 21 * MILLI);
    assertThat(evidence().get(0)).endsWith("allowed are 20.0 ms");
  }

  @Test
  void anOpenLoopHasNoTurnaroundAndIsJudgedByWakeUpsToo() {
    run.loop = LoopShape.OPEN;
    follow(0, 0);
    wake(20, 6 * MILLI);
    assertThat(run.analyze().harness().turnaround().count()).isZero();
    assertThat(evidence().get(0)).startsWith("P95 of how late a sleeping thread woke");
  }

  @Test
  void usersThatBeginTogetherFollowNothingAndTheirLineIsNoWait() {
    for (int user = 0; user < 50; user++) {
      run.requests.add(request(user, 10).late(0.001 * user).build());
    }
    RunAnalysis run = this.run.analyze();
    assertThat(run.harness().turnaround().count()).isZero();
    assertThat(run.harness().lateness().count()).isEqualTo(50);
    assertThat(run.harness().saturated()).isFalse();
    assertThat(run.client().ttftFromIntended().maximum())
        .isEqualTo(run.client().ttftFromIntended().minimum());
  }

  @Test
  void firstRequestsThatAreTooFewForP99AreNotJudged() {
    for (int i = 0; i < 4; i++) {
      run.requests.add(request(i, 10).late(0.2).build());
    }
    for (int i = 4; i <= 400; i++) {
      run.requests.add(request(i, 10.1 + 0.125 * i).late(0.0004).build());
    }
    assertThat(evidence()).isEmpty();
  }

  @Test
  void anOpenLoopThatWritesLateIsSaturatedAlthoughItsGatesOpenInTime() {
    run.loop = LoopShape.OPEN;
    for (int i = 0; i < 100; i++) {
      run.requests.add(request(i, 10.1 + 0.5 * i).writtenAfter(i < 2 ? 0.0176 : 0.0003).build());
    }
    assertThat(evidence().get(0))
        .isEqualTo(
            "P99 from the intended start to the request written, without connecting, is 17.6 ms,"
                + " allowed are 5.0 ms");
  }

  @Test
  void aLongPromptThatTheNetworkTakesSlowlyIsNotTheClients() {
    run.loop = LoopShape.OPEN;
    for (int i = 0; i < 100; i++) {
      run.requests.add(
          request(i, 10.1 + 0.5 * i).planned(20_000, 4).writtenAfter(0.08).build());
    }
    assertThat(evidence()).isEmpty();
  }

  @Test
  void nothingIsSaidOfTheStreamsWhileTheClientStoodStill() {
    run.loop = LoopShape.OPEN;
    double[] together = new double[63];
    for (int i = 0; i < 40; i++) {
      run.requests.add(
          request(i, 10.1 + i).ttft(0.5).gaps(together).usage(10, 64).build());
    }
    assertThat(SmallRun.codes(run.analyze())).contains("fake_streaming");
    for (int i = 0; i < 40; i++) {
      run.harness.add(new HarnessRow.Stall(MadeRun.nanos(10.6 + i), 60 * MILLI));
    }
    assertThat(SmallRun.codes(run.analyze()))
        .contains("client_saturated")
        .doesNotContain("fake_streaming", "answers_at_once", "late_first_content");
    run.harness.removeIf(
        row -> row instanceof HarnessRow.Stall && row.atNanos() > MadeRun.nanos(15));
    assertThat(SmallRun.finding(run.analyze(), "fake_streaming").text()).contains("35 of 35");
  }
}
