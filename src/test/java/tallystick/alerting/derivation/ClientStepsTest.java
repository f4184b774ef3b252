package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective.Metric;
import tallystick.scenario.Objective;

/** The report and the alerts ask one judge whether a request was good. */
class ClientStepsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void aRequestItsClientLeftIsNotGoodForBeingShort() {
    RequestRow left = row(Outcome.CLIENT_CANCELLED, 3, 100, 110, 120);
    assertThat(goods(new Objective(Metric.E2E, 10, 0.9, ""), left)).isEmpty();
    assertThat(goods(new Objective(Metric.E2E, 0.05, 0.9, ""), left)).containsExactly(false);
    assertThat(goods(new Objective(Metric.LARGEST_GAP, 1, 0.9, ""), left)).isEmpty();
  }

  @Test
  void oneTokenHasNoTimePerOutputToken() {
    RequestRow one = row(Outcome.OK, 1, 100);
    assertThat(goods(new Objective(Metric.TPOT, 1, 0.9, ""), one)).isEmpty();
  }

  @Test
  void gapsOfAFailedRequestAreOneBadThing() {
    RequestRow cut = row(Outcome.CUT_MID_STREAM, 3, 100, 110, 120);
    assertThat(goods(new Objective(Metric.ITL, 1, 0.9, ""), cut)).containsExactly(false);
  }

  @Test
  void aRequestIsJudgedWhereTheEngineObservesIt() {
    RequestRow row = row(Outcome.OK, 3, 100, 110, 920);
    assertThat(moments(Metric.TTFT, row)).containsExactly(100L);
    assertThat(moments(Metric.E2E, row)).containsExactly(920L);
    assertThat(moments(Metric.TPOT, row)).containsExactly(920L);
    assertThat(moments(Metric.ITL, row)).containsExactly(110L, 920L);
    assertThat(moments(Metric.TTFT, row(Outcome.TIMED_OUT, 3, 100))).containsExactly(101L);
  }

  /** Limit 50 ms: since when a user whose request ended badly at last has suffered. */
  @Test
  void aUserSuffersFromTheMomentTheWaitPassesTheLimit() {
    RequestRow row = row(Outcome.OK, 3, 100, 110, 920);
    assertThat(waiting(Metric.TTFT, row)).isEqualTo(List.of(51L, 100L));
    assertThat(waiting(Metric.E2E, row)).isEqualTo(List.of(51L, 920L));
    assertThat(waiting(Metric.TPOT, row)).isEqualTo(List.of(201L, 920L));
    assertThat(waiting(Metric.ITL, row)).isEqualTo(List.of(161L, 920L));
    assertThat(waiting(Metric.LARGEST_GAP, row)).isEqualTo(List.of(161L, 920L));
    RequestRow never = row(Outcome.TIMED_OUT, 3, 100, 110, 900);
    assertThat(waiting(Metric.ITL, never)).isEqualTo(List.of(161L, 901L));
    RequestRow refused = row(Outcome.REFUSED, 3, 20);
    assertThat(waiting(Metric.TTFT, refused)).isEmpty();
  }

  /** The first and the last millisecond at which a request waits past 50 ms, unjudged. */
  private static List<Long> waiting(Metric metric, RequestRow row) {
    MemoryRun run = new MemoryRun();
    run.requests.add(row);
    ClientSteps.Step step =
        ClientSteps.of(run, new Objective(metric, 0.05, 0.9, "")).getFirst();
    List<Long> at = new ArrayList<>();
    for (long millis = 0; millis < 1000; millis++) {
      if (step.waiting(millis * MILLI) > 0) {
        at.add(millis);
      }
    }
    return at.isEmpty() ? at : List.of(at.getFirst(), at.getLast());
  }

  private static List<Long> moments(Metric metric, RequestRow row) {
    MemoryRun run = new MemoryRun();
    run.requests.add(row);
    List<Long> moments = new ArrayList<>();
    ClientSteps.of(run, new Objective(metric, 1, 0.9, ""))
        .forEach(step -> step.each((at, good) -> moments.add(at / MILLI)));
    return moments;
  }

  private static List<Boolean> goods(Objective objective, RequestRow row) {
    MemoryRun run = new MemoryRun();
    run.requests.add(row);
    List<Boolean> goods = new ArrayList<>();
    ClientSteps.of(run, objective).forEach(step -> step.each((at, good) -> goods.add(good)));
    List<Boolean> judged = new ArrayList<>();
    new ObjectiveReading(objective).judge(row, 1, (at, good) -> judged.add(good));
    assertThat(goods).as("alerts and report").isEqualTo(judged);
    return goods;
  }

  private static RequestRow row(Outcome outcome, int tokens, long... millis) {
    long[] arrivals = new long[millis.length];
    int[] perChunk = new int[millis.length];
    for (int i = 0; i < millis.length; i++) {
      arrivals[i] = millis[i] * MILLI;
      perChunk[i] = 1;
    }
    long end = arrivals[arrivals.length - 1] + MILLI;
    return new RequestRow(
        0, "main", "default", 0, 0, "id", 10, tokens,
        new RequestRow.Times(0, 0, RequestRow.NEVER, RequestRow.NEVER, 1, end - 2, end - 1, end,
            RequestRow.NEVER),
        new RequestRow.Chunks(arrivals, perChunk, 0),
        new RequestRow.Usage(10, tokens, RequestRow.UNKNOWN),
        new RequestRow.Ending(outcome, 200, "length", ""),
        RequestRow.EngineTimings.NONE);
  }
}
