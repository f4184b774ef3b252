package tallystick.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which requests of a session may start when others have ended. Most follow each other; those of
 * agents that call others are a graph. Threads: any.
 */
public final class SessionOrder {
  private final List<PlannedRequest> requests;
  private final long[] endNanos;
  /** How many requests each one still waits for. */
  private final int[] missing;
  /** Turn → the requests that wait for its end. */
  private final Map<Integer, List<PlannedRequest>> waiting = new HashMap<>();
  private int underWay;
  private boolean isGivenUp;

  /** A session of which nothing has begun: its requests by their turns, one at least. */
  public SessionOrder(List<PlannedRequest> requests) {
    this.requests = requests;
    this.endNanos = new long[requests.size()];
    this.missing = new int[requests.size()];
    for (PlannedRequest request : requests) {
      if (request.turn() > 0 && request.offsetNanos() == PlannedRequest.AFTER_PREVIOUS) {
        List<Integer> after = before(request);
        missing[request.turn()] = after.size();
        after.forEach(
            turn -> waiting.computeIfAbsent(turn, any -> new ArrayList<>(1)).add(request));
      }
    }
  }

  private static List<Integer> before(PlannedRequest request) {
    return request.after().isEmpty() ? List.of(request.turn() - 1) : request.after();
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
    for (PlannedRequest later : waiting.getOrDefault(request.turn(), List.of())) {
      if (--missing[later.turn()] == 0) {
        ready.add(later);
      }
    }
    underWay += ready.size();
    return ready;
  }

  /** When a request is due that is ready: the latest end of what it waits for, and its pause. */
  public synchronized long dueNanos(PlannedRequest request) {
    return before(request).stream().mapToLong(turn -> endNanos[turn]).max().orElseThrow()
        + request.thinkNanos();
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
}
