package tallystick.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which requests of a session may start when others have ended. Most follow each other; those of
 * agents that call others are a graph. Threads: any.
 */
public final class SessionOrder {
  private static final long NOT_ENDED = Long.MIN_VALUE;

  private final List<PlannedRequest> requests;
  private final long[] endNanos;
  private int underWay;
  private boolean isGivenUp;

  /** A session of which nothing has begun: its requests by their turns, one at least. */
  public SessionOrder(List<PlannedRequest> requests) {
    this.requests = requests;
    this.endNanos = new long[requests.size()];
    Arrays.fill(endNanos, NOT_ENDED);
  }

  /** The first request, and those that start with it; they are under way from now on. */
  public synchronized List<PlannedRequest> begin() {
    List<PlannedRequest> first =
        requests.stream()
            .filter(
                one ->
                    one.turn() == 0 || one.offsetNanos() == PlannedRequest.AFTER_FIRST_START)
            .toList();
    underWay += first.size();
    return first;
  }

  /** Notes the end of one, and gives those that waited for it last; they are under way. */
  public synchronized List<PlannedRequest> ended(PlannedRequest request, long nanos) {
    underWay--;
    endNanos[request.turn()] = nanos;
    if (isGivenUp) {
      return List.of();
    }
    List<PlannedRequest> ready = new ArrayList<>();
    for (PlannedRequest later : requests.subList(request.turn() + 1, requests.size())) {
      if (waitsFor(later, request.turn()) && isReady(later)) {
        ready.add(later);
      }
    }
    underWay += ready.size();
    return ready;
  }

  /** When a request is due that is ready: the latest end of what it waits for, and its pause. */
  public synchronized long dueNanos(PlannedRequest request) {
    long latest =
        request.after().stream()
            .mapToLong(turn -> endNanos[turn])
            .max()
            .orElseGet(() -> endNanos[request.turn() - 1]);
    return latest + request.thinkNanos();
  }

  /** Nothing else may start, what is ready neither: a request failed, or nobody wants any. */
  public synchronized void giveUp() {
    isGivenUp = true;
  }

  /** Whether it was. */
  public synchronized boolean isGivenUp() {
    return isGivenUp;
  }

  /** One that was under way is not sent. */
  public synchronized void dropped() {
    underWay--;
  }

  /** Whether none is under way; after an end, that nothing of the session is to come. */
  public synchronized boolean isOver() {
    return underWay == 0;
  }

  private static boolean waitsFor(PlannedRequest later, int turn) {
    return later.offsetNanos() == PlannedRequest.AFTER_PREVIOUS
        && (later.after().isEmpty() ? later.turn() == turn + 1 : later.after().contains(turn));
  }

  private boolean isReady(PlannedRequest request) {
    return request.after().stream().allMatch(turn -> endNanos[turn] != NOT_ENDED);
  }
}
