package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;

/**
 * The simulated engines of one server in virtual time: the same schedulers and metrics as behind
 * HTTP, moved on by a queue of events instead of a clock.
 *
 * <p>Threads: one. Equal settings and events give equal outputs, to the nanosecond.
 */
public final class VirtualEngine {
  private static final double NANOS = 1e9;

  private final EngineSettings settings;
  private final Replicas replicas;
  private final ApiServer apiServer;
  private final List<Slot> slots;
  private final MetricsFaults metricsFaults;
  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long eventCount;
  private long stepCount;
  private int sentOutputs;
  private double[] frozen = new double[0];

  /** Something that happens; at equal times the end of a step comes first. */
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
    this.replicas = new Replicas(settings, createdSeconds);
    this.apiServer = new ApiServer(settings.profile().apiServer());
    this.slots = replicas.cores().stream().map(Slot::new).toList();
    this.metricsFaults = new MetricsFaults(settings.faults());
    this.random = new SplittableRandom(settings.seed());
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
   * @throws VirtualRequest.Refusal if the server would refuse it, as too long or as a fault
   */
  public VirtualRequest.Handle submit(VirtualRequest request, VirtualRequest.Observer observer) {
    metricsFaults.requestCame(nowNanos);
    for (Fault fault : settings.faults()) {
      if (fault instanceof Fault.Unavailable(double share) && random.nextDouble() < share) {
        throw new VirtualRequest.Refusal(503, "The engine is unavailable (a fault on demand).");
      }
    }
    int room = settings.scheduler().maxModelLen() - request.prompt().length;
    if (room < 1) {
      throw new VirtualRequest.Refusal(
          400,
          String.format(
              Locale.ROOT,
              "a prompt of %d tokens leaves no room in max-model-len %d",
              request.prompt().length, settings.scheduler().maxModelLen()));
    }
    Generation generation =
        new Generation(
            request.prompt(),
            new Sequence.SamplingLimits(
                Math.min(request.maxTokens(), room), 0, request.ignoreEos()),
            List.of(),
            request.choices(),
            settings.serving().streamInterval(),
            0);
    Pending pending = new Pending(generation, delivery -> sendOn(observer, delivery), nowNanos);
    long parsedNanos =
        apiServer.arrive(nowNanos, submitted -> whenIt(submitted, pending::enter));
    whenIt(parsedNanos, () -> apiServer.advance(nowNanos));
    return pending;
  }

  private void whenIt(long isNanos, Runnable next) {
    if (isNanos <= nowNanos) {
      next.run();
    } else {
      at(isNanos, next);
    }
  }

  /** Runs until nothing is left to do. */
  public void run() {
    while (true) {
      runEventsUntil(nowNanos);
      slots.forEach(Slot::beginIfItCan);
      if (events.isEmpty()) {
        return;
      }
      nowNanos = events.peek().atNanos();
    }
  }

  /** Every series the engine exposes, in exposition order; the same list at every call. */
  public List<MetricSeries> series() {
    return replicas.registry().snapshot().samples().stream()
        .map(sample -> new MetricSeries(sample.name(), sample.labels(), typeOf(sample)))
        .toList();
  }

  /**
   * What a scrape reads now, in the order of {@link #series()}; no values where the families come
   * with the first request only. Empty where the scrape is refused.
   */
  public Optional<double[]> scrape() {
    if (metricsFaults.areUnavailable(nowNanos)) {
      return Optional.empty();
    }
    if (metricsFaults.isWorker() && !metricsFaults.hasBegun()) {
      return Optional.of(new double[0]);
    }
    if (!metricsFaults.areFrozen(nowNanos)) {
      frozen = new double[0];
      return Optional.of(sample());
    }
    frozen = frozen.length == 0 ? sample() : frozen;
    return Optional.of(frozen);
  }

  /** The values of this moment, in the order of {@link #series()}. */
  public double[] sample() {
    MetricRegistry.Snapshot snapshot = replicas.registry().snapshot();
    double[] values = new double[snapshot.samples().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = snapshot.samples().get(i).value(snapshot.values());
    }
    return values;
  }

  private void runEventsUntil(long endNanos) {
    while (!events.isEmpty() && events.peek().atNanos() <= endNanos) {
      Event event = events.remove();
      nowNanos = event.atNanos();
      event.action().run();
    }
  }

  /** The way back: what goes to one client waits for the API server's turn. */
  private void sendOn(VirtualRequest.Observer observer, Delivery delivery) {
    int turns = delivery.tokens().length > 0 ? 1 : 0;
    sentOutputs += turns;
    whenIt(apiServer.send(nowNanos, turns), () -> tell(observer, delivery));
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

  /** One engine and the step it is in. */
  private final class Slot {
    private final EngineCore core;
    private final List<Runnable> arrivals = new ArrayList<>();
    private boolean isBusy;

    Slot(EngineCore core) {
      this.core = core;
    }

    /** The engine takes arrivals in between steps only. */
    void take(Runnable arrival) {
      if (isBusy) {
        arrivals.add(arrival);
      } else {
        arrival.run();
      }
    }

    void beginIfItCan() {
      if (isBusy || !core.hasWork()) {
        return;
      }
      long stillUntil = stillUntil();
      if (stillUntil > nowNanos) {
        busyUntil(stillUntil, () -> {});
      } else {
        busyUntil(nowNanos + core.beginStep(nowNanos), this::endStep);
      }
    }

    private void endStep() {
      sentOutputs = 0;
      int outputs = core.endStep(nowNanos);
      // An output that a stream interval holds back takes its turn too.
      apiServer.send(nowNanos, Math.max(0, outputs - sentOutputs));
      stepCount++;
    }

    private void busyUntil(long endNanos, Runnable end) {
      isBusy = true;
      events.add(
          new Event(
              endNanos,
              Long.MIN_VALUE + eventCount++,
              () -> {
                end.run();
                isBusy = false;
                arrivals.forEach(Runnable::run);
                arrivals.clear();
              }));
    }

    /** The end of a stall on demand: until then no step begins. */
    private long stillUntil() {
      for (Fault fault : settings.faults()) {
        if (fault instanceof Fault.Stall stall
            && stall.stops(core.rank())
            && nowNanos >= stall.atNanos()
            && nowNanos < stall.atNanos() + stall.forNanos()) {
          return stall.atNanos() + stall.forNanos();
        }
      }
      return nowNanos;
    }
  }

  /** A request on its way into the engine, or in it. */
  private final class Pending implements VirtualRequest.Handle {
    private final Generation generation;
    private final Delivery.Receiver receiver;
    private final long arrivalNanos;
    private int rank;
    private Frontend.Request submitted;
    private boolean isCancelled;

    Pending(Generation generation, Delivery.Receiver receiver, long arrivalNanos) {
      this.generation = generation;
      this.receiver = receiver;
      this.arrivalNanos = arrivalNanos;
    }

    void enter() {
      rank = replicas.choose(nowNanos);
      slots.get(rank).take(this::join);
    }

    private void join() {
      if (isCancelled) {
        replicas.withdraw(rank);
      } else {
        submitted = slots.get(rank).core.submit(generation, receiver, arrivalNanos, nowNanos);
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
      if (submitted != null) {
        slots.get(rank).core.cancel(submitted);
      }
    }
  }
}
