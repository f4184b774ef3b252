package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Every engine behind one server, each moved on in real time by a thread of its own. */
final class RunningEngines implements AutoCloseable {
  private final Replicas replicas;
  private final ApiServer apiServer;
  private final List<RealTimeDriver> drivers = new ArrayList<>();
  private final List<Outbox> outboxes = new ArrayList<>();
  private final long originNanoTime = System.nanoTime();

  /** A prompt on its way into the engine it was given to, or in it. */
  static final class Placement {
    private final int rank;
    private Frontend.Request request;

    private Placement(int rank) {
      this.rank = rank;
    }
  }

  /**
   * When a prompt comes in.
   *
   * @param arrivalNanos when its request reached the server
   * @param isWanted whether somebody still waits for it when the engine may take it
   */
  record Entry(long arrivalNanos, BooleanSupplier isWanted) {}

  /** Starts the engines' threads. */
  RunningEngines(EngineSettings settings, Replicas replicas, EmissionLateness lateness) {
    this.replicas = replicas;
    this.apiServer = new ApiServer(settings.profile().apiServer());
    for (EngineCore core : replicas.cores()) {
      Outbox outbox = new Outbox(lateness);
      outboxes.add(outbox);
      drivers.add(new RealTimeDriver(core, apiServer, outbox, originNanoTime));
    }
  }

  /** Nanoseconds since the engines' start. */
  long nanos() {
    return System.nanoTime() - originNanoTime;
  }

  /**
   * Gives a prompt, with all its choices, to the engine whose turn it is.
   *
   * @param receiverFor makes what takes its output, given the outbox of that engine
   */
  Placement submit(
      Generation generation, Function<Outbox, Consumer<Delivery>> receiverFor, Entry entry) {
    Placement placement = new Placement(replicas.balancer().choose(nanos()));
    RealTimeDriver driver = drivers.get(placement.rank);
    Consumer<Delivery> receiver = receiverFor.apply(outboxes.get(placement.rank));
    apiServer.arrive(
        entry.arrivalNanos(),
        submitted ->
            driver.arrive(submitted, () -> enter(placement, generation, receiver, entry)));
    driver.wake();
    return placement;
  }

  private void enter(
      Placement placement, Generation generation, Consumer<Delivery> receiver, Entry entry) {
    if (entry.isWanted().getAsBoolean()) {
      EngineCore core = replicas.cores().get(placement.rank);
      placement.request = core.submit(generation, receiver, entry.arrivalNanos(), nanos());
    } else {
      replicas.balancer().ended(placement.rank);
    }
  }

  /** Ends a prompt whose client has gone; no effect if it has ended or was never taken in. */
  void cancel(Placement placement) {
    drivers
        .get(placement.rank)
        .cancel(
            () -> {
              if (placement.request != null) {
                replicas.cores().get(placement.rank).cancel(placement.request);
              }
            });
  }

  /**
   * Does something to every engine, and to what moves it on, in between two of its steps and on its
   * own thread; the last one to be through says so.
   */
  void onEach(BiConsumer<RealTimeDriver, EngineCore> command, Runnable whenAllHave) {
    AtomicInteger left = new AtomicInteger(drivers.size());
    for (int rank = 0; rank < drivers.size(); rank++) {
      RealTimeDriver driver = drivers.get(rank);
      EngineCore core = replicas.cores().get(rank);
      driver.arrive(
          nanos(),
          () -> {
            command.accept(driver, core);
            if (left.decrementAndGet() == 0) {
              whenAllHave.run();
            }
          });
    }
  }

  @Override
  public void close() {
    drivers.forEach(RealTimeDriver::close);
  }
}
