package tallystick.experiment.engine;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineFailure.Moment;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.Listener;

/** An engine that a command started, with all processes that it started itself. */
public final class EngineProcess implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final long END_MILLIS = 20;
  private static final int POLLS_FOR_STOP = 5;
  private static final int ANSWER_MILLIS = 2_000;
  private static final double TELL_SECONDS = 5;
  private static final double NANOS = 1e9;
  private static final int SHOWN = 60;

  /** How long the system may take to end what was killed. */
  private static final Duration KILLED = Duration.ofSeconds(20);

  private final Process process;
  private final Order order;
  private final EngineLog log;
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
  }

  private EngineProcess(Process process, Order order) {
    this.process = process;
    this.order = order;
    this.log = new EngineLog(order.log());
    process.onExit().thenRun(() -> atEnd.run());
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
    Process process =
        new ProcessBuilder(order.command())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(order.log().toFile()))
            .start();
    EngineProcess engine = new EngineProcess(process, order);
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
      if (answers()) {
        process.descendants().forEach(family::add);
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
        listener.say(String.format(
            Locale.ROOT, "engine   starting, %.0f s: %s", startSeconds,
            log.lastLine().map(EngineProcess::shortened).orElse("nothing printed yet")));
      }
    }
    return false;
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

  /** Not every server has a page for its health. */
  private boolean answers() {
    int status = status("/health");
    return status == HttpURLConnection.HTTP_OK
        || status == HttpURLConnection.HTTP_NOT_FOUND
            && status("/v1/models") / 100 != HttpURLConnection.HTTP_INTERNAL_ERROR / 100;
  }

  private int status(String path) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(url() + path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(ANSWER_MILLIS);
      connection.setReadTimeout(ANSWER_MILLIS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Connection", "close");
      try {
        return connection.getResponseCode();
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return HttpURLConnection.HTTP_INTERNAL_ERROR;
    }
  }

  /** Where it answers. */
  public String url() {
    return "http://127.0.0.1:" + order.port();
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

  /** What to do when it ends; at once if it has ended. */
  public void onEnd(Runnable action) {
    atEnd = action;
    if (!process.isAlive()) {
      action.run();
    }
  }

  /**
   * Nothing, while it lives.
   *
   * @throws EngineFailure if it has ended
   */
  public void requireAlive() throws EngineFailure {
    if (!process.isAlive()) {
      throw new EngineFailure(
          Moment.RUN, "the engine ended in the middle of a run" + ending() + log.lastWords());
    }
  }

  /** Asks every process of the engine to end, and kills what does not; none is left after this. */
  @Override
  public void close() {
    atEnd = () -> {};
    process.descendants().forEach(family::add);
    family.add(process.toHandle());
    family.forEach(ProcessHandle::destroy);
    if (!areGone(family, order.grace())) {
      List.copyOf(family).forEach(one -> one.descendants().forEach(family::add));
      family.forEach(ProcessHandle::destroyForcibly);
      areGone(family, KILLED);
    }
  }

  private static boolean areGone(Collection<ProcessHandle> all, Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    while (all.stream().anyMatch(EngineProcess::isThere)) {
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

  /** A process that has ended and that nobody has asked about is not there any more. */
  static boolean isThere(ProcessHandle process) {
    if (!process.isAlive()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException | StringIndexOutOfBoundsException e) {
      return process.isAlive();
    }
  }
}
