package tallystick.analysis.client;

import tallystick.runrecord.RequestRow;

/** The largest part of a limit that a request or a session uses, as far as anybody can tell. */
final class LargestPart {
  /** Parts are counted in billionths. */
  static final long WHOLE_LIMIT = 1_000_000_000L;

  private long used;
  private long atNanos;
  private boolean isOpen;

  /** Takes what a request for so many answers used of a limit. */
  void take(MetricExtractor limit, RequestRow row, int choices) {
    boolean[] isRead = {limit.isNothingToKeep(row, choices)};
    limit.read(
        row,
        choices,
        (nanos, at, unfinished) -> {
          isRead[0] = true;
          take(limit, nanos, at);
        });
    isOpen |= !isRead[0];
  }

  /** Takes a duration, and when it was seen. */
  void take(MetricExtractor limit, long nanos, long at) {
    long of = partUsed(limit, nanos);
    if (of > used) {
      used = of;
      atNanos = at;
    }
  }

  /** Nobody can tell whether a limit was kept. */
  void open() {
    isOpen = true;
  }

  /** Gives it on: seen at the end where nothing was used. */
  void give(SampleConsumer taker, long endNanos, boolean isLeft) {
    taker.take(used, used == 0 ? endNanos : atNanos, isOpen || isLeft);
  }

  /** At most a whole limit exactly if the duration is within it, whatever rounding does. */
  private static long partUsed(MetricExtractor limit, long nanos) {
    if (nanos >= MetricExtractor.NEVER_CAME) {
      return MetricExtractor.NEVER_CAME;
    }
    double exact = nanos / limit.limit().thresholdSeconds();
    long used = (long) Math.min(exact, MetricExtractor.NEVER_CAME / 2);
    return limit.isWithin(nanos) ? Math.min(used, WHOLE_LIMIT) : Math.max(used, WHOLE_LIMIT + 1);
  }
}
