package tallystick.gatling;

import java.util.Arrays;
import java.util.List;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;

/**
 * How long before their starts the users' first requests are handed to their streams' threads. A
 * new thread takes a millisecond and more to begin, so those of one moment are handed over one
 * after the other in time for the last of them; all wait at the gate.
 */
final class EarlyDispatch {
  /** So long ahead a request is handed over: its way to the socket takes 0.45 ms or more. */
  static final long LEAST_NANOS = 4_000_000L;

  /** Users are injected this much ahead at least. */
  private static final long LEAST_LEAD_NANOS = 100_000_000L;

  private static final long EACH_NANOS = 2_000_000L; // a thread takes 1.2 ms to start
  private static final long BODY_NANOS = 200_000L; // too much only moves the origin
  private static final long TOKEN_NANOS = 2_000L; // of a prompt; too much only moves the origin

  private final long leadNanos;
  private final long[] aheadNanos;

  /**
   * Those of users that begin so long after the origin.
   *
   * @param offsetsNanos ascending
   * @param firsts what they send first, in the same order
   */
  EarlyDispatch(long[] offsetsNanos, List<PlannedRequest> firsts) {
    aheadNanos = new long[offsetsNanos.length];
    long writing = 0;
    long together = 0;
    for (int i = offsetsNanos.length - 1; i >= 0; i--) {
      if (offsetsNanos[i] == offsetsNanos[0]) {
        together++;
        writing += BODY_NANOS + tokens(firsts.get(i)) * TOKEN_NANOS;
      }
      boolean isLast = i + 1 == offsetsNanos.length || offsetsNanos[i + 1] > offsetsNanos[i];
      aheadNanos[i] = isLast ? LEAST_NANOS : aheadNanos[i + 1] + EACH_NANOS;
    }
    leadNanos = LEAST_LEAD_NANOS + writing + together * EACH_NANOS;
    // Only those of the very beginning can be made room for.
    long most = LEAST_LEAD_NANOS / 2 + together * EACH_NANOS;
    Arrays.setAll(aheadNanos, i -> Math.min(aheadNanos[i], most));
  }

  /** How much ahead of its start a user is injected: time to write what begins together. */
  long leadNanos() {
    return leadNanos;
  }

  /** How long before its start the first request of a user is handed over. */
  long aheadNanos(int user) {
    return user < aheadNanos.length ? aheadNanos[user] : LEAST_NANOS;
  }

  private static long tokens(PlannedRequest request) {
    return switch (request.prompt()) {
      case Prompt.Synthetic synthetic -> synthetic.tokens();
      // A given text is only quoted.
      case Prompt.Text text -> 0;
    };
  }
}
