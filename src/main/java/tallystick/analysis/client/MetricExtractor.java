package tallystick.analysis.client;

import java.util.Arrays;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** What a request brought of the one quantity that a limit is about. */
final class MetricExtractor {
  /** The duration of what never came, in nanoseconds. */
  static final long NEVER_CAME = 1L << 60;

  /** What a token counts where others count nanoseconds: thresholds are of seconds. */
  private static final long ONE_TOKEN = 1_000_000_000L;

  private final Objective limit;
  private final long longestNanos;
  private final WaitStart start;
  private final Reading reading;

  /**
   * A reading of requests by one limit.
   *
   * @param limit an objective on one metric
   * @param start from when a wait counts
   */
  MetricExtractor(Objective limit, WaitStart start) {
    this.limit = limit;
    this.longestNanos = SampleSet.longestWithin(limit.thresholdSeconds());
    this.start = start;
    this.reading = reading();
  }

  Objective limit() {
    return limit;
  }

  boolean isMeantFor(RequestRow row) {
    return limit.requestClass().isEmpty() || limit.requestClass().equals(row.requestClass());
  }

  boolean isWithin(long nanos) {
    return nanos <= longestNanos;
  }

  long gapsWithin(long[] moments) {
    long within = 0;
    for (int i = 1; i < moments.length; i++) {
      within += moments[i] - moments[i - 1] <= longestNanos ? 1 : 0;
    }
    return within;
  }

  /**
   * Gives what a request brought; nothing for one of another class. Several answers share one
   * stream: its gaps belong to none of them.
   */
  void read(RequestRow row, int choices, SampleConsumer taker) {
    if (!isMeantFor(row)) {
      return;
    }
    if (row.ending().outcome().isFailure()) {
      taker.take(NEVER_CAME, row.times().ended(), false);
    } else if (choices == 1 || limit.metric().isFromStart()) {
      reading.read(row, taker, row.ending().outcome() == Outcome.CLIENT_CANCELLED);
    }
  }

  /**
   * Whether a whole answer cannot have broken the limit: between its tokens, or its chunks, there
   * is not a time. {@code vllm bench serve} gives an answer of one token a TPOT of 0.
   */
  boolean isNothingToKeep(RequestRow row, int choices) {
    boolean isWhole = row.ending().outcome() == Outcome.OK && row.hasFirstToken();
    return isWhole
        && choices == 1
        && switch (limit.metric()) {
          case TTFT, ANSWER_TTFT, THINKING_TOKENS, E2E, SESSION_TIME,
              SESSION_TIME_WITHOUT_TOOLS, ITL, ALL -> false;
          case TPOT -> row.laterTokens() == 0;
          case LARGEST_GAP -> row.chunks().size() == 1;
        };
  }

  /**
   * When the wait for a thing that was bad passed the limit: its user suffers from then on. The
   * moment it was seen where no wait was too long, as of a server that refuses.
   */
  long brokenNanos(RequestRow row, long atNanos) {
    long longest = (long) (limit.thresholdSeconds() * 1e9);
    long begun = start.nanos(row);
    long first = row.hasFirstToken() ? row.firstTokenNanos() : row.times().ended();
    long broken =
        switch (limit.metric()) {
          case TTFT -> first - begun > longest ? begun + longest : atNanos;
          case ANSWER_TTFT, E2E -> begun + longest;
          case THINKING_TOKENS, SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS -> atNanos;
          case TPOT -> first + longest * Math.max(1, row.laterTokens());
          case ITL ->
              row.ending().outcome() == Outcome.OK
                  ? lastBefore(row, atNanos) + longest
                  : endOfPatience(row, longest);
          case LARGEST_GAP -> endOfPatience(row, longest);
          case ALL -> throw new IllegalStateException("several limits are no quantity");
        };
    return Math.min(broken, atNanos);
  }

