package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One engine: scheduler, front end and metrics, moved on by a driver that owns the clock.
 *
 * <p>Not safe for threads: one driver thread calls it. The metrics may be read from any thread.
 */
final class EngineCore {
  private final EngineSettings settings;
  private final int rank;
  private final Shared shared;
  private final Scheduler scheduler;
  private final Frontend frontend;
  private final SlowdownFault slowness;
  private final List<Fault.Stall> stalls;
  private final List<Fault.Admission> admissions;
  private List<Sequence> stopped = List.of();
  private long nextSequence;

  /**
   * What the engines of one server have in common.
   *
   * @param registry holds every engine's series
   * @param balancer is told of each engine's load
   * @param untilLost tokens up to the one that a fault loses on its way out of the server, which
   *     the engine has counted; 0 where it loses none
   */
  record Shared(MetricRegistry registry, LoadBalancer balancer, AtomicLong untilLost) {}

  /**
   * An idle engine.
   *
   * @param rank its number among the server's engines, from 0
   */
  EngineCore(EngineSettings settings, int rank, Shared shared) {
    this.settings = settings;
    this.rank = rank;
    this.shared = shared;
    long seed = settings.seed() + rank;
    scheduler =
        new Scheduler(
            settings.scheduler(),
            settings.profile(),
            new TokenSource(seed, settings.endTokenShare()),
            seed);
    slowness = new SlowdownFault(settings.faults(), rank, seed);
    stalls = Fault.all(settings.faults(), Fault.Stall.class);
    admissions = Fault.all(settings.faults(), Fault.Admission.class);
    frontend = new Frontend(new EngineMetrics(shared.registry(), rank), shared.untilLost());
  }

  /** Takes a request in; every choice becomes a sequence. */
  Frontend.Request submit(
      Generation generation, Consumer<Delivery> receiver, long arrivalNanos, long nowNanos) {
    List<Sequence> sequences = new ArrayList<>(generation.choices());
    Sequence.Admission admission =
        new Sequence.Admission(generation.priority(), arrivalNanos);
    for (int i = 0; i < generation.choices(); i++) {
      sequences.add(
          new Sequence(
              nextSequence++,
              generation.prompt(),
              generation.limits(),
              admission,
              settings.scheduler().blockSize()));
    }
    Frontend.Request request =
        frontend.register(generation, counted(generation, receiver), sequences);
    sequences.forEach(sequence -> scheduler.add(sequence, nowNanos));
    return request;
  }

  /** Ends a request whose client has gone; nothing more is booked or delivered for it. */
  void cancel(Frontend.Request request) {
    boolean wasOpen;
    synchronized (shared.registry()) {
      wasOpen = frontend.forget(request);
    }
    if (wasOpen) {
      shared.balancer().ended(rank);
    }
    request.sequences().forEach(scheduler::abort);
  }

  /** Ends every request on the engine's own account; clients are told {@code abort}. */
  void abortAll(long nowNanos) {
    frontend.openSequences().forEach(scheduler::abort);
    synchronized (shared.registry()) {
      frontend.abortAll(nowNanos);
    }
  }

  boolean hasWork() {
    return scheduler.hasWork();
  }

  /** Begins a step; how long the model runs, in nanoseconds. */
  long beginStep(long nowNanos) {
    boolean isHeld = admissions.stream().anyMatch(one -> one.holds(rank, nowNanos));
    scheduler.holdAdmission(isHeld);
    long nanos = scheduler.schedule(nowNanos);
    return isHeld && nanos == 0
        ? Fault.Admission.IDLE_NANOS
        : slowness.of(nanos, scheduler.computesPrompts(), nowNanos);
  }

  /** The end of a stall on demand, until which no step begins; this moment where there is none. */
  long stillUntil(long nowNanos) {
    long end = nowNanos;
    for (Fault.Stall stall : stalls) {
      end = stall.holds(rank, nowNanos) ? Math.max(end, stall.atNanos() + stall.forNanos()) : end;
    }
    return end;
  }

  /** Ends the step that was begun: books and delivers its outputs, and tells how many. */
  int endStep(long nowNanos) {
    // A stop string is found after the scheduler has planned the next step, as in vLLM, where the
    // front end's abort reaches the core while the model runs.
    stopped.forEach(scheduler::abort);
    StepOutput step = scheduler.finishStep(nowNanos);
    shared.balancer().report(rank, step.statistics(), nowNanos);
    synchronized (shared.registry()) {
      stopped = frontend.accept(step);
    }
    return step.outputs().size();
  }

  boolean resetPrefixCache() {
    return scheduler.resetPrefixCache();
  }

  MetricRegistry registry() {
    return shared.registry();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** The receiver, which also tells the balancer of the last choice's end. */
  private Consumer<Delivery> counted(Generation generation, Consumer<Delivery> receiver) {
    int[] open = {generation.choices()};
    return delivery -> {
      receiver.accept(delivery);
      if (delivery.ending().isPresent() && --open[0] == 0) {
        shared.balancer().ended(rank);
      }
    };
  }
}
