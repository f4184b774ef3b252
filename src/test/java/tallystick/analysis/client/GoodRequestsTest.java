package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Goodput;
import tallystick.runrecord.Outcome;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Limit;
import tallystick.scenario.Objective.Metric;

class GoodRequestsTest {
  private static final List<Objective> OBJECTIVES =
      List.of(
          new Objective(Metric.TTFT, 0.2, 0.9, ""),
          new Objective(Metric.ITL, 0.001, 0.9, ""),
          Objective.ofAll(
              List.of(new Limit(Metric.LARGEST_GAP, 0.1), new Limit(Metric.E2E, 5)), 0.5, ""));

  /**
   * Worked by hand: one keeps all, one is late, one has a long gap, one failed, one was started
   * late by its client, one was left by it in time. An objective on gaps has no say.
   */
  @Test
  void countsWhatKeepsEveryLimitOfEveryObjective() {
    GoodRequests good = new GoodRequests(OBJECTIVES);
    good.read(request(0, 0).ttft(0.1).gaps(0.01, 0.01, 0.01).build(), 1);
    good.read(request(1, 1).ttft(0.3).gaps(0.01, 0.01, 0.01).build(), 1);
    good.read(request(2, 2).ttft(0.1).gaps(0.01, 0.5, 0.01).build(), 1);
    good.read(request(3, 3).outcome(Outcome.HTTP_ERROR, 500).silent().build(), 1);
    good.read(request(4, 4).late(0.15).ttft(0.1).gaps(0.01, 0.01, 0.01).build(), 1);
    good.read(
        request(5, 5).ttft(0.1).gaps(0.01).outcome(Outcome.CLIENT_CANCELLED, 200).build(), 1);

    Goodput goodput = good.goodput(10);

    assertThat(goodput.limits()).extracting(Objective::metric)
        .containsExactly(Metric.TTFT, Metric.LARGEST_GAP, Metric.E2E);
    assertThat(goodput.fromIntended())
        .isEqualTo(new Goodput.Kept(1, 5, Figure.of(0.1), Figure.of(0.4)));
    assertThat(goodput.fromStart())
        .isEqualTo(new Goodput.Kept(2, 5, Figure.of(0.2), Figure.of(0.8)));
  }

  @Test
  void withoutTokensThereIsNoGoodputInTokens() {
    GoodRequests good = new GoodRequests(List.of(new Objective(Metric.TTFT, 9, 0.9, "")));
    good.read(request(0, 0).tokens(-1, -1, -1, -1).noUsage().build(), 1);

    Goodput.Kept kept = good.goodput(2).fromIntended();

    assertThat(kept.requestsPerSecond()).isEqualTo(Figure.of(0.5));
    assertThat(kept.outputTokensPerSecond())
        .isEqualTo(Figure.missing("the tokens of 1 of 1 good requests are unknown"));
  }

  @Test
  void withoutAnObjectiveOnRequestsThereIsNone() {
    GoodRequests good = new GoodRequests(List.of(new Objective(Metric.ITL, 9, 0.9, "")));
    good.read(request(0, 0).build(), 1);

    assertThat(good.goodput(2).limits()).isEmpty();
    assertThat(good.goodput(2).fromStart().requestsPerSecond())
        .isInstanceOf(Figure.Unavailable.class);
  }
}
