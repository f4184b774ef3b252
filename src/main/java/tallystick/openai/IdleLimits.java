package tallystick.openai;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a connection to an address may lie idle and still be used: what the server told, and
 * what was seen of it. A connection that is older is as good as closed. Threads: any.
 */
final class IdleLimits {
  /** vLLM closes idle connections after 5 s, and does not tell. */
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** A connection that died sooner tells of a server that went, not of one that tidies up. */
  private static final long LEAST_SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The request is on its way while the server's clock runs. */
  private static final double SHARE_OF_TOLD = 0.8;

  private static final Pattern TOLD =
      Pattern.compile("(?:^|[,\\s])timeout\\s*=\\s*\"?(\\d{1,9})", Pattern.CASE_INSENSITIVE);

  private final Map<SocketAddress, Long> limits = new ConcurrentHashMap<>();

  /** Longest time that a connection to this address may have lain idle. */
  long limitNanos(SocketAddress address) {
    return limits.getOrDefault(address, MOST_NANOS);
  }

  /** Takes what a server says in its header {@code Keep-Alive}. */
  void told(SocketAddress address, String header) {
    Matcher timeout = TOLD.matcher(header);
    if (timeout.find()) {
      long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(timeout.group(1)));
      limits.merge(address, Math.min(MOST_NANOS, (long) (nanos * SHARE_OF_TOLD)), Math::min);
    }
  }

  /** A connection that had lain idle for so long was dead when it was used. */
  void diedAfter(SocketAddress address, long idleNanos) {
    if (idleNanos >= LEAST_SEEN_NANOS) {
      limits.merge(address, Math.min(MOST_NANOS, idleNanos / 2), Math::min);
    }
  }
}
