package tallystick.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.plan.ScenarioFixture.SECOND;
import static tallystick.plan.ScenarioFixture.constant;
import static tallystick.plan.ScenarioFixture.plan;
import static tallystick.plan.ScenarioFixture.poisson;
import static tallystick.plan.ScenarioFixture.requests;
import static tallystick.plan.ScenarioFixture.seconds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.scenario.Arrival;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.ScenarioReader;

class ShardPlanTest {
  private static final int MOST_SHARDS = 7;

  /** A trace, conversations, users of a closed loop, steps; and every other kind of arrival. */
  static Stream<Plan> plans() throws IOException {
    Stream<Plan> ready =
        Stream.of(
                "azure-replay", "trace-replay", "conversations", "agents", "kv-pressure",
                "mixed-traffic")
            .map(name -> Path.of("scenarios", name + ".yaml"))
            .map(file -> ScenarioReader.read(file, List.of(), List.of()))
            .map(scenario -> Planner.plan(scenario, scenario.seed()));
    Arrival bursts = new Arrival.Open(new Rate.Steady(8), 0.25, 0);
    Arrival wave = poisson(new Rate.Sine(8, 4, 10));
    Arrival ramp = poisson(new Rate.Ramp(1, 9, 10));
    Arrival steps =
        poisson(
            new Rate.Steps(
                List.of(new Rate.Step("a", 4, 5 * SECOND), new Rate.Step("b", 9, 5 * SECOND))));
    Arrival users = new Arrival.Closed(13);
    return Stream.concat(
        ready,
        Stream.of(
            plan(constant(8), seconds(10), requests(5), 3),
            plan(bursts, seconds(10), requests(5), 3),
            plan(wave, seconds(10), Extent.NOTHING, 3),
            plan(ramp, seconds(10), requests(3), 3),
            plan(steps, seconds(10), requests(3), 3),
            plan(users, requests(101), requests(20), 3)));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void theShardsTogetherAreThePlanRequestForRequest(Plan whole) {
    for (int count = 1; count <= MOST_SHARDS; count++) {
      ShardPlan shards = new ShardPlan(whole, count);
      List<PlannedRequest> union = new ArrayList<>();
      for (int shard = 0; shard < count; shard++) {
        Plan part = shards.part(shard);
        assertThat(part.requests().size()).isEqualTo(shards.requests(shard));
        union.addAll(part.requests());
      }
      union.sort(Comparator.comparingInt(PlannedRequest::index));

      assertThat(union.equals(whole.requests())).as("%s shards", count).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void aUserAndItsConversationsStayInOneShard(Plan whole) {
    for (int count = 2; count <= MOST_SHARDS; count++) {
      ShardPlan shards = new ShardPlan(whole, count);
      Map<Long, Integer> homes = new HashMap<>();
      for (int shard = 0; shard < count; shard++) {
        for (PlannedRequest request : shards.part(shard).requests()) {
          long user = 2L * request.user() + (request.isWarmup() ? 1 : 0);
          if (homes.merge(user, shard, (before, now) -> before) != shard) {
            throw new AssertionError("user " + request.user() + " is in two of " + count);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void placesInFlightAndUsersAreSharedWithoutLoss(Plan whole) {
    int all = whole.settings().concurrency();
    for (int count = 1; count <= Math.min(MOST_SHARDS, Math.max(1, all)); count++) {
      ShardPlan shards = new ShardPlan(whole, count);
      int sum = 0;
      for (int shard = 0; shard < count; shard++) {
        sum += shards.part(shard).settings().concurrency();
      }
      assertThat(sum).isEqualTo(all);
    }
  }

  @Test
  void everyThirdArrivalIsOneShards() {
    Plan whole = plan(constant(8), requests(10), requests(4), 1);

    assertThat(new ShardPlan(whole, 3).part(1).requests())
        .extracting(PlannedRequest::index)
        .containsExactly(1, 4 + 1, 4 + 4, 4 + 7);
  }

  @Test
  void onlyTheFirstShardKnowsWhatIsScrapedBesideTheTargets() throws IOException {
    Scenario scenario =
        ScenarioReader.read(
            Path.of("scenarios/exporters.yaml"), List.of(), List.of());
    ShardPlan shards = new ShardPlan(Planner.plan(scenario, 1), 2);

    assertThat(shards.part(0).settings().exporters()).isNotEmpty();
    assertThat(shards.part(1).settings().exporters()).isEmpty();
  }

  @Test
  void whatShardsCannotKeepIsRefused() {
    Plan users = plan(new Arrival.Closed(2), requests(9), Extent.NOTHING, 1);
    Plan few = plan(constant(8), requests(2), Extent.NOTHING, 1);

    assertThat(new ShardPlan(users, 3).obstacle()).contains("concurrency is 2");
    assertThat(new ShardPlan(few, 3).obstacle()).contains("fewer arrivals than shards");
    assertThat(new ShardPlan(plan(constant(8), seconds(5)), 3).obstacle()).isEmpty();
    assertThat(new ShardPlan(users, 1).obstacle()).isEmpty();
  }
}
