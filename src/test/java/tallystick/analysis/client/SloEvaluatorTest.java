package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.EnumSet;
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
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.ObjectiveResult.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.GoodShare;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Limit;
import tallystick.scenario.Objective.Metric;

class SloEvaluatorTest {

  @ParameterizedTest
  @EnumSource(Metric.class)
  void aFailedRequestIsBadForEveryObjective(Metric metric) {
    ObjectiveResult result =
        judge(metric, 100, request(0, 0).outcome(Outcome.TIMED_OUT, 200).build());
    assertThat(result.good()).isZero();
    assertThat(result.judged()).isEqualTo(1);
  }

  @Test
  void aValueOnTheThresholdIsGood() {
    assertThat(judge(Metric.TTFT, 0.1, request(0, 0).build()).good()).isEqualTo(1);
    assertThat(judge(Metric.TTFT, 0.0999, request(0, 0).build()).good()).isZero();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ALL")
  void gapsOfSeveralAnswersInOneStreamAreNotJudgedAndNotInTheTables(Metric metric) {
    ObjectiveJudges judges = judges(2, objective(metric, 0.001));
    LatencySamples tables =
        new LatencySamples(
            new double[0], new double[0], new double[0], new TimeUnits(0, 1, TimeUnits.USUAL));
    RequestRow row = request(0, 0).build();
    judges.read(row, 2);
    tables.read(row, 2);
    RunAnalysis.ClientLatencies latencies = tables.latencies();
    Distribution table =
        switch (metric) {
          case TTFT -> latencies.ttftFromIntended();
          case E2E -> latencies.e2eFromIntended();
          case TPOT -> latencies.tpot();
          case ITL -> latencies.chunkGaps();
          case LARGEST_GAP -> latencies.largestGaps();
          case ALL -> throw new IllegalStateException("no table is of several limits");
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

  @Test
  void latenessCountsFromTheIntendedStart() {
    ObjectiveJudges judges = judges(2, objective(Metric.TTFT, 0.12));
    judges.read(request(0, 0).late(0.05).build(), 1);
    assertThat(judges.fromIntended().get(0).good()).isZero();
    assertThat(judges.fromStart().get(0).good()).isEqualTo(1);
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
    assertThat(scattered.verdict()).isEqualTo(Verdict.MET);
    assertThat(burst.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(width(burst)).isGreaterThan(2 * width(scattered));
    assertThat(burst.evidence().neededRequests()).isInstanceOf(Figure.Known.class);
    assertThat(burst.evidence().reason()).startsWith("2,000 requests are worth ");
  }

  /** A number that half of all repeats fall short of is no advice: it was as small as that. */
  @Test
  void asManyRequestsAsAreNeededSettleItInFourOfFiveRuns() {
    for (int every : new int[] {32, 75}) {
      ObjectiveResult open = judgeMany(400, i -> i % every == 7);
      assertThat(open.verdict()).isEqualTo(Verdict.NOT_PROVEN);
      double independent = ((Figure.Known) open.evidence().independentCount()).value();
      double needed = ((Figure.Known) open.evidence().neededRequests()).value();
      double seen = (double) open.good() / open.judged();
      double settled = settledShare(seen, (int) (needed * independent / open.judged()));
      assertThat(settled).as("%s in %s", seen, needed).isBetween(0.72, 0.88);
    }
  }

  /** How often so many independent requests, of which a share is good, decide about 98 %. */
  private static double settledShare(double seen, int count) {
    SplittableRandom random = new SplittableRandom(23);
    int settled = 0;
    for (int run = 0; run < 2000; run++) {
      long good = random.doubles(count).filter(draw -> draw < seen).count();
      GoodShare fresh = new GoodShare(good, count, count);
      settled += fresh.reaches(0.98, 0.05) || fresh.misses(0.98, 0.05) ? 1 : 0;
    }
    return settled / 2000.0;
  }

  /** Worked by hand: 0.98^149 is just below 5 %, so 149 good ones prove 98 %, 148 do not. */
  @Test
  void goodRequestsAloneProveAShareOnlyIfThereAreEnough() {
    GoodShare enough = new GoodShare(149, 149, 149);
    assertThat(enough.reaches(0.98, 0.05)).isTrue();
    assertThat(new GoodShare(148, 148, 148).reaches(0.98, 0.05)).isFalse();
    assertThat(new GoodShare(1490, 1490, 148).reaches(0.98, 0.05)).isFalse();
    assertThat(judgeMany(120, i -> false).verdict()).isEqualTo(Verdict.NOT_PROVEN);
  }

  @Test
  void aRunWhoseTenthsFollowOneAnotherProvesNothingOfALimitInsideIt() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 0.9, 0.5, ""));
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).ttft(0.001 * (i + 1)).build(), 1);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(result.low()).isInstanceOf(Figure.Unavailable.class);
    assertThat(result.evidence().reason())
        .isEqualTo("neighbouring stretches of time are alike: the run is too short");
  }

  @Test
  void whatNotOneTenthOfARunKeptIsViolatedEvenIfTheTenthsFollowOneAnother() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 0.5, 0.5, ""));
    for (int i = 0; i < 1000; i++) {
      judges.read(request(i, i).ttft(1 + 0.001 * i).build(), 1);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(result.evidence().reason()).isEmpty();
  }

  /** 10 requests/s in 40, 20 and 40 s; in the middle every request takes longer and longer. */
  @Test
  void aLimitFarBeyondAllAnswersIsMetThoughTheLoadHasSteps() {
    assertThat(judgeSteps(1000, 300).verdict()).isEqualTo(Verdict.MET);
    assertThat(judgeSteps(1000, 1.01).verdict()).isEqualTo(Verdict.NOT_PROVEN);
    assertThat(judgeSteps(200, 300).verdict()).as("0.99^200 is 13 %").isEqualTo(Verdict.NOT_PROVEN);
  }

  private static ObjectiveResult judgeSteps(int count, double limit) {
    ObjectiveJudges judges = judges(count, new Objective(Metric.TTFT, limit, 0.99, ""));
    for (int i = 0; i < count; i++) {
      double into = 5.0 * i / count - 2;
      judges.read(request(i, i).ttft(into >= 0 && into < 1 ? 0.1 + 0.9 * into : 0.1).build(), 1);
    }
    return judges.fromIntended().get(0);
  }

  @Test
  void whereOneInTenFailedTheirPercentileNeverCame() {
    ObjectiveJudges judges = judges(1000, new Objective(Metric.TTFT, 100, 0.95, ""));
    for (int i = 0; i < 1000; i++) {
      MadeRequest made = request(i, i);
      judges.read(
          i % 10 == 3 ? made.outcome(Outcome.TIMED_OUT, 0).silent().build() : made.build(), 1);
    }
    ObjectiveResult result = judges.fromIntended().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(result.evidence().percentile())
        .isEqualTo(Figure.missing("never: failed requests reach it"));
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
      int worst = -1;
      for (ObjectiveResult result : judges.fromIntended()) {
        int rank = List.of(Verdict.VIOLATED, Verdict.NOT_PROVEN, Verdict.MET)
            .indexOf(result.verdict());
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
    double limit = result.objective().thresholdSeconds();
    double wanted = result.objective().share();
    boolean within =
        result.evidence().high() instanceof Figure.Known high && high.value() <= limit;
    boolean beyond =
        result.evidence().low() instanceof Figure.Known low
            ? low.value() > limit
            : result.evidence().low().equals(Figure.missing("never: failed requests reach it"));
    boolean hasNoCount = result.evidence().independentCount() instanceof Figure.Unavailable;
    boolean isFarBeyondAll =
        result.good() == result.judged()
            && result.evidence().high() instanceof Figure.Unavailable
            && result.verdict() == Verdict.MET;
    if (!hasNoCount && !isFarBeyondAll) {
      assertThat(result.verdict())
          .as(result.toString())
          .isEqualTo(within ? Verdict.MET : beyond ? Verdict.VIOLATED : Verdict.NOT_PROVEN);
    }
    if (result.low() instanceof Figure.Known from && result.high() instanceof Figure.Known to) {
      assertThat(from.value() >= wanted).isEqualTo(result.verdict() == Verdict.MET);
      assertThat(to.value() <= wanted).isEqualTo(result.verdict() == Verdict.VIOLATED);
      double share = ((Figure.Known) result.share()).value();
      assertThat(share).isBetween(from.value(), to.value());
    }
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
      judges.read(made.build(), 1);
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
          request(i, i).ttft(i % 20 == 3 ? 0.6 : 0.2).gaps(i % 20 == 8 ? 0.2 : 0.01).build(), 1);
    }
    List<ObjectiveResult> results = judges.fromIntended();
    assertThat(results).extracting(ObjectiveResult::verdict)
        .containsExactly(Verdict.MET, Verdict.MET, Verdict.VIOLATED);
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
      assertThat(EnumSet.of(joint.get(i).verdict(), alone.get(i).verdict()))
          .isNotEqualTo(EnumSet.of(Verdict.MET, Verdict.VIOLATED));
    }
  }

  private static ObjectiveResult judgeMany(int count, IntPredicate isBad) {
    ObjectiveJudges judges = judges(count, new Objective(Metric.TTFT, 0.5, 0.98, ""));
    for (int i = 0; i < count; i++) {
      judges.read(request(i, i).ttft(isBad.test(i) ? 1 : 0.1).build(), 1);
    }
    return judges.fromIntended().get(0);
  }

  @Test
  void anObjectiveOfOneClassPassesOverTheOthers() {
    ObjectiveJudges judges = judges(2, new Objective(Metric.TTFT, 1, 0.9, "chat"));
    judges.read(request(0, 0).build(), 1);
    assertThat(judges.fromIntended().get(0).verdict()).isEqualTo(Verdict.NOT_PROVEN);
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
      judges.read(request(i, i).gaps(gaps).build(), 1);
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
    judges.read(row, 1);
    return judges.fromIntended().get(0);
  }

  private static ObjectiveJudges judges(int seconds, Objective... objectives) {
    return ObjectiveJudges.of(
        List.of(objectives), new TimeUnits(0, MadeRun.nanos(seconds), TimeUnits.USUAL));
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
