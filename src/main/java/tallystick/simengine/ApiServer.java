package tallystick.simengine;

import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * The time of vLLM's API server: one thread that does one thing at a time, in the order it comes.
 *
 * <p>It has no clock: the caller tells when work comes and how late it is. Safe for threads.
 */
final class ApiServer {
  /** There is nothing to wait for. */
  static final long NEVER = Long.MAX_VALUE;

  private final StepTimeProfile.ApiServerTime time;
  private final PriorityQueue<TimedAction> parsed = new PriorityQueue<>();
  private long freeNanos = Long.MIN_VALUE;
  private long count;

  ApiServer(StepTimeProfile.ApiServerTime time) {
    this.time = time;
  }

  /**
   * Takes a prompt in.
   *
   * @param submitted is told when the engine may have it, once {@link #advance} reaches the
   *     prompt's second turn
   * @return when that turn comes
   */
  synchronized long arrive(long atNanos, LongConsumer submitted) {
    long parsedNanos = work(atNanos, time.parseNanos());
    parsed.add(
        new TimedAction(
            parsedNanos, count++,
            () -> submitted.accept(work(parsedNanos, time.submitNanos()))));
    return parsedNanos;
  }

  /** Puts to the engine what has been parsed by now. */
  synchronized void advance(long nowNanos) {
    while (!parsed.isEmpty() && parsed.peek().atNanos() <= nowNanos) {
      parsed.remove().action().run();
    }
  }

  /** When {@link #advance} has something to do next; {@link #NEVER} if it has not. */
  synchronized long nextNanos() {
    return parsed.isEmpty() ? NEVER : parsed.peek().atNanos();
  }

  /** Sends tokens on; when they go out, at once where outputs do not wait or take no time. */
  synchronized long send(long atNanos, int tokens) {
    long done = work(atNanos, time.outputNanos() * tokens);
    return time.outputsWait() && time.outputNanos() > 0 ? done : atNanos;
  }

  private long work(long atNanos, double nanos) {
    if (nanos == 0 && freeNanos <= atNanos) {
      return atNanos;
    }
    freeNanos = Math.max(freeNanos, atNanos) + Math.round(nanos);
    return freeNanos;
  }
}
