package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.plan.ScenarioFixture.SECOND;
import static tallystick.plan.ScenarioFixture.constant;
import static tallystick.plan.ScenarioFixture.offsets;
import static tallystick.plan.ScenarioFixture.plan;
import static tallystick.plan.ScenarioFixture.poisson;
import static tallystick.plan.ScenarioFixture.requests;
import static tallystick.plan.ScenarioFixture.scenario;
import static tallystick.plan.ScenarioFixture.seconds;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Arrival;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Target;
import tallystick.scenario.Workload;
import tallystick.scenario.ThinkTime;

class PlannerTest {
  @Test
  void aConstantRateStartsAtZeroAndKeepsItsDistance() {
    Plan plan = plan(constant(8), seconds(2), Extent.NOTHING, 1);

    assertThat(offsets(plan, "main")).hasSize(16).startsWith(0L, 125_000_000L, 250_000_000L);
    assertThat(plan.settings().phases())
        .containsExactly(new Phase("main", false, 0, 2 * SECOND, 8));
    assertThat(plan.settings().loop()).isEqualTo(LoopShape.OPEN);
  }

  @Test
  void aNumberOfRequestsEndsWhereTheNextWouldStart() {
    Plan plan = plan(constant(8), requests(4), Extent.NOTHING, 1);

    assertThat(plan.requests()).hasSize(4);
    assertThat(plan.settings().timing().durationNanos()).isEqualTo(SECOND / 2);
  }

  @Test
  void theFirstBoundThatIsReachedEndsTheWindow() {
    assertThat(plan(constant(8), new Extent(SECOND, 4), Extent.NOTHING, 1).requests()).hasSize(4);
    assertThat(plan(constant(8), new Extent(SECOND, 99), Extent.NOTHING, 1).requests()).hasSize(8);
  }

  @Test
  void theWarmUpComesFirstWithItsOwnOriginAndDraws() {
    Plan with = plan(poisson(8), seconds(10), requests(5), 3);
    Plan without = plan(poisson(8), seconds(10), Extent.NOTHING, 3);

    assertThat(with.settings().phases()).extracting(Phase::name).containsExactly("warmup", "main");
    assertThat(with.settings().phases().get(0).warmup()).isTrue();
    assertThat(with.requests().subList(0, 5))
        .allSatisfy(r -> assertThat(r.phase()).isEqualTo("warmup"));
    assertThat(offsets(with, "main")).isEqualTo(offsets(without, "main"));
    assertThat(with.requests().subList(5, with.requests().size()))
        .extracting(PlannedRequest::maxTokens)
        .isEqualTo(without.requests().stream().map(PlannedRequest::maxTokens).toList());
  }

  @Test
  void indexesCountUpAndEveryOpenRequestHasItsOwnUser() {
    Plan plan = plan(poisson(8), seconds(10), requests(5), 3);

    for (int i = 0; i < plan.requests().size(); i++) {
      assertThat(plan.requests().get(i).index()).isEqualTo(i);
      assertThat(plan.requests().get(i).user()).isEqualTo(i);
    }
  }

  @Test
  void theSameSeedGivesTheSamePlanAndAnotherSeedAnother() {
    Extent extent = seconds(20);

    assertThat(plan(poisson(8), extent, Extent.NOTHING, 1))
        .isEqualTo(plan(poisson(8), extent, Extent.NOTHING, 1));
    assertThat(offsets(plan(poisson(8), extent, Extent.NOTHING, 1), "main"))
        .isNotEqualTo(offsets(plan(poisson(8), extent, Extent.NOTHING, 2), "main"));
  }

  @Test
  void anotherRateLeavesTheLengthsAlone() {
    Plan slow = plan(poisson(4), requests(50), Extent.NOTHING, 1);
    Plan fast = plan(poisson(40), requests(50), Extent.NOTHING, 1);

    assertThat(slow.requests()).extracting(PlannedRequest::prompt)
        .isEqualTo(fast.requests().stream().map(PlannedRequest::prompt).toList());
  }

