package tallystick.openai;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * How long the end of a connection's answer is waited for once the answer is over. A connection can
 * only be used again after that end, and it comes within a turn of the server's loop; but a server
 * that never sends it must not hold who asks next. Threads: any.
 */
final class OpenEnds {
  /** Longer than a busy server's loop takes for a turn. */
  static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** For a server that ends no answer; its connections are not used again. */
  static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A usage may follow its finish reason so late where a server's loop stands still. */
  static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** For a server that leaves its answers open: its usage hardly comes. */
  static final long SHORT_LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int ENOUGH = 3;

  private final Map<SocketAddress, Integer> leftOpenInARow = new ConcurrentHashMap<>();

  /** Time from the last event of an answer after which its connection is left. */
  long patienceNanos(SocketAddress address) {
    return leavesOpen(address) ? SHORT_NANOS : USUAL_NANOS;
  }

  /** Time from the finish reason after which a usage is no longer waited for. */
  long usagePatienceNanos(SocketAddress address) {
    return leavesOpen(address) ? SHORT_LATE_NANOS : LATE_NANOS;
  }

  private boolean leavesOpen(SocketAddress address) {
    return leftOpenInARow.getOrDefault(address, 0) >= ENOUGH;
  }

  /** An answer that was over has ended, or its connection was left open. */
  void ended(SocketAddress address, boolean isLeftOpen) {
    if (isLeftOpen) {
      leftOpenInARow.merge(address, 1, Integer::sum);
    } else {
      leftOpenInARow.remove(address);
    }
  }
}
