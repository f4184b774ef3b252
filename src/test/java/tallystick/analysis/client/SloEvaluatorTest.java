package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.MadeRequest;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.analysis.statistics.GoodShare;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Limit;
import tallystick.scenario.Objective.Metric;

class SloEvaluatorTest {

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "SESSION_.*")
  void aFailedRequestIsBadForEveryObjective(Metric metric) {
    ObjectiveResult result =
        judge(metric, 100, request(0, 0).outcome(Outcome.TIMED_OUT, 200).build());
    assertThat(result.good()).isZero();
    assertThat(result.judged()).isEqualTo(1);
  }

  /** Two that come together, then two more, far below the limit: worth two independent ones. */
  @ParameterizedTest
  @ValueSource(doubles = {0.12, 1, 100})
  void fewerThanSixGoodRequestsAreTooFewHoweverFastTheyWere(double limit) {
    ObjectiveJudges judges = judges(60, objective(Metric.TTFT, limit));
    double[] starts = {0, 0.01, 30, 30.01, 59};
    for (int i = 0; i < starts.length; i++) {
      judges.read(request(i, starts[i]).build(), 1, true);
    }
    ObjectiveResult result = judges.fromIntended().get(0);

    assertThat(result.judgement().verdict()).isEqualTo(Verdict.MET);
    assertThat(result.judgement().strength()).isEqualTo(Strength.TOO_CLOSE);
    assertThat(result.evidence().reason()).isEqualTo("5 requests are too few");
  }

  /** One long answer has many gaps, and is one request. */
  @Test
  void theGapsOfOneRequestAreTooFewAsThatRequestIs() {
    ObjectiveResult result =
        judge(Metric.ITL, 10, request(0, 0).gaps(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1).build());

    assertThat(result.judgement().strength()).isEqualTo(Strength.TOO_CLOSE);
    assertThat(result.evidence().reason()).isEqualTo("1 request is too few");
  }

  @Test
  void aValueOnTheThresholdIsGood() {
    assertThat(judge(Metric.TTFT, 0.1, request(0, 0).build()).good()).isEqualTo(1);
    assertThat(judge(Metric.TTFT, 0.0999, request(0, 0).build()).good()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_NONE,
      names = {"ALL", "ANSWER_TTFT", "THINKING_TOKENS", "SESSION_.*"})
  void gapsOfSeveralAnswersInOneStreamAreNotJudgedAndNotInTheTables(Metric metric) {
    ObjectiveJudges judges = judges(2, objective(metric, 0.001));
    LatencySamples tables =
        new LatencySamples(
            new double[0], new double[0], new double[0], new TimeUnits(0, 1, TimeUnits.USUAL));
    RequestRow row = request(0, 0).build();
    judges.read(row, 2, true);
    tables.read(row, 2);
    RunAnalysis.ClientLatencies latencies = tables.latencies();
    Distribution table =
        switch (metric) {
          case TTFT -> latencies.ttftFromIntended();
          case E2E -> latencies.e2eFromIntended();
          case TPOT -> latencies.tpot();
          case ITL -> latencies.chunkGaps();
          case LARGEST_GAP -> latencies.largestGaps();
          case ALL, ANSWER_TTFT, THINKING_TOKENS, SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS ->
              throw new IllegalStateException("in no table of its own");
        };
    assertThat(judges.fromIntended().get(0).judged()).isEqualTo(table.count());
  }

  @Test
  void anObjectiveThatNoAnswerTellsIsNoLackOfRequests() {
    RequestRow untold =
        request(0, 0).gaps(0.08, 0.08).tokens(-1, -1, -1).usage(24, 12).build();
    RequestRow failed = request(0, 0).outcome(Outcome.CLIENT_CANCELLED, 200).build();

    assertThat(judge(Metric.TPOT, 0.018, untold).share())
        .isEqualTo(Figure.missing("no answer tells it"));
    assertThat(judge(Metric.TPOT, 0.018, failed).share())
        .isEqualTo(Figure.missing("nothing to judge"));
  }

  /** Chunks come at 0.1, 0.2 and 0.4 s; the first two are thinking. */
  @Test
  void anAnswerBeginsBehindItsThinking() {
    RequestRow thought = request(0, 0).ttft(0.1).gaps(0.1, 0.2).thinking(2).build();
    RequestRow onlyThought = request(0, 0).ttft(0.1).gaps(0.1, 0.2).thinking(3).build();
    RequestRow plain = request(0, 0).ttft(0.1).gaps(0.1, 0.2).build();

    assertThat(judge(Metric.TTFT, 0.15, thought).good()).isEqualTo(1);
    assertThat(judge(Metric.ANSWER_TTFT, 0.41, thought).good()).isEqualTo(1);
    assertThat(judge(Metric.ANSWER_TTFT, 0.39, thought).good()).isZero();
    assertThat(judge(Metric.ANSWER_TTFT, 0.15, plain).good()).isEqualTo(1);
    assertThat(judge(Metric.ANSWER_TTFT, 10, onlyThought).judged()).isEqualTo(1);
    assertThat(judge(Metric.ANSWER_TTFT, 10, onlyThought).good()).isZero();
    assertThat(judge(Metric.TTFT, 10, onlyThought).good()).isEqualTo(1);
  }

  @Test
  void thinkingIsJudgedByItsTokens() {
    RequestRow two = request(0, 0).gaps(0.1, 0.2).thinking(2).build();
    RequestRow none = request(0, 0).gaps(0.1, 0.2).build();
    RequestRow told = request(0, 0).gaps(0.1, 0.2).thinking(1).usage(10, 4).reasoning(3).build();
    RequestRow untold = request(0, 0).gaps(0.1, 0.2).tokens(-1, -1, -1).thinking(1).build();
    RequestRow left =
        request(0, 0).gaps(0.1, 0.2).thinking(3).outcome(Outcome.CLIENT_CANCELLED, 200).build();

    assertThat(judge(Metric.THINKING_TOKENS, 2, two).good()).isEqualTo(1);
    assertThat(judge(Metric.THINKING_TOKENS, 1, two).good()).isZero();
    assertThat(judge(Metric.THINKING_TOKENS, 1, none).good()).isEqualTo(1);
    assertThat(judge(Metric.THINKING_TOKENS, 2, told).good()).isZero();
    assertThat(judge(Metric.THINKING_TOKENS, 2, untold).judged()).isZero();
    assertThat(judge(Metric.THINKING_TOKENS, 2, left).judged()).isEqualTo(1);
    assertThat(judge(Metric.THINKING_TOKENS, 3, left).judged()).isZero();
  }

  /** Due at 0, written whole by 0.1305 s: what was between is nobody's to know. */
  @Test
  void anAnswerThatWasNotStreamedHasAnEndAndCountsAlone() {
    RequestRow whole = request(0, 0).whole().reasoning(2).build();

    assertThat(judge(Metric.E2E, 0.131, whole).good()).isEqualTo(1);
    assertThat(judge(Metric.E2E, 0.130, whole).good()).isZero();
    assertThat(judge(Metric.THINKING_TOKENS, 2, whole).good()).isEqualTo(1);
    for (Metric metric :
        List.of(
            Metric.TTFT, Metric.ANSWER_TTFT, Metric.TPOT, Metric.ITL, Metric.LARGEST_GAP)) {
      ObjectiveResult result = judge(metric, 10, whole);
      assertThat(result.judged()).as("%s", metric).isZero();
      assertThat(result.share()).isEqualTo(Figure.missing(Distribution.NOT_STREAMED));
    }
  }

  @Test
  void latenessCountsFromTheIntendedStart() {
    ObjectiveJudges judges = judges(2, objective(Metric.TTFT, 0.12));
    judges.read(request(0, 0).late(0.05).build(), 1, true);
    assertThat(judges.fromIntended().get(0).good()).isZero();
    assertThat(judges.flips())
        .singleElement()
        .extracting(flip -> flip.withoutOwnDelay().good())
        .isEqualTo(1L);
  }

  /** Of 1,000 largest gaps 170 are of 70 ms; where 10 % may be, twice as many had been too many. */
  @Test
  void lateStampsTurnWhatIsMissedByThemAndWhatTwiceAsManyWouldMiss() {
    Objective missed = new Objective(Metric.LARGEST_GAP, 0.05, 0.9, "");
    Objective kept = new Objective(Metric.LARGEST_GAP, 0.08, 0.9, "");
    Objective narrow = new Objective(Metric.LARGEST_GAP, 0.05, 0.75, "");
    ObjectiveJudges judges = judges(1000, missed, kept, narrow);
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).gaps(0.01, i % 200 < 34 ? 0.07 : 0.01).build(), 1, true);
    }
    assertThat(judges.fromIntended().get(0).judgement().isMissed()).isTrue();
    assertThat(judges.fromIntended().get(1).judgement().isMet()).isTrue();

    assertThat(judges.fromIntended().get(2).judgement().isMet()).isTrue();

    assertThat(turning(judges, OwnDelay.NONE.withStamps(0.025, 0.025)))
        .containsExactly(missed, narrow);
    assertThat(turning(judges, OwnDelay.NONE.withStamps(0.01, 0.01))).containsExactly(narrow);
  }

  /** Of 1,000 gaps 20 are too long, of 50 that may be; without 700 that none could see, of 15. */
  @Test
  void gapsOfATimeInWhichTheClientStoodStillProveNothing() {
    Objective kept = new Objective(Metric.ITL, 0.05, 0.95, "");
    ObjectiveJudges judges = judges(1000, kept);
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).gaps(i % 50 == 0 ? 0.07 : 0.01).build(), 1, true);
    }
    assertThat(judges.fromIntended().get(0).judgement().isMet()).isTrue();

    assertThat(turning(judges, OwnDelay.NONE.withPauses(0.1))).isEmpty();
    assertThat(turning(judges, OwnDelay.NONE.withPauses(0.7))).containsExactly(kept);
  }

  /** What starts late starts together with others, and the engine's steps grow by their work. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"TTFT", "E2E", "ITL", "LARGEST_GAP"})
  void lateStartsMayHaveMadeEveryWaitAndGapLonger(Metric metric) {
    Objective near = objective(metric, 0.04);
    Objective far = objective(metric, 0.005);
    ObjectiveJudges judges = judges(1000, near, far);
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).ttft(0.05).gaps(0.05).build(), 1, true);
    }
    assertThat(turning(judges, OwnDelay.NONE.withStarts(0.03)).equals(List.of(near)))
        .isEqualTo(metric != Metric.E2E);
    assertThat(turning(judges, OwnDelay.NONE.withStarts(0.07))).contains(near);
  }

  /** 100 later tokens share a late start: 30 ms are 0.3 ms of each. */
  @Test
  void lateStartsAreSpreadOverTheTokensOfAMean() {
    double[] gaps = new double[100];
    Arrays.fill(gaps, 0.01);
    Objective near = objective(Metric.TPOT, 0.0098);
    Objective far = objective(Metric.TPOT, 0.0096);
    ObjectiveJudges judges = judges(1000, near, far);
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).gaps(gaps).usage(10, 101).build(), 1, true);
    }
    assertThat(turning(judges, OwnDelay.NONE.withStarts(0.03))).containsExactly(near);
  }

  private static List<Objective> turning(ObjectiveJudges judges, OwnDelay delay) {
    return judges.turning(delay).stream().map(ObjectiveResult::objective).toList();
  }

  @Test
  void aLeavingClientIsJudgedByWhatItHadSeen() {
    RequestRow left =
        request(0, 0).ttft(0.1).gaps(0.5).outcome(Outcome.CLIENT_CANCELLED, 200).build();
    assertThat(judge(Metric.TTFT, 0.2, left).good()).isEqualTo(1);
    assertThat(judge(Metric.E2E, 10, left).judged()).isZero();
    assertThat(judge(Metric.E2E, 0.3, left).judged()).isEqualTo(1);
    assertThat(judge(Metric.LARGEST_GAP, 0.4, left).judged()).isEqualTo(1);
    assertThat(judge(Metric.LARGEST_GAP, 0.6, left).judged()).isZero();
  }

  @Test
  void badRequestsInOneBurstSayLessThanScatteredOnes() {
    // 20 of 2,000 are bad: a share of 99 %, with a target of 98 %.
    ObjectiveResult scattered = judgeMany(2000, i -> i % 100 == 7);
    ObjectiveResult burst = judgeMany(2000, i -> i >= 1000 && i < 1020);
    assertThat(scattered.good()).isEqualTo(burst.good()).isEqualTo(1980);
    assertThat(scattered.judgement()).isEqualTo(new Judgement(Verdict.MET, Strength.SURE));
    assertThat(burst.strength()).isNotEqualTo(Strength.SURE);
    assertThat(width(burst)).isGreaterThan(2 * width(scattered));
    assertThat(burst.evidence().neededRequests()).isInstanceOf(Figure.Known.class);
    assertThat(burst.evidence().reason())
        .startsWith("slow requests come in bursts: 2,000 count as ");
  }

  /** A number that half of all repeats fall short of is no advice: it was as small as that. */
  @Test
  void asManyRequestsAsAreNeededMakeItSureInMostRuns() {
    for (double badShare : new double[] {0.01, 0.035}) {
      ObjectiveResult open = judgeMany(300, random(badShare, 5));
      assertThat(open.strength()).isNotEqualTo(Strength.SURE);
      int needed = (int) ((Figure.Known) open.evidence().neededRequests()).value();
      int sure = 0;
      for (long seed = 100; seed < 140; seed++) {
        double seen = 1 - (double) open.good() / open.judged();
        ObjectiveResult longer = judgeMany(needed, random(seen, seed));
        sure += longer.strength() == Strength.SURE ? 1 : 0;
      }
      assertThat(sure / 40.0).as("%s needs %s", open.share(), needed).isGreaterThan(0.6);
    }
  }

  private static IntPredicate random(double badShare, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return i -> random.nextDouble() < badShare;
  }

  /** Worked by hand: 0.98^149 is just below 5 %, so 149 good ones prove 98 %, 148 do not. */
  @Test
  void goodRequestsAloneProveAShareOnlyIfThereAreEnough() {
    GoodShare enough = new GoodShare(149, 149, 149);
    assertThat(enough.reaches(0.98, 0.05)).isTrue();
    assertThat(new GoodShare(148, 148, 148).reaches(0.98, 0.05)).isFalse();
    assertThat(new GoodShare(1490, 1490, 148).reaches(0.98, 0.05)).isFalse();
    assertThat(judgeMany(10, i -> false).strength()).isNotEqualTo(Strength.SURE);
  }

  @Test
  void aRunThatOnlyRisesIsNotSureOfALimitInsideIt() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 0.6, 0.5, ""));
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).ttft(0.001 * (i + 1)).build(), 1, true);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.MET);
    assertThat(result.strength()).isNotEqualTo(Strength.SURE);
  }

  @Test
  void whatNotOneTenthOfARunKeptIsMissedForSureEvenIfTheTenthsFollowOneAnother() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 0.5, 0.5, ""));
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).ttft(1 + 0.001 * i).build(), 1, true);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.judgement()).isEqualTo(new Judgement(Verdict.MISSED, Strength.SURE));
    assertThat(result.evidence().reason()).isEmpty();
  }

  /** 10 requests/s in 40, 20 and 40 s; in the middle every request takes longer and longer. */
  @Test
  void aLimitFarBeyondAllAnswersIsMetThoughTheLoadHasSteps() {
    assertThat(judgeSteps(1000, 300).judgement().isMet()).isTrue();
    assertThat(judgeSteps(1000, 1.01).strength()).isNotEqualTo(Strength.SURE);
    assertThat(judgeSteps(200, 30).judgement().isMet()).isTrue();
  }

  /** A minute of a real vLLM: 1,154 good requests, P95 31 ms, were "not proven" within 300 ms. */
  @Test
  void aLimitTenTimesThePercentileIsSureThoughSlowRequestsComeTogether() {
    ObjectiveJudges judges = judges(1154, new Objective(Metric.TTFT, 0.3, 0.95, ""));
    for (int i = 0; i < 1154; i++) {
      judges.read(
          request(i, i).ttft(i % 400 < 30 ? 0.03 + 0.002 * (i % 400) : 0.018).build(),
          1, true);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(((Figure.Known) result.evidence().independentCount()).value()).isLessThan(200);
    assertThat(result.judgement()).isEqualTo(new Judgement(Verdict.MET, Strength.SURE));
  }

  @Test
  void threeRequestsAreTooFewForAnything() {
    assertThat(judgeMany(3, i -> false).strength()).isEqualTo(Strength.TOO_CLOSE);
  }

  @Test
  void allFailedIsMissedForSure() {
    ObjectiveJudges judges = judges(100, new Objective(Metric.TTFT, 0.5, 0.95, ""));
    for (int i = 0; i < 100; i++) {
      judges.read(request(i, i).outcome(Outcome.TIMED_OUT, 0).silent().build(), 1, true);
    }
    assertThat(judges.fromIntended().get(0).judgement())
        .isEqualTo(new Judgement(Verdict.MISSED, Strength.SURE));
  }

  @Test
  void constantLatenciesLieOnTheSideOnWhichTheyLie() {
    for (double limit : new double[] {0.099, 0.1, 0.101, 0.5}) {
      ObjectiveJudges judges = judges(500, new Objective(Metric.TTFT, limit, 0.95, ""));
      for (int i = 0; i < 500; i++) {
        judges.read(request(i, i).ttft(0.1).build(), 1, true);
      }
      ObjectiveResult result = judges.fromIntended().get(0);
      assertThat(result.verdict()).isEqualTo(limit < 0.1 ? Verdict.MISSED : Verdict.MET);
      assertThat(result.strength()).isNotEqualTo(Strength.TOO_CLOSE);
    }
  }

  private static ObjectiveResult judgeSteps(int count, double limit) {
    ObjectiveJudges judges = judges(count, new Objective(Metric.TTFT, limit, 0.99, ""));
    for (int i = 0; i < count; i++) {
      double into = 5.0 * i / count - 2;
      judges.read(
          request(i, i).ttft(into >= 0 && into < 1 ? 0.1 + 0.9 * into : 0.1).build(),
          1, true);
    }
    return judges.fromIntended().get(0);
  }

  @Test
  void whereOneInTenFailedTheirPercentileNeverCame() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 100, 0.95, ""));
    for (int i = 0; i < 1000; i++) {
      MadeRequest made = request(i, i);
      judges.read(
          i % 10 == 3 ? made.outcome(Outcome.TIMED_OUT, 0).silent().build() : made.build(),
          1, true);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.MISSED);
    assertThat(result.evidence().percentile())
        .isEqualTo(Figure.missing("none: too many requests failed"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aLooserLimitIsNeverJudgedWorse(long seed) {
    for (double share : new double[] {0.5, 0.9, 0.95, 0.99}) {
      List<Objective> objectives =
          Stream.iterate(0.02, limit -> limit < 20, limit -> limit * 1.07)
              .map(limit -> new Objective(Metric.TTFT, limit, share, ""))
              .toList();
      ObjectiveJudges judges = bursts(seed, objectives);
      int worst = -3;
      for (ObjectiveResult result : judges.fromIntended()) {
        int sure = 3 - result.strength().ordinal();
        int rank = result.verdict() == Verdict.MET ? sure : -sure;
        assertThat(rank).as("seed %d, %s", seed, result).isGreaterThanOrEqualTo(worst);
        worst = rank;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void aVerdictNeverContradictsAnIntervalBesideIt(long seed) {
    for (double share : new double[] {0.5, 0.9, 0.95, 0.99}) {
      List<Objective> objectives =
          Stream.iterate(0.02, limit -> limit < 20, limit -> limit * 1.07)
              .map(limit -> new Objective(Metric.TTFT, limit, share, ""))
              .toList();
      for (ObjectiveResult result : bursts(seed, objectives).fromIntended()) {
        assertAgrees(result);
      }
    }
  }

  private static void assertAgrees(ObjectiveResult result) {
    double wanted = result.objective().share();
    if (result.low() instanceof Figure.Known from && result.high() instanceof Figure.Known to) {
      if (result.strength() == Strength.SURE) {
        assertThat(from.value() >= wanted).isEqualTo(result.verdict() == Verdict.MET);
        assertThat(to.value() <= wanted).isEqualTo(result.verdict() == Verdict.MISSED);
      }
      double share = ((Figure.Known) result.share()).value();
      assertThat(share).isBetween(from.value(), to.value());
    }
    ObjectiveEvidence evidence = result.evidence();
    if (result.strength() == Strength.SURE
        && evidence.low() instanceof Figure.Known from
        && evidence.high() instanceof Figure.Known to) {
      double limit = result.objective().thresholdSeconds();
      assertThat(from.value() < limit - 1e-9 && to.value() > limit).isFalse();
    }
  }

  /** As a ramp that fell from twice the capacity: an end at 39.5 s, and at 3,057 s of another. */
  @Test
  void anEndFarBeyondTheSlowestIsNoFinding() {
    ObjectiveJudges judges = judges(100, new Objective(Metric.TTFT, 0.3, 0.95, ""));
    for (int i = 0; i < 100; i++) {
      judges.read(request(i, i).ttft(i < 50 ? 2 : 0.05).build(), 1, true);
    }
    ObjectiveEvidence evidence = judges.fromIntended().get(0).evidence();
    assertThat(evidence.high())
        .isEqualTo(Figure.missing("far beyond the slowest that was seen"));
    assertThat(evidence.percentile()).isEqualTo(Figure.of(2));
  }

  /** Requests whose logarithms follow one another, some of them failed or left. */
  private static ObjectiveJudges bursts(long seed, List<Objective> objectives) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 200 + (int) (seed % 4) * 600;
    ObjectiveJudges judges = judges(count, objectives.toArray(Objective[]::new));
    double follow = seed % 2 == 0 ? 0.95 : 0.5;
    double level = 0;
    for (int i = 0; i < count; i++) {
      level = follow * level + Math.sqrt(1 - follow * follow) * random.nextGaussian();
      MadeRequest made = request(i, i).ttft(0.2 * Math.exp(level));
      if (seed % 3 == 0 && random.nextInt(40) == 0) {
        made.outcome(Outcome.TIMED_OUT, 0).silent();
      } else if (seed % 3 == 1 && random.nextInt(10) == 0) {
        made.outcome(Outcome.CLIENT_CANCELLED, 200).silent();
      }
      judges.read(made.build(), 1, true);
    }
    return judges;
  }

  /** One limit that only 5 % of the requests miss, beside one that another 5 % miss. */
  @Test
  void limitsThatHoldAloneNeedNotHoldTogether() {
    List<Limit> limits = List.of(new Limit(Metric.TTFT, 0.5), new Limit(Metric.LARGEST_GAP, 0.1));
    Objective together = Objective.ofAll(limits, 0.93, "");
    List<Objective> objectives = new ArrayList<>(together.parts());
    objectives.add(together);
    ObjectiveJudges judges = judges(4000, objectives.toArray(Objective[]::new));
    for (int i = 0; i < 4000; i++) {
      judges.read(
          request(i, i).ttft(i % 20 == 3 ? 0.6 : 0.2).gaps(i % 20 == 8 ? 0.2 : 0.01).build(),
          1, true);
    }
    List<ObjectiveResult> results = judges.fromIntended();
    assertThat(results).extracting(ObjectiveResult::verdict)
        .containsExactly(Verdict.MET, Verdict.MET, Verdict.MISSED);
    assertThat(results.get(2).good()).isEqualTo(3600);
    // P93 of the largest part of a limit: gaps of 0.2 s use twice theirs, 0.6 s is 1.2 times 0.5.
    assertThat(((Figure.Known) results.get(2).evidence().percentile()).value())
        .isCloseTo(1.2, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void aJointObjectiveOfOneLimitAgreesWithThatLimitAlone(long seed) {
    List<Objective> objectives =
        Stream.iterate(0.02, limit -> limit < 20, limit -> limit * 1.07)
            .map(limit -> objective(Metric.ALL, limit))
            .toList();
    List<ObjectiveResult> joint = bursts(seed, objectives).fromIntended();
    List<ObjectiveResult> alone =
        bursts(seed, objectives.stream().map(all -> all.parts().getFirst()).toList())
            .fromIntended();
    for (int i = 0; i < joint.size(); i++) {
      assertAgrees(joint.get(i));
      assertThat(joint.get(i).good()).isEqualTo(alone.get(i).good());
      // Parts of a limit fall into other cells than seconds: near the border one may be open.
      assertThat(joint.get(i).verdict()).isEqualTo(alone.get(i).verdict());
      int steps = joint.get(i).strength().compareTo(alone.get(i).strength());
      assertThat(Math.abs(steps)).isLessThanOrEqualTo(1);
    }
  }

  private static ObjectiveResult judgeMany(int count, IntPredicate isBad) {
    ObjectiveJudges judges = judges(count, new Objective(Metric.TTFT, 0.5, 0.98, ""));
    for (int i = 0; i < count; i++) {
      judges.read(request(i, i).ttft(isBad.test(i) ? 1 : 0.1).build(), 1, true);
    }
    return judges.fromIntended().get(0);
  }

  @Test
  void anObjectiveOfOneClassPassesOverTheOthers() {
    ObjectiveJudges judges = judges(2, new Objective(Metric.TTFT, 1, 0.9, "chat"));
    judges.read(request(0, 0).build(), 1, true);
    assertThat(judges.fromIntended().get(0).verdict()).isEqualTo(Verdict.NOT_JUDGED);
    assertThat(judges.fromIntended().get(0).share()).isInstanceOf(Figure.Unavailable.class);
  }

  @Test
  void aSlowStepThatStrikesEveryStreamIsWorthFewerGaps() {
    ObjectiveResult together = judgeGaps((request, gap) -> request / 100 == 3 && gap == 0);
    ObjectiveResult scattered = judgeGaps((request, gap) -> request % 10 == 3 && gap == 0);
    assertThat(together.good()).isEqualTo(scattered.good());
    assertThat(width(together)).isGreaterThan(2.5 * width(scattered));
  }

  private interface BadGap {
    boolean is(int request, int gap);
  }

  private static ObjectiveResult judgeGaps(BadGap isBad) {
    ObjectiveJudges judges = judges(1000, objective(Metric.ITL, 0.02));
    for (int i = 0; i < 1000; i++) {
      double[] gaps = new double[10];
      for (int j = 0; j < gaps.length; j++) {
        gaps[j] = isBad.is(i, j) ? 0.1 : 0.01;
      }
      judges.read(request(i, i).gaps(gaps).build(), 1, true);
    }
    return judges.fromIntended().get(0);
  }

  @Test
  void withoutTokensTpotJudgesNothing() {
    RequestRow untold = request(0, 0).tokens(-1, -1, -1, -1).noUsage().build();
    assertThat(judge(Metric.TPOT, 1, untold).judged()).isZero();
  }

  private static ObjectiveResult judge(Metric metric, double threshold, RequestRow row) {
    ObjectiveJudges judges = judges(2, objective(metric, threshold));
    judges.read(row, 1, true);
    return judges.fromIntended().get(0);
  }

  private static ObjectiveJudges judges(int seconds, Objective... objectives) {
    return ObjectiveJudges.of(
        List.of(objectives), new MadeRun().plan(),
        new TimeUnits(0, MadeRun.nanos(seconds), TimeUnits.USUAL));
  }

  private static Objective objective(Metric metric, double threshold) {
    return metric == Metric.ALL
        ? Objective.ofAll(List.of(new Limit(Metric.TTFT, threshold)), 0.9, "")
        : new Objective(metric, threshold, 0.9, "");
  }

  private static double width(ObjectiveResult result) {
    return ((Figure.Known) result.high()).value() - ((Figure.Known) result.low()).value();
  }
}
