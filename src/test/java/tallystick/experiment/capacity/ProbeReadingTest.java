package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.runrecord.MemoryRun.SECOND;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import tallystick.analysis.client.ObjectiveReading;
import tallystick.experiment.JointObjective;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** Ten requests a second, each in the engine for two seconds: twenty are in flight. */
class ProbeReadingTest {
  private static final Offset<Double> NEAR = Offset.offset(0.2);
  private static final Probe PROBE = new Probe(1, Probe.Purpose.BRACKET, 10, 10, 50, 1);

  private static MemoryRun run(int loadSeconds) {
    MemoryRun run = new MemoryRun();
    run.harness.add(new HarnessRow.Mark(SECOND, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
    for (int i = 0; i < 10 * loadSeconds; i++) {
      run.requests.add(row(i, SECOND + i * SECOND / 10, SECOND));
    }
    return run;
  }

  private static RequestRow row(int index, long started, long ttft) {
    return row(index, index, started, ttft);
  }

  private static RequestRow row(int index, int user, long started, long ttft) {
    long first = started + ttft;
    long ended = started + 2 * SECOND;
    return new RequestRow(
        index, "main", "default", user, 0, "r" + index, 10, 2,
        new RequestRow.Times(started, started, -1, -1, started, started, first, ended, -1),
        new RequestRow.Chunks(new long[] {first, ended}, new int[] {1, 1}, 0),
        new RequestRow.Usage(10, 2, 0), new RequestRow.Ending(Outcome.OK, 200, "length", ""),
        RequestRow.EngineTimings.NONE);
  }

  private static RequestRow ended(RequestRow row, RequestRow.Ending ending) {
    return new RequestRow(
        row.index(), "main", "default", row.user(), 0, row.requestId(), 10, 2, row.times(),
        new RequestRow.Chunks(new long[0], new int[0], 0), RequestRow.Usage.NONE, ending,
        RequestRow.EngineTimings.NONE);
  }

  private static void late(MemoryRun run) {
    for (int i = 10; i < 50; i++) {
      run.harness.add(new HarnessRow.Stall(i * SECOND, SECOND / 2));
    }
  }

  private static ProbeResult result(MemoryRun run) {
    return result(run, Objective.Metric.TTFT, 0.1);
  }

  private static ProbeResult result(MemoryRun run, Objective.Metric metric, double seconds) {
    JointObjective objective =
        JointObjective.of(
            List.of(new Objective(metric, seconds, 0.9, "")), OptionalDouble.empty());
    return ProbeReading.of(PROBE, 60, "", objective, run).result();
  }

  @Test
  void itsPercentilesAreOfTheRequestsThatAreJudged() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row -> row.index() < 100 ? row(row.index(), row.times().started(), SECOND / 2) : row);

    assertThat(result(run).figures().ttft()).isEqualTo(new ProbeFigures.Percentiles(1, 1, 1));
    assertThat(result(run).figures().tpot()).isEqualTo(new ProbeFigures.Percentiles(1, 1, 1));
  }

  @Test
  void ofOneThatWasStoppedBeforeAnyIsJudgedTheyAreOfAll() {
    // 90 requests are too few for a P99.
    assertThat(result(run(9)).figures().ttft()).isEqualTo(new ProbeFigures.Percentiles(1, 1, -1));
  }

  /** Several answers share one stream: it does not tell the time between tokens of one. */
  @Test
  void aRunWhoseAnswersCannotBeJudgedIsNotTrusted() {
    MemoryRun run = run(60);
    run.requests.forEach(row -> run.choices.put(row.index(), row.index() % 5 == 0 ? 1 : 2));

    ProbeResult untold = result(run, Objective.Metric.TPOT, 5);

    assertThat(untold.trust()).isEqualTo(ProbeResult.Trust.NOT_TRUSTED);
    assertThat(untold.doubt()).startsWith("of 500 answers 400 cannot be judged");
    run.choices.clear();
    assertThat(result(run, Objective.Metric.TPOT, 5).doubt()).isNotEqualTo(untold.doubt());
  }

