package tallystick.gatling;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import tallystick.openai.CompletionResult;
import tallystick.runrecord.Outcome;

/** What a load has done so far. Threads: any. */
public final class LoadCounters {
  private final LongAdder sent = new LongAdder();
  private final LongAdder ok = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder left = new LongAdder();
  private final LongAdder firstTokens = new LongAdder();
  private final LongAdder firstTokenNanos = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final LongAdder gapNanos = new LongAdder();
  private final Map<String, LongAdder> protocols = new ConcurrentSkipListMap<>();
  private final AtomicLong largestFirstTokenNanos = new AtomicLong();

  /** Requests started. */
  public long sent() {
    return sent.sum();
  }

  /** Requests that ended well. */
  public long ok() {
    return ok.sum();
  }

  /** Requests that failed. */
  public long failed() {
    return failed.sum();
  }

  /** Requests that the client left on purpose. */
  public long left() {
    return left.sum();
  }

  /** Requests started and not ended. */
  public long inFlight() {
    return Math.max(0, sent.sum() - ok.sum() - failed.sum() - left.sum());
  }

  /** Requests that ended with a token. */
  public long firstTokens() {
    return firstTokens.sum();
  }

  /** Their times to first token, together, from the intended start. */
  public long firstTokenNanos() {
    return firstTokenNanos.sum();
  }

  /** Gaps between chunks of requests that ended. */
  public long gaps() {
    return gaps.sum();
  }

  /** These gaps together. */
  public long gapNanos() {
    return gapNanos.sum();
  }

  /** Largest time to first token so far. */
  public long largestFirstTokenNanos() {
    return largestFirstTokenNanos.get();
  }

  /** Answers by what the server spoke: {@code h2 1200, http/1.1 3}. */
  public String protocols() {
    return protocols.entrySet().stream()
        .map(one -> one.getKey() + " " + one.getValue())
        .collect(Collectors.joining(", "));
  }

  void countStart() {
    sent.increment();
  }

  void countEnd(long intendedNanoTime, CompletionResult result) {
    if (!result.protocol().isEmpty()) {
      protocols.computeIfAbsent(result.protocol(), any -> new LongAdder()).increment();
    }
    int chunks = result.chunks().size();
    if (chunks > 0) {
      long[] arrivals = result.chunks().arrivalNanos();
      long first = arrivals[0] - intendedNanoTime;
      firstTokens.increment();
      firstTokenNanos.add(first);
      largestFirstTokenNanos.accumulateAndGet(first, Math::max);
      gaps.add(chunks - 1);
      gapNanos.add(arrivals[chunks - 1] - arrivals[0]);
    }
    Outcome outcome = result.ending().outcome();
    (outcome == Outcome.OK ? ok : outcome.isFailure() ? failed : left).increment();
  }
}
