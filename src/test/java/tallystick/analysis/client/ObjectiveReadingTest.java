package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/** Limits that one request must keep all together. */
class ObjectiveReadingTest {
  private static final long MILLI = 1_000_000;
  private static final List<Objective> CHAT =
      List.of(
          new Objective(Metric.TTFT, 0.25, 0.99, ""), new Objective(Metric.TPOT, 0.03, 0.99, ""));

  /** Good, bad, or nobody can tell. */
  private static Optional<Boolean> judge(List<Objective> limits, RequestRow row, int choices) {
    List<Boolean> verdicts = new ArrayList<>();
    ObjectiveReading.ofAll(limits, WaitStart.INTENDED)
        .judge(row, choices, (at, isGood) -> verdicts.add(isGood));
    assertThat(verdicts).hasSizeLessThan(2);
    return verdicts.stream().findFirst();
  }

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
    assertThat(judge(CHAT, ok(250, 280, 310), 1)).contains(true);
    assertThat(judge(CHAT, ok(251, 280, 310), 1)).contains(false);
    assertThat(judge(CHAT, ok(100, 131, 162), 1)).contains(false);
  }

  /** {@code vllm bench serve} gives an answer of one token a TPOT of 0. */
  @Test
  void anAnswerOfOneTokenKeepsItsTpot() {
    assertThat(judge(CHAT, ok(100), 1)).contains(true);
  }

  @Test
  void aFailedRequestIsBadWhateverItStreamed() {
    assertThat(judge(CHAT, row(Outcome.CUT_MID_STREAM, "default", 100, 110), 1))
        .contains(false);
    assertThat(judge(CHAT, row(Outcome.HTTP_ERROR, "default"), 1)).contains(false);
  }

  @Test
  void nobodyCanTellOfAClientThatLeftInTime() {
    assertThat(judge(CHAT, row(Outcome.CLIENT_CANCELLED, "default", 100, 110), 1)).isEmpty();
    assertThat(judge(CHAT, row(Outcome.CLIENT_CANCELLED, "default", 300, 310), 1))
        .contains(false);
  }

  @Test
  void aRequestNoLimitIsMeantForIsNotJudged() {
    List<Objective> ofChat = List.of(new Objective(Metric.TTFT, 0.25, 0.99, "chat"));

    assertThat(judge(ofChat, row(Outcome.HTTP_ERROR, "batch"), 1)).isEmpty();
    assertThat(judge(ofChat, row(Outcome.OK, "chat", 100), 1)).contains(true);
  }

  @Test
  void nobodyCanTellOfALimitWithoutTokensOrWithSeveralAnswersInOneStream() {
    RequestRow untold = request(0, 0).tokens(-1, -1, -1, -1).noUsage().build();
    assertThat(judge(CHAT, untold, 1)).isEmpty();
    assertThat(judge(CHAT, ok(100, 110, 120), 2)).isEmpty();
    assertThat(judge(CHAT, ok(300, 310, 320), 2)).contains(false);
  }

  /** Twelve tokens, four with each chunk: 20 ms a token, where 160 ms / 11 would keep 18 ms. */
  @Test
  void tokensOfTheFirstChunkDoNotMakeAPaceLookShorter() {
    List<Objective> pace = List.of(new Objective(Metric.TPOT, 0.018, 0.9, ""));
    RequestRow row = request(0, 0).gaps(0.08, 0.08).tokens(4, 4, 4).usage(24, 12).build();

    assertThat(judge(pace, row, 1)).contains(false);
    ObjectiveReading tokens = new ObjectiveReading(pace.getFirst());
    assertThat(tokens.brokenNanos(row, row.lastTokenNanos()))
        .isEqualTo(row.firstTokenNanos() + 8 * 18 * MILLI);
  }

  @Test
  void nobodyCanTellThePaceWhereTheFirstChunkSaysNothingOfItsTokens() {
    RequestRow row = request(0, 0).gaps(0.08, 0.08).tokens(-1, -1, -1).usage(24, 12).build();

    assertThat(judge(CHAT, row, 1)).isEmpty();
  }

  @Test
  void anAnswerInOneChunkKeepsItsTpot() {
    RequestRow row = request(0, 0).gaps().tokens(-1).usage(24, 12).build();

    assertThat(judge(CHAT, row, 1)).contains(true);
  }

  /** A limit that no binary fraction is: 0.07 s of 0.07 s is a whole limit, one more is not. */
  @Test
  void aValueOnItsLimitIsGoodWhateverRoundingDoes() {
    for (int millis = 1; millis < 2000; millis++) {
      List<Objective> limit = List.of(new Objective(Metric.TTFT, millis / 1e3, 0.9, ""));
      assertThat(judge(limit, ok(millis), 1)).as("%d ms", millis).contains(true);
      assertThat(judge(limit, at(millis * MILLI + 1), 1)).as("%d ms", millis).contains(false);
    }
  }

  private static RequestRow at(long nanos) {
    RequestRow made = ok(1);
    return new RequestRow(
        0, "main", "default", 0, 0, "r", 10, 10, made.times(),
        new RequestRow.Chunks(new long[] {nanos}, new int[] {1}, 0), made.usage(),
        made.ending(), made.engine());
  }
}
