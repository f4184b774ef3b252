package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadBalancerTest {
  private static final long NEXT_TICK = LoadBalancer.PUBLISH_NANOS;

  @Test
  void aBurstGoesRoundAllEngines() {
    LoadBalancer balancer = new LoadBalancer(3);
    assertThat(List.of(choose(balancer), choose(balancer), choose(balancer), choose(balancer)))
        .containsExactly(0, 1, 2, 0);
  }

  @Test
  void anEngineThatIsThroughWithItsRequestsIsTakenNext() {
    LoadBalancer balancer = new LoadBalancer(2);
    choose(balancer);
    choose(balancer);
    balancer.report(0, state(0, 1, 0.1), 0);
    balancer.report(1, state(0, 0, 0), 0);
    balancer.ended(1);
    balancer.choose(NEXT_TICK);
    // Engine 0 has one under way; engine 1 had none and has the new one: equal, the scan decides.
    assertThat(balancer.choose(NEXT_TICK)).isEqualTo(1);
  }

  @Test
  void whatAnEngineToldIsKnownAfterTheNextTick() {
    LoadBalancer balancer = new LoadBalancer(2);
    balancer.report(0, state(0, 9, 0.1), 1);
    assertThat(balancer.choose(2)).isZero();
    balancer.ended(0);
    // The scan begins at engine 1, then 0: only a load that is known gives engine 1 both times.
    assertThat(balancer.choose(NEXT_TICK)).isEqualTo(1);
    assertThat(balancer.choose(NEXT_TICK)).isEqualTo(1);
  }

  @Test
  void waitingWeighsMoreWhereTheCacheIsFull() {
    LoadBalancer balancer = new LoadBalancer(2);
    balancer.report(0, state(4, 0, 1), 0);
    balancer.report(1, state(4, 4, 0.4), 0);
    // 4 + 6 x 4 x 0.5 = 16 against 8.
    assertThat(balancer.choose(NEXT_TICK)).isEqualTo(1);
  }

  private static int choose(LoadBalancer balancer) {
    return balancer.choose(0);
  }

  private static StepOutput.Statistics state(int waiting, int running, double usage) {
    return new StepOutput.Statistics(
        running, waiting, usage, 0, 0, List.of(), new StepOutput.Drafts(0, 0, new int[0]));
  }
}