  private static long lastBefore(RequestRow row, long atNanos) {
    int next = Arrays.binarySearch(row.chunks().arrivalNanos(), atNanos);
    int last = (next < 0 ? -next - 1 : next) - 1;
    return last < 0 ? atNanos : row.chunks().arrivalNanos()[last];
  }

  private static long endOfPatience(RequestRow row, long longest) {
    long last = row.times().ended();
    for (long arrival : row.chunks().arrivalNanos()) {
      if (arrival - last > longest) {
        break;
      }
      last = arrival;
    }
    return last + longest;
  }

  /**
   * What each metric takes from a request that ended well, or that its client left; a limit on
   * sessions takes none.
   */
  private Reading reading() {
    return switch (limit.metric()) {
      case TTFT -> this::takeFirstToken;
      case ANSWER_TTFT -> this::takeAnswer;
      case THINKING_TOKENS -> MetricExtractor::takeThinking;
      case E2E -> this::takeEnd;
      case TPOT -> MetricExtractor::takeTimePerToken;
      case LARGEST_GAP -> MetricExtractor::takeLargestGap;
      case ALL -> throw new IllegalStateException("several limits are no quantity");
      case SESSION_TIME, SESSION_TIME_WITHOUT_TOOLS -> (row, taker, isLeft) -> { };
      case ITL -> (row, taker, isLeft) -> takeGaps(row, taker);
    };
  }

  private interface Reading {
    void read(RequestRow row, SampleConsumer taker, boolean isLeft);
  }

  private void takeFirstToken(RequestRow row, SampleConsumer taker, boolean isLeft) {
    if (row.hasFirstToken()) {
      taker.take(since(row, row.firstTokenNanos()), row.firstTokenNanos(), false);
    } else if (isLeft) {
      taker.take(since(row, row.times().ended()), row.times().ended(), true);
    }
  }

  /** An answer that ended in its thinking never came. */
  private void takeAnswer(RequestRow row, SampleConsumer taker, boolean isLeft) {
    long answer = row.answerNanos();
    if (answer != RequestRow.NEVER) {
      taker.take(since(row, answer), answer, false);
    } else if (isLeft) {
      taker.take(since(row, row.times().ended()), row.times().ended(), true);
    } else if (row.hasThought() && !row.isUnstreamed()) {
      taker.take(NEVER_CAME, row.times().ended(), false);
    }
  }

  /** Whoever left had been thought for so long by then. */
  private static void takeThinking(RequestRow row, SampleConsumer taker, boolean isLeft) {
    int tokens = row.thinkingTokens();
    if (tokens != RequestRow.UNKNOWN) {
      taker.take(tokens * ONE_TOKEN, row.times().ended(), isLeft);
    }
  }

  private void takeEnd(RequestRow row, SampleConsumer taker, boolean isLeft) {
    if (isLeft) {
      taker.take(since(row, row.times().ended()), row.times().ended(), true);
    } else if (row.hasToken()) {
      taker.take(since(row, row.lastTokenNanos()), row.lastTokenNanos(), false);
    }
  }

  /** A mean over an unfinished answer is not the quantity the objective names. */
  private static void takeTimePerToken(RequestRow row, SampleConsumer taker, boolean isLeft) {
    long took = row.timePerTokenNanos();
    if (!isLeft && took >= 0) {
      taker.take(took, row.lastTokenNanos(), false);
    }
  }

  private static void takeGaps(RequestRow row, SampleConsumer taker) {
    long[] arrivals = row.chunks().arrivalNanos();
    for (int i = 1; i < arrivals.length; i++) {
      taker.take(arrivals[i] - arrivals[i - 1], arrivals[i], false);
    }
  }

  private static void takeLargestGap(RequestRow row, SampleConsumer taker, boolean unfinished) {
    long[] arrivals = row.chunks().arrivalNanos();
    if (arrivals.length > 1) {
      taker.take(row.chunks().largestGapNanos(), arrivals[arrivals.length - 1], unfinished);
    }
  }

  private long since(RequestRow row, long nanos) {
    return nanos - start.nanos(row);
  }
}
