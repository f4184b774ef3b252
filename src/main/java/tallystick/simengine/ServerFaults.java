package tallystick.simengine;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What goes wrong with a server on demand; times count from its first request, so that a test knows
 * what load they fall into.
 *
 * <p>Threads: any.
 */
final class ServerFaults {
  private static final long NEVER = Long.MAX_VALUE;

  private final List<Fault> faults;
  private final SplittableRandom random;
  private final Consumer<Fault.Restart> restarts;
  private long firstRequestNanos = NEVER;
  private long resets;

  /**
   * The faults of the settings.
   *
   * @param restarts is told at the first request of each restart that is to come
   */
  ServerFaults(EngineSettings settings, Consumer<Fault.Restart> restarts) {
    this.faults = settings.faults();
    this.random = new SplittableRandom(settings.seed());
    this.restarts = restarts;
  }

  /** A request to generate has come; how it is refused, if it is. */
  synchronized Optional<Fault.Refusal> requestCame(long nowNanos) {
    if (!hasBegun()) {
      firstRequestNanos = nowNanos;
      all(Fault.Restart.class).forEach(restarts);
    }
    return all(Fault.Refusal.class)
        .filter(refusal -> refusal.when().holds(nowNanos - firstRequestNanos))
        .filter(refusal -> happens(refusal.share()))
        .findFirst();
  }

  /** What happens to the stream of the request that came last, if anything does. */
  synchronized Optional<Fault.Stream> streamBegins() {
    return all(Fault.Stream.class).filter(harm -> happens(harm.share())).findFirst();
  }

  /** What happens to a scrape, if anything does. */
  synchronized Optional<Fault.Metrics> scraped(long nowNanos) {
    return all(Fault.Metrics.class).filter(harm -> holds(harm.when(), nowNanos)).findFirst();
  }

  /** Whether counters are to begin at 0 again; true once for each time. */
  synchronized boolean takeReset(long nowNanos) {
    long due =
        all(Fault.CounterReset.class)
            .filter(reset -> holds(new Fault.Span(reset.afterNanos(), NEVER), nowNanos))
            .count();
    boolean isNew = due > resets;
    resets = due;
    return isNew;
  }

  /** Whether a request has come. */
  synchronized boolean hasBegun() {
    return firstRequestNanos != NEVER;
  }

  /** Whether families come with the first request. */
  boolean isWorker() {
    return all(Fault.LateFamilies.class).findAny().isPresent();
  }

  private boolean happens(double share) {
    return share >= 1 || random.nextDouble() < share;
  }

  private boolean holds(Fault.Span span, long nowNanos) {
    return hasBegun() && span.holds(nowNanos - firstRequestNanos);
  }

  private <F extends Fault> Stream<F> all(Class<F> kind) {
    return Fault.all(faults, kind).stream();
  }
}