  /** A redirect or an empty stream is the server's, however busy the client's machine is. */
  @Test
  void aServerThatAnswersNothingWellIsTheMatterThoughTheClientWasLate() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row -> ended(row, new RequestRow.Ending(Outcome.REDIRECTED, 307, "", "to /v2")));
    late(run);

    ProbeResult refused = result(run);

    assertThat(refused.trust()).isEqualTo(ProbeResult.Trust.NOT_TRUSTED);
    assertThat(refused.doubt()).isEqualTo("No request ended well. 600 redirected: to /v2");
  }

  /** Overload may be the matter of the first two, and nothing but a mistake that of the third. */
  @Test
  void whetherTheServerFailedEveryRequestOrWasAskedWronglyIsTold() {
    assertThat(allEnded(new RequestRow.Ending(Outcome.HTTP_ERROR, 503, "", "full")).trust())
        .isEqualTo(ProbeResult.Trust.ALL_FAILED);
    assertThat(allEnded(new RequestRow.Ending(Outcome.NO_ANSWER, 0, "", "")).trust())
        .isEqualTo(ProbeResult.Trust.ALL_FAILED);
    assertThat(allEnded(new RequestRow.Ending(Outcome.HTTP_ERROR, 404, "", "no model")).trust())
        .isEqualTo(ProbeResult.Trust.NOT_TRUSTED);
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row -> ended(row, new RequestRow.Ending(Outcome.HTTP_ERROR, 503, "", "full")));
    late(run);
    assertThat(result(run).trust()).isEqualTo(ProbeResult.Trust.ALL_FAILED);
  }

  private static ProbeResult allEnded(RequestRow.Ending ending) {
    MemoryRun run = run(60);
    run.requests.replaceAll(row -> ended(row, ending));
    return result(run);
  }

  @Test
  void whatCostTheEngineLessThanWasAskedIsNotedOfARunThatCounts() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row ->
            row.index() % 10 > 0
                ? row
                : ended(row, new RequestRow.Ending(Outcome.HTTP_ERROR, 429, "", "slow down")));

    ProbeResult refused = result(run);

    assertThat(refused.isTrusted()).isTrue();
    assertThat(refused.doubt())
        .isEqualTo("60 of 600 requests failed (10.0 %; 60 with HTTP 429)");
    assertThat(result(run(60)).doubt()).isEmpty();
  }

  /** A client that is too slow may miss all answers. */
  @Test
  void whereNoAnswerCameTheLateClientMayBeTheMatter() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row -> ended(row, new RequestRow.Ending(Outcome.TIMED_OUT, 0, "", "")));
    late(run);

    assertThat(result(run).trust()).isEqualTo(ProbeResult.Trust.CLIENT_SATURATED);
  }

  /**
   * Each user comes back 28 s later: turns that come when no conversation begins any more meet an
   * engine that empties, and it is full when the first users have been back.
   */
  @Test
  void aConversationFillsTheEngineAsLongAsItLastsAndItsTurnsAfterTheLoadDoNotCount() {
    MemoryRun run = run(60);
    List<RequestRow> firsts = List.copyOf(run.requests);
    for (RequestRow first : firsts) {
      run.requests.add(
          row(
              first.index() + firsts.size(), first.user(), first.times().intended() + 28 * SECOND,
              SECOND));
    }

    ProbeResult result = result(run);

    assertThat(result.judged()).isEqualTo(500 + 320);
    assertThat(result.load().settlingSeconds()).isCloseTo(30, NEAR);
    assertThat(result.load().tokensPerRequest()).isEqualTo(4);
  }

  /**
   * Sessions of two requests that last 30 s, in every fourth of which the second one fails: those
   * that begin in the measured time are judged, whenever they end.
   */
  @Test
  void aLimitOnSessionsJudgesThoseThatBeganInTheMeasuredTime() throws IOException {
    MemoryRun run = new MemoryRun();
    run.harness.add(new HarnessRow.Mark(SECOND, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
    List<PlannedRequest> plan = new ArrayList<>();
    for (int user = 0; user < 600; user++) {
      for (int turn = 0; turn < 2; turn++) {
        RequestRow row =
            row(2 * user + turn, user, SECOND + user * SECOND / 10 + turn * 28 * SECOND, SECOND);
        boolean isFailed = turn == 1 && user % 4 == 0;
        run.requests.add(
            isFailed
                ? ended(row, new RequestRow.Ending(Outcome.HTTP_ERROR, 500, "", "no"))
                : row);
        plan.add(
            new PlannedRequest(
                2 * user + turn, "main", "default", user, turn,
                turn == 0 ? user * SECOND / 10 : PlannedRequest.AFTER_PREVIOUS, 0,
                Prompt.Synthetic.unique(10), 2, 1, 0, PlannedRequest.Cancel.NEVER));
      }
    }
    run.plan(plan);

    ProbeResult wide = result(run, Objective.Metric.SESSION_TIME, 31);
    ProbeResult narrow = result(run, Objective.Metric.SESSION_TIME, 29);

    assertThat(wide.judged()).isEqualTo(500);
    assertThat(wide.good()).isEqualTo(375);
    assertThat(narrow.good()).isZero();
    assertThat(wide.figures().firstHalf()).isEqualTo(
        new ProbeFigures.Kept("first half", 187, 250));
    assertThat(wide.figures().requestsPerSession()).isEqualTo(2);
    assertThat(wide.load().goodTokenShare()).isCloseTo(450 * 4.0 / (600 * 2 + 450 * 2), NEAR);
  }

  /** Beside sessions stand single requests, which take longer than they may. */
  @Test
  void aRequestThatStandsAloneKeepsItsOwnLimitWhereSessionsAreJudged() throws IOException {
    MemoryRun run = new MemoryRun();
    run.harness.add(new HarnessRow.Mark(SECOND, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
    List<PlannedRequest> plan = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      boolean isSession = i < 2;
      RequestRow row = row(i, isSession ? 0 : 1, SECOND + i * SECOND, SECOND);
      run.requests.add(
          new RequestRow(
              row.index(), row.phase(), isSession ? "agent" : "chat", row.user(), row.target(),
              row.requestId(), row.promptTokens(), row.maxTokens(), row.times(), row.chunks(),
              row.usage(), row.ending(), row.engine()));
      plan.add(
          new PlannedRequest(
              i, "main", isSession ? "agent" : "chat", isSession ? 0 : 1, isSession ? i : 0,
              i == 1 ? PlannedRequest.AFTER_PREVIOUS : i * SECOND, 0,
              Prompt.Synthetic.unique(10), 2, 1, 0, PlannedRequest.Cancel.NEVER));
    }
    run.plan(plan);
    List<Boolean> good = new ArrayList<>();
    ObjectiveReading limits =
        ObjectiveReading.ofAll(
            List.of(
                new Objective(Objective.Metric.SESSION_TIME, 60, 0.9, ""),
                new Objective(Objective.Metric.E2E, 0.5, 0.9, "")),
            run.plan());
    run.requests.forEach(one -> limits.judge(one, 1, (at, isGood) -> good.add(isGood)));
    assertThat(good).containsExactly(false, false);
  }

  /** Until 35 s each takes 50 ms to its first token, and a second after that. */
  @Test
  void whatTheFirstHalfOfTheMeasuredTimeKeptIsTold() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row ->
            row.times().intended() < 36 * SECOND
                ? row(row.index(), row.times().intended(), SECOND / 20)
                : row);

    ProbeFigures.Kept first = result(run).figures().firstHalf();

    assertThat(first.judged()).isEqualTo(250);
    assertThat(first.good()).isEqualTo(250);
    assertThat(result(run).good()).isEqualTo(250);
  }

  @Test
  void aClosedLoopTellsWhatItCompletedUnlessItRanOutOfRequests() {
    assertThat(burst(run(60)).load().completedPerSecond()).isCloseTo(10, NEAR);
    assertThat(burst(run(600)).load().completedPerSecond()).isZero();
  }

  private static ProbeResult burst(MemoryRun run) {
    JointObjective objective =
        JointObjective.of(
            List.of(new Objective(Objective.Metric.TTFT, 0.1, 0.9, "")), OptionalDouble.empty());
    Probe loop = new Probe(1, Probe.Purpose.CEILING, 0, 20, 10, 50, 1);
    return ProbeReading.of(loop, 60, "", objective, run).result();
  }

  @Test
  void requestsFillTheEngineInTwiceTheTimeThatTheyTake() {
    assertThat(result(run(60)).load().settlingSeconds()).isCloseTo(4, NEAR);
  }

  private static double inFlight(MemoryRun run) {
    return result(run).load().meanInFlight();
  }

  @Test
  void tokensOfGoodRequestsAreTold() {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row ->
            row.index() % 4 == 0
                ? row
                : row(row.index(), row.times().intended(), SECOND / 20));

    assertThat(result(run).load().goodTokenShare()).isEqualTo(0.75);
  }

  /** A good one in two, and each other one broken off after as many tokens. */
  private static double goodTokenShare(int tokensOfChunk) {
    MemoryRun run = run(60);
    run.requests.replaceAll(
        row -> {
          RequestRow good = row(row.index(), row.times().intended(), SECOND / 20);
          return row.index() % 2 == 0
              ? good
              : new RequestRow(
                  good.index(), "main", "default", good.user(), 0, good.requestId(), 10, 2,
                  good.times(),
                  new RequestRow.Chunks(
                      good.chunks().arrivalNanos(), new int[] {tokensOfChunk, 1}, 0),
                  RequestRow.Usage.NONE,
                  new RequestRow.Ending(Outcome.TIMED_OUT, 200, "", "too slow"),
                  RequestRow.EngineTimings.NONE);
        });
    return result(run).load().goodTokenShare();
  }

  @Test
  void tokensOfAnswersThatBrokeOffAreNoGoodOnes() {
    assertThat(goodTokenShare(1)).isEqualTo(0.5);
  }

  @Test
  void theShareIsNotToldWhereAnAnswerThatBrokeOffDidNotTellItsTokens() {
    assertThat(goodTokenShare(RequestRow.UNKNOWN)).isZero();
  }

  private static ProbeResult.Load stoppedAt(int seconds) {
    MemoryRun run = run(seconds);
    run.state = Manifest.Ending.State.STOPPED;
    run.harness.add(
        new HarnessRow.Mark((1 + seconds) * SECOND, HarnessRow.Mark.Kind.STOPPED, "too slow"));
    return result(run).load();
  }

  @Test
  void aWholeProbeHasWhatWasInFlightOverItsMeasuredTime() {
    assertThat(inFlight(run(60))).isCloseTo(20, NEAR);
  }

  @Test
  void aProbeThatWasStoppedHasItOverTheTimeItMeasured() {
    assertThat(stoppedAt(30).meanInFlight()).isCloseTo(20, NEAR);
    assertThat(stoppedAt(12).meanInFlight()).isCloseTo(20, NEAR);
  }

  /** Nothing in flight would say that requests hardly meet, so that no lower rate is tried. */
  @Test
  void aProbeThatWasStoppedBeforeItMeasuredHasItOverTheTimeItWasLoaded() {
    // Of eight seconds the first two fill up.
    assertThat(stoppedAt(8).meanInFlight()).isCloseTo((2 * 10 + 6 * 20) / 8.0, NEAR);
  }

  @Test
  void aProbeThatWasStoppedTellsForHowLongItMeasured() {
    assertThat(stoppedAt(30).measuredSeconds()).isCloseTo(20, NEAR);
    assertThat(stoppedAt(8).measuredSeconds()).isZero();
    assertThat(result(run(60)).load().measuredSeconds()).isEqualTo(50);
  }

  /** The curve is laid through the rates that came; of a conversation only its begin came. */
  @Test
  void aProbeTellsHowManyCameInItsMeasuredTime() {
    assertThat(stoppedAt(30).arrivals()).isEqualTo(200);
    assertThat(stoppedAt(8).arrivals()).isZero();
    MemoryRun ofTwoTurns = run(60);
    ofTwoTurns.requests.replaceAll(
        row -> row(row.index(), row.index() / 2, row.times().started(), SECOND / 20));
    assertThat(result(ofTwoTurns).load().arrivals()).isEqualTo(250);
  }

  /** One that was stopped before it measured, over the time it was loaded: two seconds fill up. */
  @Test
  void aProbeThatWasStoppedTellsWhatItCompletedPerSecond() {
    assertThat(stoppedAt(30).completedPerSecond()).isCloseTo(10, NEAR);
    assertThat(stoppedAt(8).completedPerSecond()).isCloseTo(6 * 10 / 8.0, NEAR);
  }
}
