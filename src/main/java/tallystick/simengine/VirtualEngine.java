package tallystick.simengine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;

/**
 * The simulated engines of one server in virtual time: the same schedulers and metrics as behind
 * HTTP, moved on by a queue of events instead of a clock.
 *
 * <p>Threads: one. Equal settings and events give equal outputs, to the nanosecond.
 */
public final class VirtualEngine {
  private static final double NANOS = 1e9;
  private static final String DOWN = "no connection: nobody listens there (a fault on demand)";

  private final EngineSettings settings;
  private final double createdSeconds;
  private final ServerFaults faults;
  private final PriorityQueue<TimedAction> events = new PriorityQueue<>();
  private final Set<Pending> open = new LinkedHashSet<>();
  private Replicas replicas;
  private ApiServer apiServer;
  private List<Slot> slots;
  private boolean isDown;
  private long nowNanos;
  private long eventCount;
  private long stepCount;
  private int sentOutputs;
  private double[] frozen = VirtualScrape.NONE;

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
    this.createdSeconds = createdSeconds;
    this.faults = new ServerFaults(settings, this::restart);
    comeBack();
  }

  private void restart(Fault.Restart fault) {
    long diesNanos = nowNanos + fault.down().afterNanos();
    at(diesNanos, this::die);
    at(diesNanos + fault.down().forNanos(), this::comeBack);
  }

  /** What runs is lost with what was counted; clients see their connections end. */
  private void die() {
    isDown = true;
    slots = List.of();
    List<Pending> lost = List.copyOf(open);
    open.clear();
    lost.forEach(Pending::lose);
  }

  private void comeBack() {
    isDown = false;
    replicas = new Replicas(settings, createdSeconds + nowNanos / NANOS);
    apiServer = new ApiServer(settings.profile().apiServer());
    slots = replicas.cores().stream().map(Slot::new).toList();
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
    events.add(new TimedAction(atNanos, eventCount++, action));
  }

  /**
   * Puts a request to the server now.
   *
   * @throws VirtualRequest.Refusal if the server would refuse it, as too long or as a fault
   */
  public VirtualRequest.Handle submit(VirtualRequest request, VirtualRequest.Observer observer) {
    if (isDown) {
      throw new VirtualRequest.Refusal(VirtualRequest.Refusal.NOBODY, DOWN);
    }
    faults
        .requestCame(nowNanos)
        .ifPresent(
            refusal -> {
              throw new VirtualRequest.Refusal(refusal.status(), refusal.words());
            });
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
                Math.min(request.maxTokens(), room), 0, request.ignoreEos(), Set.of()),
            List.of(),
            request.choices(),
            settings.serving().streamInterval(),
            0);
    Pending pending = new Pending(generation, observer);
    open.add(pending);
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
        .map(
            sample ->
                new MetricSeries(
                    sample.name(), sample.labels(), sample.type().name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  /** How late a scrape that is asked for now is answered, as a fault has it. */
  public long scrapeDelayNanos() {
    return faults.scraped(nowNanos).map(Fault.Metrics::byNanos).orElse(0L);
  }

  /** What a scrape reads now. */
  public VirtualScrape scrape() {
    if (isDown) {
      return new VirtualScrape(VirtualScrape.NONE, DOWN);
    }
    if (faults.takeReset(nowNanos)) {
      replicas.registry().resetCounters();
    }
    Optional<Fault.Metrics.Harm> harm = faults.scraped(nowNanos).map(Fault.Metrics::harm);
    boolean isFrozen = harm.filter(Fault.Metrics.Harm.FROZEN::equals).isPresent();
    frozen = isFrozen ? frozen : VirtualScrape.NONE;
    return switch (harm.orElse(Fault.Metrics.Harm.SLOW)) {
      case REFUSED -> new VirtualScrape(VirtualScrape.NONE, "HTTP " + Fault.UNAVAILABLE);
      case TRUNCATED -> new VirtualScrape(VirtualScrape.NONE, "the answer was cut");
      case SLOW, FROZEN -> new VirtualScrape(shown(isFrozen), "");
    };
  }

  private double[] shown(boolean isFrozen) {
    if (faults.isWorker() && !faults.hasBegun()) {
      return VirtualScrape.NONE;
    }
    if (isFrozen && frozen.length == 0) {
      frozen = sample();
    }
    return isFrozen ? frozen : sample();
  }

  /** The values of this moment, in the order of {@link #series()}. */
  public double[] sample() {
    MetricRegistry.Snapshot snapshot = replicas.registry().snapshot();
    return snapshot.samples().stream()
        .mapToDouble(sample -> sample.value(snapshot.values()))
        .toArray();
  }

  private void runEventsUntil(long endNanos) {
    while (!events.isEmpty() && events.peek().atNanos() <= endNanos) {
      TimedAction event = events.remove();
      nowNanos = event.atNanos();
      event.action().run();
    }
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
      long stillUntil = core.stillUntil(nowNanos);
      if (stillUntil > nowNanos) {
        busyUntil(stillUntil, () -> {});
      } else {
        busyUntil(nowNanos + core.beginStep(nowNanos), this::endStep);
      }
    }

    private void endStep() {
      if (slots.contains(this)) {
        sentOutputs = 0;
        int outputs = core.endStep(nowNanos);
        // An output that a stream interval holds back takes its turn too.
        apiServer.send(nowNanos, Math.max(0, outputs - sentOutputs));
        stepCount++;
      }
    }

    private void busyUntil(long endNanos, Runnable end) {
      isBusy = true;
      // At equal times the end of a step comes first.
      events.add(
          new TimedAction(
              endNanos,
              Long.MIN_VALUE + eventCount++,
              () -> {
                end.run();
                isBusy = false;
                arrivals.forEach(Runnable::run);
                arrivals.clear();
              }));
    }
  }

  /** A request on its way into the engine, or in it. */
  private final class Pending implements VirtualRequest.Handle {
    private final Generation generation;
    private final VirtualRequest.Observer observer;
    private final long arrivalNanos = nowNanos;
    private final Optional<Fault.Stream> harm = faults.streamBegins();
    private int rank;
    private int openChoices;
    private Frontend.Request submitted;
    private boolean isCancelled;
    private boolean isLost;

    Pending(Generation generation, VirtualRequest.Observer observer) {
      this.generation = generation;
      this.observer = observer;
      this.openChoices = generation.choices();
    }

    void enter() {
      if (!isLost) {
        rank = replicas.balancer().choose(nowNanos);
        slots.get(rank).take(this::join);
      }
    }

    private void join() {
      if (isCancelled && !isLost) {
        replicas.balancer().ended(rank);
      } else if (!isLost) {
        submitted =
            slots.get(rank).core.submit(generation, this::receive, arrivalNanos, nowNanos);
      }
    }

    /** The way back: what goes to one client waits for the API server's turn. */
    private void receive(Delivery delivery) {
      int turns = delivery.tokens().length > 0 ? 1 : 0;
      sentOutputs += turns;
      whenIt(apiServer.send(nowNanos, turns), () -> arrive(delivery));
    }

    private void arrive(Delivery delivery) {
      if (isLost) {
        return;
      }
      int choice = delivery.choice();
      if (delivery.tokens().length > 0) {
        observer.tokens(nowNanos, choice, delivery.tokens());
      }
      if (delivery.ending().isPresent()) {
        VirtualRequest.Ending how =
            VirtualRequest.Ending.of(delivery.ending().get(), delivery.cachedTokens());
        observer.ended(nowNanos, choice, how);
        openChoices--;
      }
      if (openChoices == 0) {
        open.remove(this);
      }
    }

    /** The server is gone. */
    void lose() {
      isLost = true;
      observer.lost(nowNanos);
    }

    @Override
    public Optional<Fault.Stream> harm() {
      return harm;
    }

    @Override
    public void cancel() {
      isCancelled = true;
      open.remove(this);
      if (submitted != null && !isLost) {
        slots.get(rank).core.cancel(submitted);
      }
    }
  }
}
