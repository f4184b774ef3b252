package tallystick.virtualrun;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What surrounds the engine in virtual time: the network, a client that may stand still, and other
 * users of the engine.
 */
public class VirtualWorld {
  private final Shape shape;
  private final SplittableRandom network;
  private final SplittableRandom others;

  /**
   * What can be planted there.
   *
   * @param wayNanos from client to server, and back
   * @param jitterNanos mean of what each way of each request takes longer; exponential
   * @param pauseAtNanos when the client stands still, from the engine's start on
   * @param pauseNanos for how long; 0 means never
   * @param foreignShare requests of somebody else, as a share of the plan's
   * @throws IllegalArgumentException if a time is negative or the share above 1
   */
  public record Shape(
      long wayNanos,
      long jitterNanos,
      long pauseAtNanos,
      long pauseNanos,
      double foreignShare) {
    public Shape {
      if (Math.min(Math.min(wayNanos, jitterNanos), Math.min(pauseAtNanos, pauseNanos)) < 0) {
        throw new IllegalArgumentException("a time must be >= 0");
      }
      if (!(foreignShare >= 0 && foreignShare <= 1)) {
        throw new IllegalArgumentException(
            "foreign-share must be between 0 and 1, was " + foreignShare);
      }
    }

    /** What a record says of it; what was planted stands there too, so that nobody is fooled. */
    Map<String, String> words() {
      Map<String, String> words = new HashMap<>();
      words.put("client", "simulated: takes no time itself");
      words.put("network_one_way_us", Long.toString(wayNanos / 1000));
      if (jitterNanos > 0) {
        words.put("network_jitter_us", Long.toString(jitterNanos / 1000));
      }
      if (pauseNanos > 0) {
        words.put(
            "planted_client_pause_ms",
            "%s for %s".formatted(pauseAtNanos / 1_000_000, pauseNanos / 1_000_000));
      }
      if (foreignShare > 0) {
        words.put("planted_foreign_share", Double.toString(foreignShare));
      }
      return words;
    }
  }

  VirtualWorld(Shape shape, long seed) {
    this.shape = shape;
    this.network = new SplittableRandom(seed);
    this.others = new SplittableRandom(~seed);
  }

  /** How long the next request's way takes, there or back. */
  long wayNanos() {
    return shape.jitterNanos() == 0
        ? shape.wayNanos()
        : shape.wayNanos() - Math.round(shape.jitterNanos() * Math.log(1 - network.nextDouble()));
  }

  /** When the client notices what happens at a moment: later only while it stands still. */
  long noticed(long nanos) {
    long end = shape.pauseAtNanos() + shape.pauseNanos();
    return nanos >= shape.pauseAtNanos() && nanos < end ? end : nanos;
  }

  /** When the client begins what is due at a moment: later only while it stands still. */
  long begun(long nanos) {
    return noticed(nanos);
  }

  /** Whether somebody else sends a request now. */
  boolean isForeignRequestDue() {
    return shape.foreignShare() > 0 && others.nextDouble() < shape.foreignShare();
  }
}
