package tallystick.experiment.engine;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineFailure.Moment;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.Listener;
import tallystick.scenario.Formatted;

/** An engine that a command started, with all processes that it started itself. */
public final class EngineProcess implements RunningEngine, AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final long END_MILLIS = 20;
  private static final int POLLS_FOR_STOP = 5;
  private static final double TELL_SECONDS = 5;
  private static final double NANOS = 1e9;
  private static final int SHOWN = 60;

  /** How long the system may take to end what was killed. */
  private static final Duration KILLED = Duration.ofSeconds(20);

  private final Process process;
  private final Order order;
  private final ProcessGroupTag marked;
  private final Listener listener;
  private final EngineLog log;
  private final LogLimit limit;
  private final Set<ProcessHandle> family = new LinkedHashSet<>();
  private final long beganNanos = System.nanoTime();
  private volatile Runnable atEnd = () -> {};
  private double startSeconds;

  /**
   * What is to be started.
   *
   * @param template the command
   * @param settings what fills its gaps
   * @param port where it is told to listen
   * @param log takes all that it prints
   * @param patience how long it may take until it answers
   * @param grace how long it may take to end when it is asked to
   */
  public record Order(
      CommandTemplate template, Map<String, String> settings, int port, Path log,
      Duration patience, Duration grace) {
    private List<String> command() {
      return template.fill(settings, port);
    }

    private String url() {
      return "http://127.0.0.1:" + port;
    }
  }

  private EngineProcess(Process process, Order order, ProcessGroupTag marked, Listener listener) {
    this.process = process;
    this.order = order;
    this.marked = marked;
    this.listener = listener;
    this.log = new EngineLog(order.log());
    this.limit = new LogLimit(order.log(), LogLimit.MOST_BYTES);
    process.onExit().thenRun(() -> atEnd.run());
    Thread.ofPlatform().daemon().name("engine-log").start(() -> limit.watch(process));
  }

  /**
   * A port that nobody has at this moment.
   *
   * @throws IOException if there is none
   */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Starts an engine and waits until it answers.
   *
   * @return empty if somebody asked to stop before
   * @throws EngineFailure if it does not answer; nothing of it is left
   * @throws IOException if it cannot be started at all
   */
  public static Optional<EngineProcess> start(
      Order order, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    if (new Health(order.url()).isGood()) {
      throw new IOException(
          "something answers at " + order.url() + " before the engine is started: end it first");
    }
    ProcessGroupTag marked = ProcessGroupTag.fresh();
    ProcessBuilder builder =
        new ProcessBuilder(order.command())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(order.log().toFile()));
    builder.environment().put(ProcessGroupTag.VARIABLE, marked.mark());
    EngineProcess engine = new EngineProcess(builder.start(), order, marked, listener);
    boolean isUp = false;
    try {
      isUp = engine.awaitAnswer(listener, isStopped);
    } finally {
      if (!isUp) {
        engine.close();
      }
    }
    return isUp ? Optional.of(engine) : Optional.empty();
  }

  private boolean awaitAnswer(Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    double toldSeconds = 0;
    while (!isStopped.getAsBoolean()) {
      process.descendants().forEach(family::add);
      if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (isStoppedSoon(isStopped)) {
          return false;
        }
        throw new EngineFailure(
            Moment.START, "the engine ended before it answered" + ending() + log.lastWords());
      }
      startSeconds = (System.nanoTime() - beganNanos) / NANOS;
      if (new Health(url()).isGood()) {
        requireItAnswers();
        return true;
      }
      if (startSeconds > order.patience().toMillis() / 1e3) {
        throw new EngineFailure(
            Moment.START,
            "the engine did not answer at " + url() + "/health within "
                + order.patience().toSeconds() + " s" + log.lastWords());
      }
      if (startSeconds - toldSeconds >= TELL_SECONDS) {
        toldSeconds = startSeconds;
        listener.say(Formatted.of(
            "engine   starting, %.0f s: %s", startSeconds,
            log.lastLine().map(EngineProcess::shortened).orElse("nothing printed yet")));
      }
    }
    return false;
  }

  /** Another program may have taken the port while the engine was starting. */
  private void requireItAnswers() throws EngineFailure {
    process.descendants().forEach(family::add);
    if (!process.isAlive() && family.stream().noneMatch(ProcessHandle::isAlive)) {
      throw new EngineFailure(
          Moment.START,
          "something else answers at " + url() + ": the engine ended" + ending()
              + log.lastWords());
    }
  }

  /** Ctrl-C reaches the engine too, maybe before it is noticed here. */
  private static boolean isStoppedSoon(BooleanSupplier isStopped) throws InterruptedException {
    for (int poll = 0; poll < POLLS_FOR_STOP && !isStopped.getAsBoolean(); poll++) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return isStopped.getAsBoolean();
  }

  private static String shortened(String line) {
    return line.length() > SHOWN ? "…" + line.substring(line.length() - SHOWN + 1) : line;
  }

  private String ending() {
    int code = process.exitValue();
    return " (exit code " + code
        + (code == 0 ? "; the command must not go to the background" : "") + ")";
  }

  /** Where it answers. */
  public String url() {
    return order.url();
  }

  /** How long it took until it answered. */
  public double startSeconds() {
    return startSeconds;
  }

  /** Whether it was started with the same command and settings. */
  boolean isOf(Order other) {
    return process.isAlive()
        && order.template().equals(other.template())
        && order.settings().equals(other.settings());
  }

  /**
   * What it runs with.
   *
   * @param metrics what its metrics tell of its settings
   */
  public List<EngineSetting> settings(Map<String, String> metrics) {
    return log.settings(order.settings(), metrics);
  }

  @Override
  public void onEnd(Runnable action) {
    atEnd = action;
    if (!process.isAlive()) {
      action.run();
    }
  }

  @Override
  public void requireAlive() throws EngineFailure {
    if (!process.isAlive()) {
      throw new EngineFailure(
          Moment.RUN, "the engine ended in the middle of a run" + ending() + log.lastWords());
    }
  }

  /**
   * Asks every process of the engine to end, and kills what does not; one that the system does not
   * end is named.
   */
  @Override
  public void close() {
    atEnd = () -> {};
    process.descendants().forEach(family::add);
    family.add(process.toHandle());
    family.addAll(marked.processes());
    family.forEach(ProcessHandle::destroy);
    if (!areGone(family, order.grace())) {
      List.copyOf(family).forEach(one -> one.descendants().forEach(family::add));
      family.addAll(marked.processes());
      family.forEach(ProcessHandle::destroyForcibly);
      areGone(family, KILLED);
    }
    family.addAll(marked.processes());
    family.stream().filter(ProcessGroupTag::isThere).forEach(this::nameSurvivor);
    limit.end();
  }

  private void nameSurvivor(ProcessHandle one) {
    listener.warn(
        "engine   a process of it is still there: " + named(one)
            + "; it may disturb the next run");
  }

  /** Says which engines a tally left that was killed. */
  static void nameOrphans(Listener listener) {
    ProcessGroupTag.orphans()
        .forEach(
            one ->
                listener.warn(
                    "engine   a tally that was killed left a process: " + named(one)
                        + "; it may disturb all runs, end it: kill " + one.pid()));
  }

  private static String named(ProcessHandle one) {
    return one.pid() + " ("
        + one.info().commandLine().map(EngineProcess::shortened).orElse("unknown") + ")";
  }

  private static boolean areGone(Collection<ProcessHandle> all, Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    while (all.stream().anyMatch(ProcessGroupTag::isThere)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(END_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
