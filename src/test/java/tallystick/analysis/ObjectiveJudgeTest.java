package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.analysis.RunAnalysis.ObjectiveResult;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

class ObjectiveJudgeTest {

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

  @Test
  void latenessCountsFromTheIntendedStart() {
    RequestRow late = request(0, 0).late(0.05).build();
    assertThat(judge(Metric.TTFT, 0.12, late).good()).isZero();
    ObjectiveJudge fromStart = new ObjectiveJudge(objective(Metric.TTFT, 0.12), false);
    fromStart.read(late);
    assertThat(fromStart.result().good()).isEqualTo(1);
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
    ObjectiveResult scattered = judgeMany(i -> i % 100 == 7);
    ObjectiveResult burst = judgeMany(i -> i >= 1000 && i < 1020);
    assertThat(scattered.good()).isEqualTo(burst.good()).isEqualTo(1980);
    assertThat(scattered.verdict()).isEqualTo("met");
    assertThat(burst.verdict()).isEqualTo("indeterminate");
  }

  @Test
  void theOrderIsThatOfSendingNotOfEnding() {
    BadInOrder inOrder = new BadInOrder();
    for (int index : new int[] {3, 0, 5, 1, 4, 2}) {
      inOrder.note(index, index < 3);
    }
    // Mean 1/2, deviations +++--- / 2: neighbours ++ ++ +- -- --, so (4 - 1) / 6.
    assertThat(inOrder.autocorrelation()).isEqualTo(0.5);
    assertThat(BadInOrder.effectiveCount(600, 0.5)).isEqualTo(200);
    assertThat(BadInOrder.effectiveCount(600, 0.06)).as("chance").isEqualTo(600);
  }

  private static ObjectiveResult judgeMany(IntPredicate isBad) {
    ObjectiveJudge judge =
        new ObjectiveJudge(new Objective(Metric.TTFT, 0.5, 0.98, ""), true);
    for (int i = 0; i < 2000; i++) {
      judge.read(request(i, i).ttft(isBad.test(i) ? 1 : 0.1).build());
    }
    return judge.result();
  }

  @Test
  void anObjectiveOfOneClassPassesOverTheOthers() {
    ObjectiveJudge judge =
        new ObjectiveJudge(new Objective(Metric.TTFT, 1, 0.9, "chat"), true);
    judge.read(request(0, 0).build());
    assertThat(judge.result().verdict()).isEqualTo("indeterminate");
    assertThat(judge.result().share()).isInstanceOf(Figure.Unavailable.class);
  }

  @Test
  void gapsOfOneRequestAreWorthFewerIndependentOnes() {
    ObjectiveJudge clustered = new ObjectiveJudge(objective(Metric.ITL, 0.02), true);
    ObjectiveJudge scattered = new ObjectiveJudge(objective(Metric.ITL, 0.02), true);
    for (int i = 0; i < 100; i++) {
      double[] bad = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
      double[] good = {0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
      double[] mixed = {0.1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
      clustered.read(request(i, 0).gaps(i < 10 ? bad : good).build());
      scattered.read(request(i, 0).gaps(mixed).build());
    }
    assertThat(clustered.result().good()).isEqualTo(scattered.result().good());
    assertThat(width(clustered.result())).isGreaterThan(2.5 * width(scattered.result()));
  }

  @Test
  void withoutTokensTpotJudgesNothing() {
    RequestRow untold = request(0, 0).tokens(-1, -1, -1, -1).noUsage().build();
    assertThat(judge(Metric.TPOT, 1, untold).judged()).isZero();
  }

  private static ObjectiveResult judge(Metric metric, double threshold, RequestRow row) {
    ObjectiveJudge judge = new ObjectiveJudge(objective(metric, threshold), true);
    judge.read(row);
    return judge.result();
  }

  private static Objective objective(Metric metric, double threshold) {
    return new Objective(metric, threshold, 0.9, "");
  }

  private static double width(ObjectiveResult result) {
    return ((Figure.Known) result.high()).value() - ((Figure.Known) result.low()).value();
  }
}
