package tallystick.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.backtest.UserStretches.Stretch;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** Windows of 30 s and 300 requests, counted by hand, for a target of 99 %. */
class UserStretchesTest {
  private static final long WINDOW = 30_000;
  private static final long START = 7_000;
  private static final long NANOS = 1_000_000;
  private static final int WELL = 0;
  private static final int DOUBTFUL = 4;
  private static final int VIOLATED = 30;

  /** Bad requests of each window, in steps of so many windows. */
  private static UserStretches of(boolean isWarmUpGood, int[]... steps) {
    List<ClientCounts.Count> counts = new ArrayList<>();
    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase("warmup", true, 0, 1, 0));
    for (int[] step : steps) {
      long from = counts.size() * WINDOW * NANOS;
      for (int bad : step) {
        counts.add(new ClientCounts.Count(300, 300 - bad));
      }
      String name = "step-" + phases.size();
      phases.add(new Phase(name, false, from, counts.size() * WINDOW * NANOS, 10));
    }
    return UserStretches.of(
        new ClientCounts(START, WINDOW, counts), phases, 0.99, isWarmUpGood);
  }

  private static int[] windows(int count, int bad) {
    int[] windows = new int[count];
    java.util.Arrays.fill(windows, bad);
    return windows;
  }

  private static Stretch stretch(int from, int to, int bad, boolean first) {
    int count = 300 * (to - from);
    return new Stretch(START + from * WINDOW, START + to * WINDOW, count, count - bad, first);
  }

  @Test
  void healthySideBySideIsOneStretchUntilFiveMinutesBeforeSuffering() {
    UserStretches users =
        of(true, windows(16, WELL), windows(16, WELL), windows(8, VIOLATED), windows(16, WELL));
    // The first violated window ends at 33 windows; five minutes before it is window 23.
    assertThat(users.healthy())
        .containsExactly(stretch(0, 23, 0, true), stretch(40, 56, 0, false));
    assertThat(users.suffering()).containsExactly(stretch(32, 40, 240, false));
  }

  @Test
  void aStepThatProvesNothingIsNeither() {
    UserStretches users = of(true, windows(4, WELL), windows(16, DOUBTFUL), windows(4, WELL));
    assertThat(users.healthy()).containsExactly(stretch(0, 4, 0, true), stretch(20, 24, 0, false));
    assertThat(users.suffering()).isEmpty();
  }

  @Test
  void oneViolatedWindowIsNoSufferingThatAnAlertIsBoundTo() {
    int[] chance = windows(30, WELL);
    chance[20] = 12;
    UserStretches users = of(true, chance);
    assertThat(users.suffering()).isEmpty();
    assertThat(users.healthy())
        .containsExactly(stretch(0, 11, 0, true), stretch(21, 30, 0, false));
  }

  @Test
  void aStepThatIsViolatedAsAWholeIsSufferingFromItsFirstViolatedWindowToItsLast() {
    int[] scattered = windows(12, DOUBTFUL);
    scattered[2] = VIOLATED;
    scattered[9] = VIOLATED;
    UserStretches users = of(true, windows(4, WELL), scattered);
    assertThat(users.suffering()).containsExactly(stretch(6, 14, 84, false));
    assertThat(users.healthy()).isEmpty();
  }

  @Test
  void theRunDoesNotBeginHealthyAfterABadWarmUp() {
    assertThat(of(false, windows(16, WELL)).healthy())
        .containsExactly(stretch(0, 16, 0, false));
  }

  /** Four requests a second; from 0:47 to 5:14 the engine stands still. */
  private static List<Stretch> sufferingInAHang(Outcome behind) {
    MemoryRun run = new MemoryRun();
    run.phases.set(0, new Phase("main", false, 0, 330 * MemoryRun.SECOND, 4));
    run.harness.add(new HarnessRow.Mark(0, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
    for (int i = 0; i < 4 * 330; i++) {
      long start = i * MemoryRun.SECOND / 4;
      boolean isStuck = start >= 47 * MemoryRun.SECOND && start < 314 * MemoryRun.SECOND;
      boolean isAnswered = !isStuck || behind == Outcome.OK;
      long end = (isAnswered ? 314 : 400) * MemoryRun.SECOND;
      long seen = isStuck ? end : start + MemoryRun.SECOND / 10;
      run.requests.add(
          new RequestRow(
              i, "main", "default", 0, 0, "r" + i, 10, 1,
              new RequestRow.Times(start, start, -1, -1, start, seen, seen, seen, -1),
              isAnswered
                  ? new RequestRow.Chunks(new long[] {seen}, new int[] {1}, 0)
                  : RequestRow.Chunks.NONE,
              RequestRow.Usage.NONE,
              new RequestRow.Ending(isAnswered ? Outcome.OK : behind, 0, "", ""),
              RequestRow.EngineTimings.NONE));
    }
    Objective objective = new Objective(Objective.Metric.TTFT, 0.25, 0.99, "");
    return UserStretches.of(run, objective).suffering();
  }

  @Test
  void aHangIsSufferingWhileItLastsAnsweredOrNot() {
    Stretch answered = sufferingInAHang(Outcome.OK).getFirst();
    assertThat(answered.fromMillis()).isEqualTo(30_000);
    assertThat(answered.toMillis()).isEqualTo(330_000);
    // The last of them waits for just as long as it may.
    assertThat(answered.observed() - answered.good()).isEqualTo(4 * 267 - 1);
    Stretch never = sufferingInAHang(Outcome.TIMED_OUT).getFirst();
    assertThat(never.fromMillis()).isEqualTo(30_000);
    assertThat(never.toMillis()).isEqualTo(330_000);
    assertThat(never.observed() - never.good()).isEqualTo(4 * 267);
  }
}
