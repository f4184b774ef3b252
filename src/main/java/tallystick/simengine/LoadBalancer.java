package tallystick.simengine;

import java.util.Arrays;

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

  private final int[] underWay;
  private final double[] usages;
  private final int[] waiting;
  private final int[] running;
  private final double[] knownUsages;
  private final int[] knownWaiting;
  private final int[] knownRunning;
  private boolean hasChanged;
  private long tick;
  private int firstScanned;

  LoadBalancer(int engines) {
    underWay = new int[engines];
    usages = new double[engines];
    waiting = new int[engines];
    running = new int[engines];
    knownUsages = new double[engines];
    knownWaiting = new int[engines];
    knownRunning = new int[engines];
  }

  /** Takes an engine's word on its queue after a step. */
  synchronized void report(int engine, StepOutput.Statistics after, long nowNanos) {
    publish(nowNanos);
    hasChanged |= waiting[engine] != after.waiting() || running[engine] != after.running();
    waiting[engine] = after.waiting();
    running[engine] = after.running();
    usages[engine] = after.kvCacheUsage();
  }

  /** The engine for the next request, which counts as under way from here on. */
  synchronized int choose(long nowNanos) {
    publish(nowNanos);
    int best = firstScanned;
    for (int i = 1; i < underWay.length; i++) {
      int engine = (firstScanned + i) % underWay.length;
      best = load(engine) < load(best) ? engine : best;
    }
    knownWaiting[best]++;
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
    System.arraycopy(waiting, 0, knownWaiting, 0, waiting.length);
    System.arraycopy(running, 0, knownRunning, 0, running.length);
    System.arraycopy(usages, 0, knownUsages, 0, usages.length);
  }

  private double load(int engine) {
    double told = knownWaiting[engine] + knownRunning[engine];
    double pressure = Math.max(0, knownUsages[engine] - FREE_USAGE);
    return Math.max(underWay[engine], told) + WAITING_WEIGHT * knownWaiting[engine] * pressure;
  }

  @Override
  public String toString() {
    return "under way " + Arrays.toString(underWay);
  }
}
