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
  void requestsThatFollowTheirAnswersLateSaturateIt() {
    follow(6, 0.0051);
    assertThat(evidence())
        .containsExactly(
            "P95 of the start after the answer before it is 5.1 ms, allowed are 5.0 ms",
            "Spoiled: the load: its users waited for the client;"
                + " TTFT and E2E from the intended start, and objectives on them");
  }

  @Test
  void aFewLateOnesOrAllWithinTheLimitDoNot() {
    follow(5, 0.5);
    assertThat(evidence()).isEmpty();
    run.requests.clear();
    follow(100, 0.0049);
    assertThat(evidence()).isEmpty();
  }

  @Test
  void tooFewForAPercentileAreNotJudged() {
    for (int i = 0; i < 40; i++) {
      run.requests.add(request(i, 10.1 + i).late(0.02).build());
    }
    assertThat(evidence()).isEmpty();
  }

  @Test
  void sleepersThatWakeLateSaturateItWithoutAStall() {
    follow(0, 0);
    wake(20, 6 * MILLI);
    assertThat(evidence().get(0))
        .isEqualTo("P95 of how late a sleeping thread woke is 6.0 ms, allowed are 5.0 ms");
    assertThat(evidence()).contains("Spoiled: TTFT, E2E and ITL: stamps were late");
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
    follow(100, 0.019);
    wake(200, 19 * MILLI);
    assertThat(evidence()).isEmpty();
    run.requests.clear();
    follow(100, 0.021);
    assertThat(evidence().get(0)).endsWith("is 21.0 ms, allowed are 20.0 ms");
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
  void usersThatBeginTogetherFollowNothingButTheirLineIsJudged() {
    for (int user = 0; user < 50; user++) {
      run.requests.add(request(user, 10).late(0.001 * user).build());
    }
    RunAnalysis.HarnessHealth health = run.analyze().harness();
    assertThat(health.turnaround().count()).isZero();
    assertThat(health.lateness().count()).isEqualTo(50);
    assertThat(health.saturated()).isFalse();
    for (int i = 50; i < 450; i++) {
      run.requests.add(request(i, 5.1 + 0.125 * i).late(0.0004).build());
    }
    assertThat(evidence().get(0))
        .isEqualTo(
            "From the intended start to the request written, connecting left out, among the"
                + " users' first requests P99 of all is 45.1 ms, allowed are 5.0 ms");
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
            "From the intended start to the request written, connecting left out, P99 is 17.6 ms,"
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
