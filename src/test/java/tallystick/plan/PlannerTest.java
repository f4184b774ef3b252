package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Arrival;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Lengths;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Target;
import tallystick.scenario.Workload;
import tallystick.scenario.Workload.RequestClass;

class PlannerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Lengths PROMPT = new Lengths.Uniform(10, 20);
  private static final Lengths OUTPUT = new Lengths.Uniform(5, 9);

  @Test
  void aConstantRateStartsAtZeroAndKeepsItsDistance() {
    Plan plan = plan(constant(8), new Extent(2 * SECOND, 0), Extent.NOTHING, 1);

    assertThat(offsets(plan, "main")).hasSize(16).startsWith(0L, 125_000_000L, 250_000_000L);
    assertThat(plan.settings().phases())
        .containsExactly(new Phase("main", false, 0, 2 * SECOND, 8));
    assertThat(plan.settings().loop()).isEqualTo(LoopShape.OPEN);
  }

  @Test
  void aNumberOfRequestsEndsWhereTheNextWouldStart() {
    Plan plan = plan(constant(8), new Extent(0, 4), Extent.NOTHING, 1);

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
    Plan with = plan(poisson(8), new Extent(10 * SECOND, 0), new Extent(0, 5), 3);
    Plan without = plan(poisson(8), new Extent(10 * SECOND, 0), Extent.NOTHING, 3);

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
    Plan plan = plan(poisson(8), new Extent(10 * SECOND, 0), new Extent(0, 5), 3);

    for (int i = 0; i < plan.requests().size(); i++) {
      assertThat(plan.requests().get(i).index()).isEqualTo(i);
      assertThat(plan.requests().get(i).user()).isEqualTo(i);
    }
  }

  @Test
  void theSameSeedGivesTheSamePlanAndAnotherSeedAnother() {
    Extent extent = new Extent(20 * SECOND, 0);

    assertThat(plan(poisson(8), extent, Extent.NOTHING, 1))
        .isEqualTo(plan(poisson(8), extent, Extent.NOTHING, 1));
    assertThat(offsets(plan(poisson(8), extent, Extent.NOTHING, 1), "main"))
        .isNotEqualTo(offsets(plan(poisson(8), extent, Extent.NOTHING, 2), "main"));
  }

  @Test
  void anotherRateLeavesTheLengthsAlone() {
    Plan slow = plan(poisson(4), new Extent(0, 50), Extent.NOTHING, 1);
    Plan fast = plan(poisson(40), new Extent(0, 50), Extent.NOTHING, 1);

    assertThat(slow.requests()).extracting(PlannedRequest::prompt)
        .isEqualTo(fast.requests().stream().map(PlannedRequest::prompt).toList());
  }

  @Test
  void closedUsersTakeTurnsAndFollowThemselves() {
    Plan plan = plan(new Arrival.Closed(3), new Extent(0, 8), new Extent(0, 2), 1);

    assertThat(plan.settings().loop()).isEqualTo(LoopShape.CLOSED);
    assertThat(plan.settings().concurrency()).isEqualTo(3);
    assertThat(plan.requests()).extracting(PlannedRequest::user)
        .containsExactly(0, 1, 3, 4, 5, 3, 4, 5, 3, 4);
    assertThat(offsets(plan, "main")).containsExactly(0L, 0L, 0L, -1L, -1L, -1L, -1L, -1L);
    assertThat(plan.settings().timing().isBounded()).isFalse();
  }

  @Test
  void aClosedLoopBoundedByTimeHasMoreRequestsThanAnyEngineCanAnswer() {
    Plan plan = plan(new Arrival.Closed(4), new Extent(10 * SECOND, 0), Extent.NOTHING, 1);

    // 5 output tokens at least, 6 ms at least: 1667 requests of each of 4 users.
    assertThat(plan.requests()).hasSize(4 * 1667);
    assertThat(plan.settings().timing().durationNanos()).isEqualTo(10 * SECOND);
  }

  @Test
  void targetsTakeTurnsByWeight() {
    Scenario scenario =
        scenario(
            constant(8), new Extent(0, 8), Extent.NOTHING,
            List.of(new Target("http://a", "http://a/metrics", 3), Target.at("http://b")));

    assertThat(Planner.plan(scenario, 1).requests()).extracting(PlannedRequest::target)
        .containsExactly(0, 0, 1, 0, 0, 0, 1, 0);
  }

  @Test
  void totalsAddUpPerPhaseAndInAll() {
    Plan plan = plan(constant(8), new Extent(2 * SECOND, 0), new Extent(0, 4), 1);

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

  private static Arrival constant(double rate) {
    return new Arrival.Open(new Rate.Steady(rate), Arrival.Open.CONSTANT, 0);
  }

  private static Arrival poisson(double rate) {
    return new Arrival.Open(new Rate.Steady(rate), Arrival.Open.POISSON, 0);
  }

  private static List<Long> offsets(Plan plan, String phase) {
    return plan.requests().stream()
        .filter(r -> r.phase().equals(phase))
        .map(PlannedRequest::offsetNanos)
        .toList();
  }

  private static Plan plan(Arrival arrival, Extent extent, Extent warmup, long seed) {
    return Planner.plan(scenario(arrival, extent, warmup, List.of()), seed);
  }

  private static Scenario scenario(
      Arrival arrival, Extent extent, Extent warmup, List<Target> targets) {
    return new Scenario(
        "test", targets, "", Endpoint.COMPLETIONS,
        new Workload(arrival, List.of(new RequestClass("default", 1, PROMPT, OUTPUT))),
        extent, warmup, 1, List.of(),
        new Scenario.Limits(SECOND, 120 * SECOND),
        new Scenario.RequestForm(true, false, true, "", Map.of()),
        Map.of(), Map.of());
  }
}
