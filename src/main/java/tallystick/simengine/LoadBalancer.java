package tallystick.simengine;

import java.util.Arrays;
import java.util.List;
import tallystick.simengine.StepOutput.Statistics;

/**
 * Decides which of several engines takes a request, as vLLM's front end does for {@code
 * --data-parallel-size}.
 *
 * <p>An engine's load is the larger of the requests this server has under way on it and the
 * requests it last told of; waiting ones weigh more the fuller its KV cache is above one half. The
 * least loaded engine is taken, and the scan begins one engine further each time, so that equals
 * take turns. Counts become known at most every 100 ms, and until then a request that was sent
 * counts as waiting. Source: {@code v1/engine/core_client.py} and {@code coordinator.py} of vLLM
 * 0.32.
 *
 * <p>Threads: any.
 */
final class LoadBalancer {
  static final long PUBLISH_NANOS = 100_000_000; // vLLM 0.32, coordinator.py

  private static final double WAITING_WEIGHT = 6; // vLLM 0.32, core_client.py
  private static final double FREE_USAGE = 0.5; // vLLM 0.32, core_client.py

  private static final Statistics IDLE =
      new Statistics(0, 0, 0, 0, 0, List.of(), new StepOutput.Drafts(0, 0, new int[0]));

  private final int[] underWay;
  private final Statistics[] told;
  private final Statistics[] known;

  /** Requests that were sent since what is known was told. */
  private final int[] sent;

  private boolean hasChanged;
  private long tick;
  private int firstScanned;

  LoadBalancer(int engines) {
    underWay = new int[engines];
    sent = new int[engines];
    told = new Statistics[engines];
    Arrays.fill(told, IDLE);
    known = told.clone();
  }

  /** Takes an engine's word on its queue after a step. */
  synchronized void report(int engine, Statistics after, long nowNanos) {
    publish(nowNanos);
    Statistics before = told[engine];
    hasChanged |= before.waiting() != after.waiting() || before.running() != after.running();
    told[engine] = after;
  }

  /** The engine for the next request, which counts as under way from here on. */
  synchronized int choose(long nowNanos) {
    publish(nowNanos);
    int best = firstScanned;
    for (int i = 1; i < underWay.length; i++) {
      int engine = (firstScanned + i) % underWay.length;
      best = load(engine) < load(best) ? engine : best;
    }
    sent[best]++;
    underWay[best]++;
    firstScanned = (firstScanned + 1) % underWay.length;
    return best;
  }

  /** A request of the engine has ended, or its client has gone. */
  synchronized void ended(int engine) {
    underWay[engine]--;
  }

  /** What a report said before the last full interval is known after it. */
  private void publish(long nowNanos) {
    long now = nowNanos / PUBLISH_NANOS;
    if (now <= tick || !hasChanged) {
      tick = Math.max(tick, now);
      return;
    }
    tick = now;
    hasChanged = false;
    System.arraycopy(told, 0, known, 0, told.length);
    Arrays.fill(sent, 0);
  }

  private double load(int engine) {
    Statistics last = known[engine];
    int waiting = last.waiting() + sent[engine];
    double pressure = Math.max(0, last.kvCacheUsage() - FREE_USAGE);
    return Math.max(underWay[engine], waiting + last.running())
        + WAITING_WEIGHT * waiting * pressure;
  }
}
