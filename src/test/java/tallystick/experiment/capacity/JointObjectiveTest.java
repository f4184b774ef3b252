package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

class JointObjectiveTest {
  private static final long MILLI = 1_000_000;
  private static final JointObjective CHAT =
      JointObjective.of(
          List.of(
              new Objective(Metric.TTFT, 0.25, 0.99, ""),
              new Objective(Metric.TPOT, 0.03, 0.99, "")),
          OptionalDouble.empty());

  /** A request whose tokens came at these milliseconds after its start. */
  private static RequestRow row(Outcome outcome, String requestClass, long... arrivals) {
    long[] nanos = new long[arrivals.length];
    int[] tokens = new int[arrivals.length];
    for (int i = 0; i < arrivals.length; i++) {
      nanos[i] = arrivals[i] * MILLI;
      tokens[i] = 1;
    }
    long end = arrivals.length == 0 ? MILLI : nanos[nanos.length - 1];
    return new RequestRow(
        0, "main", requestClass, 0, 0, "r", 10, 10,
        new RequestRow.Times(0, 0, -1, -1, 0, 0, 0, end, -1),
        new RequestRow.Chunks(nanos, tokens, 0),
        new RequestRow.Usage(10, arrivals.length, 0),
        new RequestRow.Ending(outcome, 200, "length", ""), RequestRow.EngineTimings.NONE);
  }

  private static RequestRow ok(long... arrivals) {
    return row(Outcome.OK, "default", arrivals);
  }

  @Test
  void aRequestIsGoodThatKeepsEveryLimit() {
    assertThat(CHAT.judge(ok(250, 280, 310), 1, true)).contains(true);
    assertThat(CHAT.judge(ok(251, 280, 310), 1, true)).contains(false);
    assertThat(CHAT.judge(ok(100, 131, 162), 1, true)).contains(false);
  }

  /** {@code vllm bench serve} gives an answer of one token a TPOT of 0. */
  @Test
  void anAnswerOfOneTokenKeepsItsTpot() {
    assertThat(CHAT.judge(ok(100), 1, true)).contains(true);
  }

  @Test
  void aFailedRequestIsBadWhateverItStreamed() {
    assertThat(CHAT.judge(row(Outcome.CUT_MID_STREAM, "default", 100, 110), 1, true))
        .contains(false);
    assertThat(CHAT.judge(row(Outcome.HTTP_ERROR, "default"), 1, true)).contains(false);
  }

  @Test
  void nobodyCanTellOfAClientThatLeftInTime() {
    assertThat(CHAT.judge(row(Outcome.CLIENT_CANCELLED, "default", 100, 110), 1, true)).isEmpty();
    assertThat(CHAT.judge(row(Outcome.CLIENT_CANCELLED, "default", 300, 310), 1, true))
        .contains(false);
  }

  @Test
  void aRequestNoLimitIsMeantForIsNotJudged() {
    JointObjective ofChat =
        JointObjective.of(
            List.of(new Objective(Metric.TTFT, 0.25, 0.99, "chat")), OptionalDouble.empty());

    assertThat(ofChat.judge(row(Outcome.HTTP_ERROR, "batch"), 1, true)).isEmpty();
    assertThat(ofChat.judge(row(Outcome.OK, "chat", 100), 1, true)).contains(true);
  }

  @Test
  void sharesMustAgreeOrOneBeGiven() {
    List<Objective> two =
        List.of(
            new Objective(Metric.TTFT, 0.25, 0.99, ""), new Objective(Metric.E2E, 2, 0.95, ""));

    assertThatThrownBy(() -> JointObjective.of(two, OptionalDouble.empty()))
        .hasMessageContaining("shares of [0.99, 0.95]");
    assertThat(JointObjective.of(two, OptionalDouble.of(0.9)).words())
        .isEqualTo("TTFT <= 250 ms and E2E <= 2 s for 90 %");
  }

  @Test
  void gapsAndNothingAreNoJointObjective() {
    assertThatThrownBy(() -> JointObjective.of(List.of(), OptionalDouble.empty()))
        .hasMessageContaining("no objective");
    assertThatThrownBy(
            () ->
                JointObjective.of(
                    List.of(new Objective(Metric.ITL, 0.1, 0.99, "")), OptionalDouble.empty()))
        .hasMessageContaining("tpot or largest_gap");
  }
}
