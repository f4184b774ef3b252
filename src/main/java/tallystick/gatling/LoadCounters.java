package tallystick.gatling;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import tallystick.openai.CompletionResult;
import tallystick.runrecord.Outcome;

/** What a load has done so far. Threads: any. */
public final class LoadCounters {
  private final LongAdder sent = new LongAdder();
  private final LongAdder ok = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder firstTokens = new LongAdder();
  private final LongAdder firstTokenNanos = new LongAdder();
  private final AtomicLong largestFirstTokenNanos = new AtomicLong();

  /** Requests started. */
  public long sent() {
    return sent.sum();
  }

  /** Requests that ended well. */
  public long ok() {
    return ok.sum();
  }

  /** Requests that ended otherwise. */
  public long failed() {
    return failed.sum();
  }

  /** Requests started and not ended. */
  public long inFlight() {
    return Math.max(0, sent.sum() - ok.sum() - failed.sum());
  }

  /** Mean time to first token so far from the intended start; 0 before the first. */
  public long meanFirstTokenNanos() {
    long count = firstTokens.sum();
    return count == 0 ? 0 : firstTokenNanos.sum() / count;
  }

  /** Largest time to first token so far. */
  public long largestFirstTokenNanos() {
    return largestFirstTokenNanos.get();
  }

  void countStart() {
    sent.increment();
  }

  void countEnd(long intendedNanoTime, CompletionResult result) {
    if (result.chunks().size() > 0) {
      long first = result.chunks().arrivalNanos()[0] - intendedNanoTime;
      firstTokens.increment();
      firstTokenNanos.add(first);
      largestFirstTokenNanos.accumulateAndGet(first, Math::max);
    }
    (result.ending().outcome() == Outcome.OK ? ok : failed).increment();
  }
}