  @Test
  void closedUsersTakeTurnsAndFollowThemselves() {
    Plan plan = plan(new Arrival.Closed(3), requests(8), requests(2), 1);

    assertThat(plan.settings().loop()).isEqualTo(LoopShape.CLOSED);
    assertThat(plan.settings().concurrency()).isEqualTo(3);
    assertThat(plan.requests()).extracting(PlannedRequest::user)
        .containsExactly(0, 1, 3, 4, 5, 3, 4, 5, 3, 4);
    assertThat(offsets(plan, "main")).containsExactly(0L, 0L, 0L, -1L, -1L, -1L, -1L, -1L);
    assertThat(plan.settings().timing().isBounded()).isFalse();
  }

  @Test
  void aClosedLoopsUsersThinkBetweenWhatTheySend() {
    Arrival users = new Arrival.Closed(2, new ThinkTime.Fixed(2 * SECOND));

    assertThat(plan(users, requests(5), Extent.NOTHING, 1).requests())
        .extracting(PlannedRequest::thinkNanos)
        .containsExactly(0L, 0L, 2 * SECOND, 2 * SECOND, 2 * SECOND);
    // The warm-up need not last longer.
    assertThat(plan(users, requests(2), requests(4), 1).requests())
        .allMatch(request -> request.thinkNanos() == 0);
  }

  @Test
  void aClosedLoopBoundedByTimeHasMoreRequestsThanAnyEngineCanAnswer() {
    Plan plan = plan(new Arrival.Closed(4), seconds(10), Extent.NOTHING, 1);

    // 5 output tokens at least, 6 ms at least: 1667 requests of each of 4 users.
    assertThat(plan.requests()).hasSize(4 * 1667);
    assertThat(plan.settings().timing().durationNanos()).isEqualTo(10 * SECOND);
  }

  @Test
  void targetsTakeTurnsByWeight() {
    Scenario scenario =
        scenario(
            new Workload(constant(8), List.of(ScenarioFixture.PLAIN)), requests(8),
            Extent.NOTHING,
            List.of(new Target("http://a", "http://a/metrics", 3), Target.at("http://b")));

    assertThat(Planner.plan(scenario, 1).requests()).extracting(PlannedRequest::target)
        .containsExactly(0, 0, 1, 0, 0, 0, 1, 0);
  }

  @Test
  void totalsOfAClosedLoopBoundedByTimeAreTheMostThatCanBeSent() {
    Plan byTime = plan(new Arrival.Closed(2), seconds(1), requests(3), 1);
    Plan byNumber = plan(new Arrival.Closed(2), requests(5), requests(3), 1);

    assertThat(PlanTotals.byPhase(byTime)).extracting(PlanTotals::isMost)
        .containsExactly(false, true);
    assertThat(PlanTotals.of(byTime).isMost()).isTrue();
    assertThat(PlanTotals.of(byNumber).isMost()).isFalse();
    assertThat(PlanTotals.of(byNumber).isBounded()).isFalse();
    assertThat(PlanListing.totals(byTime).get(1)).startsWith("main         <= ");
  }

  @Test
  void oneRequestIsNotToldAsSeveral() {
    assertThat(PlanListing.totals(plan(constant(8), requests(1), Extent.NOTHING, 1)).getFirst())
        .containsPattern("main +1 request, [0-9]+ prompt tokens, ");
  }

  @Test
  void totalsAddUpPerPhaseAndInAll() {
    Plan plan = plan(constant(8), seconds(2), requests(4), 1);

    List<PlanTotals> phases = PlanTotals.byPhase(plan);
    PlanTotals all = PlanTotals.of(plan);

    assertThat(phases).extracting(PlanTotals::requests).containsExactly(4, 16);
    assertThat(all.requests()).isEqualTo(20);
    assertThat(all.promptTokens())
        .isEqualTo(phases.stream().mapToLong(PlanTotals::promptTokens).sum())
        .isBetween(200L, 400L);
    assertThat(all.outputTokens())
        .isEqualTo(plan.requests().stream().mapToLong(PlannedRequest::maxTokens).sum());
    assertThat(all.durationNanos()).isEqualTo(2_500_000_000L);
  }
}
