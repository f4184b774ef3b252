package tallystick.plan;

import java.util.List;
import java.util.stream.IntStream;
import tallystick.scenario.Scenario.StopRules;

/**
 * Deals the arrivals of a plan out to several machines: of warm-up and window each, the k-th goes
 * to shard k modulo their number, and the requests of a closed loop go where their user goes. The
 * parts of any number of shards together are the plan, request for request.
 */
public final class ShardPlan {
  private final Plan whole;
  private final int count;
  private final int[] owners;

  /**
   * A plan dealt out.
   *
   * @param count how many shards, at least 1
   */
  public ShardPlan(Plan whole, int count) {
    this.whole = whole;
    this.count = count;
    this.owners = owners(whole, count);
  }

  private static int[] owners(Plan plan, int count) {
    int[] owners = new int[plan.requests().size()];
    boolean isClosed = plan.settings().loop() == LoopShape.CLOSED;
    boolean wasWarmup = true;
    int arrival = -1;
    for (PlannedRequest request : plan.requests()) {
      if (wasWarmup && !request.isWarmup()) {
        wasWarmup = false;
        arrival = -1;
      }
      // The turns of a conversation lie behind each other and stay together.
      arrival += request.turn() == 0 ? 1 : 0;
      int rank = isClosed ? arrival % plan.settings().concurrency() : arrival;
      owners[request.index()] = rank % count;
    }
    return owners;
  }

  /** Whether a request of the plan is a shard's; one outside the plan is whose record holds it. */
  public boolean isOf(int shard, int requestIndex) {
    return requestIndex >= owners.length || owners[requestIndex] == shard;
  }

  /** How many requests of the plan are a shard's. */
  public int requests(int shard) {
    return (int) IntStream.of(owners).filter(owner -> owner == shard).count();
  }

  /**
   * What keeps the plan from being dealt out, in words for the user; empty if nothing does.
   */
  public String obstacle() {
    Settings settings = whole.settings();
    if (count == 1) {
      return "";
    }
    if (!settings.stop().equals(StopRules.NEVER)) {
      return "stop_when sees one shard's requests only, so one shard would stop and the others go"
          + " on: leave stop_when out";
    }
    if (settings.concurrency() > 0 && settings.concurrency() < count) {
      return "concurrency is " + settings.concurrency()
          + ", which cannot be shared by " + count + " shards: take fewer shards";
    }
    boolean isIdle =
        IntStream.range(0, count)
            .anyMatch(
                shard ->
                    whole.requests().stream()
                        .noneMatch(r -> !r.isWarmup() && owners[r.index()] == shard));
    return isIdle ? "the window has fewer arrivals than shards: take fewer shards" : "";
  }

  /** What one shard sends. The first one scrapes, so it alone knows the exporters. */
  public Plan part(int shard) {
    Settings settings = whole.settings();
    int all = settings.concurrency();
    int own = all == 0 ? 0 : all / count + (shard < all % count ? 1 : 0);
    return new Plan(
        settings.part(own, shard == 0 ? settings.exporters() : List.of()),
        whole.requests().stream().filter(r -> owners[r.index()] == shard).toList());
  }
}
