package tallystick.analysis.client;

import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/**
 * The one judgement of a request by an objective: what it brought of the objective's quantity. A
 * failed request took for ever. A request its own client left is judged by what had been seen by
 * then: time already beyond the limit is bad, anything else nobody can tell.
 */
public final class ObjectiveReading {
  /** The duration of what never came, in nanoseconds. */
  public static final long NEVER_CAME = 1L << 60;

  private final Objective objective;
  private final boolean fromIntended;
  private final Reading reading;

  /**
   * A reading of requests by one objective.
   *
   * @param fromIntended whether waiting counts from the intended start; otherwise from the actual
   */
  public ObjectiveReading(Objective objective, boolean fromIntended) {
    this.objective = objective;
    this.fromIntended = fromIntended;
    this.reading = reading();
  }

  /** Takes what a request brought: a gap, or the request's own figure. */
  public interface Taker {
    /**
     * One thing to judge.
     *
     * @param nanos how long it took; {@link #NEVER_CAME} for a failed request
     * @param atNanos when it was seen, after the run's origin
     * @param unfinished whether it would have taken longer: the client left
     */
    void take(long nanos, long atNanos, boolean unfinished);
  }

  /** Takes one thing that was judged. */
  public interface Verdict {
    /** When it was seen, after the run's origin, and whether it was good. */
    void take(long atNanos, boolean isGood);
  }

  /**
   * Gives the good and the bad things of a request for so many answers; what nobody can tell is
   * neither.
   */
  public void judge(RequestRow row, int choices, Verdict verdict) {
    read(
        row,
        choices,
        (nanos, at, unfinished) -> {
          boolean good = isWithin(nanos);
          if (!good || !unfinished) {
            verdict.take(at, good);
          }
        });
  }

  /**
   * Gives what a request brought; nothing for one of another class. Several answers share one
   * stream: its gaps belong to none of them.
   */
  public void read(RequestRow row, int choices, Taker taker) {
    if (!objective.requestClass().isEmpty()
        && !objective.requestClass().equals(row.requestClass())) {
      return;
    }
    switch (row.ending().outcome()) {
      case OK, CLIENT_CANCELLED -> {
        if (choices == 1 || isOfWholeStream()) {
          reading.read(row, taker, row.ending().outcome() == Outcome.CLIENT_CANCELLED);
        }
      }
      case HTTP_ERROR, REFUSED, TIMED_OUT, NO_ANSWER, CUT_MID_STREAM, MALFORMED_CHUNK,
          ERROR_EVENT, EMPTY_STREAM, DONE_MISSING, REDIRECTED, COMPRESSED, NOT_A_STREAM ->
          taker.take(NEVER_CAME, row.times().ended(), false);
    }
  }

  private boolean isOfWholeStream() {
    return switch (objective.metric()) {
      case TTFT, E2E -> true;
      case TPOT, ITL, LARGEST_GAP -> false;
    };
  }

  private boolean isWithin(long nanos) {
    return nanos / 1e9 <= objective.thresholdSeconds();
  }

  /** What each metric takes from a request that ended well, or that its client left. */
  private Reading reading() {
    return switch (objective.metric()) {
      case TTFT -> this::takeFirstToken;
      case E2E -> this::takeEnd;
      case TPOT -> ObjectiveReading::takeTimePerToken;
      case LARGEST_GAP -> ObjectiveReading::takeLargestGap;
      case ITL -> (row, taker, isLeft) -> takeGaps(row, taker);
    };
  }

  private interface Reading {
    void read(RequestRow row, Taker taker, boolean isLeft);
  }

  private void takeFirstToken(RequestRow row, Taker taker, boolean isLeft) {
    if (row.hasFirstToken()) {
      taker.take(since(row, row.firstTokenNanos()), row.firstTokenNanos(), false);
    } else if (isLeft) {
      taker.take(since(row, row.times().ended()), row.times().ended(), true);
    }
  }

  private void takeEnd(RequestRow row, Taker taker, boolean isLeft) {
    if (isLeft) {
      taker.take(since(row, row.times().ended()), row.times().ended(), true);
    } else if (row.hasFirstToken()) {
      taker.take(since(row, row.lastTokenNanos()), row.lastTokenNanos(), false);
    }
  }

  /** A mean over an unfinished answer is not the quantity the objective names. */
  private static void takeTimePerToken(RequestRow row, Taker taker, boolean isLeft) {
    int tokens = TokenCount.of(row);
    if (!isLeft && tokens >= 2 && row.hasFirstToken()) {
      long decode = row.lastTokenNanos() - row.firstTokenNanos();
      taker.take(decode / (tokens - 1), row.lastTokenNanos(), false);
    }
  }

  private static void takeGaps(RequestRow row, Taker taker) {
    long[] arrivals = row.chunks().arrivalNanos();
    for (int i = 1; i < arrivals.length; i++) {
      taker.take(arrivals[i] - arrivals[i - 1], arrivals[i], false);
    }
  }

  private static void takeLargestGap(RequestRow row, Taker taker, boolean unfinished) {
    long[] arrivals = row.chunks().arrivalNanos();
    long largest = RequestRow.NEVER;
    for (int i = 1; i < arrivals.length; i++) {
      largest = Math.max(largest, arrivals[i] - arrivals[i - 1]);
    }
    if (largest >= 0) {
      taker.take(largest, arrivals[arrivals.length - 1], unfinished);
    }
  }

  private long since(RequestRow row, long nanos) {
    return nanos - (fromIntended ? row.times().intended() : row.times().started());
  }
}
