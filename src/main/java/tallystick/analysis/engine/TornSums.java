package tallystick.analysis.engine;

import java.util.Optional;

/**
 * Whether the sums of one process's histogram can be what its buckets say, scrape after scrape.
 *
 * <p>A scrape may be torn. prometheus_client adds an observation to the sum first and to its bucket
 * second, and reads the buckets first and the sum second; vLLM answers {@code /metrics} on another
 * thread than the one that observes. So a scrape's sum may hold observations that the buckets
 * show one scrape later. Only a sum that this cannot explain is a contradiction.
 */
final class TornSums {
  private Optional<HistogramValues> first = Optional.empty();
  private Optional<HistogramValues> second = Optional.empty();
  private Optional<HistogramValues> twoBefore = Optional.empty();
  private Optional<HistogramValues> before = Optional.empty();
  private Optional<TooLarge> waiting = Optional.empty();

  /** A sum that only the next scrape's buckets may explain. */
  private record TooLarge(
      HistogramValues first, HistogramValues before, HistogramValues here, String fault) {
    /** Whether the buckets of the next scrape hold what the sum was ahead by, or cannot tell. */
    boolean isExplainedBy(HistogramValues next) {
      return holds(before, next) && holds(first, next);
    }

    private boolean holds(HistogramValues start, HistogramValues next) {
      return start
          .growthTo(next)
          .map(grown -> HistogramValues.isAtMost(here.sum() - start.sum(), grown.most()))
          .orElse(true);
    }
  }

  /** Takes the next scrape; tells why a sum up to here cannot be. */
  Optional<String> take(HistogramValues now) {
    Optional<String> late = waiting.filter(one -> !one.isExplainedBy(now)).map(TooLarge::fault);
    waiting = Optional.empty();
    Optional<HistogramValues> grown = before.flatMap(last -> last.growthTo(now));
    boolean isStartOver = before.isPresent() && grown.isEmpty() && !now.isSameAs(before.get());
    if (isStartOver) {
      first = Optional.empty();
      second = Optional.empty();
      twoBefore = Optional.empty();
      before = Optional.empty();
    }
    Optional<String> here =
        grown.flatMap(
            more ->
                more.bucketFault()
                    .or(() -> more.sumFault().flatMap(fault -> judged(more, now, fault))));
    second = first.isPresent() && second.isEmpty() ? Optional.of(now) : second;
    first = first.isEmpty() ? Optional.of(now) : first;
    twoBefore = before;
    before = Optional.of(now);
    return late.isPresent() ? late : here;
  }

  /** What still waits for the next scrape; where the last one is of a quiet engine, a fault. */
  Optional<String> unexplained() {
    return waiting.map(TooLarge::fault);
  }

  private Optional<String> judged(HistogramValues grown, HistogramValues now, String fault) {
    HistogramValues last = before.orElseThrow();
    if (!HistogramValues.isAtMost(grown.sum(), grown.most())) {
      waiting = Optional.of(new TooLarge(first.orElseThrow(), last, now, fault));
      return Optional.empty();
    }
    boolean isExplained =
        grown.sum() >= 0
            && twoBefore.map(start -> holdsLeast(start, last, now)).orElse(true)
            && second.map(next -> holdsLeast(first.orElseThrow(), next, now)).orElse(true);
    return isExplained ? Optional.empty() : Optional.of(fault);
  }

  /** Whether the sum since a scrape holds at least what the buckets showed after the next one. */
  private static boolean holdsLeast(
      HistogramValues start, HistogramValues next, HistogramValues now) {
    return next
        .growthTo(now)
        .map(grown -> HistogramValues.isAtLeast(now.sum() - start.sum(), grown.least()))
        .orElse(true);
  }
}
