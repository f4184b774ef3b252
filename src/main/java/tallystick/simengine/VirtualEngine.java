package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;

/**
 * The simulated engine in virtual time: the same scheduler and metrics as behind HTTP, moved on by
 * a queue of events instead of a clock.
 *
 * <p>Threads: one. Equal settings and events give equal outputs, to the nanosecond.
 */
public final class VirtualEngine {
  private static final double NANOS = 1e9;

  private final EngineSettings settings;
  private final EngineCore core;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Runnable> arrivals = new ArrayList<>();
  private long nowNanos;
  private long eventCount;
  private long stepCount;
  private boolean isModelRunning;

  private record Event(long atNanos, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /**
   * One series of the engine's metrics.
   *
   * @param name sample name as vLLM exposes it
   * @param labels label names and values, {@code le} included
   * @param type {@code counter}, {@code gauge} or {@code histogram}
   */
  public record MetricSeries(String name, SortedMap<String, String> labels, String type) {}

  /**
   * An idle engine at virtual time 0.
   *
   * @param createdSeconds what its {@code _created} series say, seconds since 1970
   */
  public VirtualEngine(EngineSettings settings, double createdSeconds) {
    this.settings = settings;
    this.core = new EngineCore(settings, createdSeconds);
  }

  /** What the engine is configured with. */
  public EngineSettings settings() {
    return settings;
  }

  /** The virtual time, nanoseconds since the engine's start. */
  public long nanos() {
    return nowNanos;
  }

  /** Engine steps so far. */
  public long stepCount() {
    return stepCount;
  }

  /** Runs an action at a virtual time that is not past; equal times in the order of the calls. */
  public void at(long atNanos, Runnable action) {
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException("it is " + nowNanos + " ns, past " + atNanos);
    }
    events.add(new Event(atNanos, eventCount++, action));
  }

  /**
   * Puts a request to the server now.
   *
   * @throws IllegalArgumentException if the server would refuse it as too long
   */
  public VirtualRequest.Handle submit(VirtualRequest request, VirtualRequest.Observer observer) {
    int room = settings.scheduler().maxModelLen() - request.prompt().length;
    if (room < 1) {
      throw new IllegalArgumentException(
          "a prompt of %d tokens leaves no room in max-model-len %d"
              .formatted(request.prompt().length, settings.scheduler().maxModelLen()));
    }
    Generation generation =
        new Generation(
            request.prompt(),
            new Sequence.SamplingLimits(Math.min(request.maxTokens(), room), 0, true),
            List.of(),
            request.choices(),
            settings.serving().streamInterval(),
            0);
    Pending pending = new Pending(generation, delivery -> tell(observer, delivery), nowNanos);
    long frontendNanos = Math.round(settings.profile().frontendNanos());
    if (frontendNanos == 0) {
      enter(pending);
    } else {
      at(nowNanos + frontendNanos, () -> enter(pending));
    }
    return pending;
  }

  /** The engine takes arrivals in between steps only. */
  private void enter(Pending pending) {
    if (isModelRunning) {
      arrivals.add(pending::enter);
    } else {
      pending.enter();
    }
  }

  /** Runs until nothing is left to do. */
  public void run() {
    while (true) {
      runEventsUntil(nowNanos);
      if (core.hasWork()) {
        standStill();
        step();
      } else if (events.isEmpty()) {
        return;
      } else {
        nowNanos = events.peek().atNanos();
      }
    }
  }

  /** Every series the engine exposes, in exposition order; the same list at every call. */
  public List<MetricSeries> series() {
    return core.registry().snapshot().samples().stream()
        .map(sample -> new MetricSeries(sample.name(), sample.labels(), typeOf(sample)))
        .toList();
  }

  /** The values a scrape reads now, in the order of {@link #series()}. */
  public double[] sample() {
    MetricRegistry.Snapshot snapshot = core.registry().snapshot();
    double[] values = new double[snapshot.samples().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = snapshot.samples().get(i).value(snapshot.values());
    }
    return values;
  }

  /** A stall on demand: no step begins, arrivals wait. */
  private void standStill() {
    for (Fault fault : settings.faults()) {
      if (fault instanceof Fault.Stall(long from, long length)
          && nowNanos >= from
          && nowNanos < from + length) {
        isModelRunning = true;
        runEventsUntil(from + length - 1);
        isModelRunning = false;
        nowNanos = from + length;
        takeArrivals();
      }
    }
  }

  private void step() {
    long end = nowNanos + core.beginStep(nowNanos);
    isModelRunning = true;
    runEventsUntil(end - 1);
    isModelRunning = false;
    nowNanos = end;
    core.endStep(end);
    stepCount++;
    takeArrivals();
  }

  private void takeArrivals() {
    arrivals.forEach(Runnable::run);
    arrivals.clear();
  }

  private void runEventsUntil(long endNanos) {
    while (!events.isEmpty() && events.peek().atNanos() <= endNanos) {
      Event event = events.remove();
      nowNanos = event.atNanos();
      event.action().run();
    }
  }

  private void tell(VirtualRequest.Observer observer, Delivery delivery) {
    if (delivery.tokens().length > 0) {
      observer.tokens(nowNanos, delivery.choice(), delivery.tokens());
    }
    if (delivery.ending().isPresent()) {
      Delivery.Ending ending = delivery.ending().get();
      RequestTimes times = ending.times();
      observer.ended(
          nowNanos,
          delivery.choice(),
          new VirtualRequest.Ending(
              ending.reason().label(),
              ending.generatedTokens(),
              delivery.cachedTokens(),
              times.queueNanos() / NANOS,
              times.prefillNanos() / NANOS,
              times.decodeNanos() / NANOS));
    }
  }

  private static String typeOf(ExposedSample sample) {
    return sample.type().name().toLowerCase(java.util.Locale.ROOT);
  }

  /** A request on its way into the engine, or in it. */
  private final class Pending implements VirtualRequest.Handle {
    private final Generation generation;
    private final Delivery.Receiver receiver;
    private final long arrivalNanos;
    private Frontend.Request submitted;
    private boolean isCancelled;

    Pending(Generation generation, Delivery.Receiver receiver, long arrivalNanos) {
      this.generation = generation;
      this.receiver = receiver;
      this.arrivalNanos = arrivalNanos;
    }

    void enter() {
      if (!isCancelled) {
        submitted = core.submit(generation, receiver, arrivalNanos, nowNanos);
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
      if (submitted != null) {
        core.cancel(submitted);
      }
    }
  }
}
