package tallystick.experiment.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineSetting;

/** The commands are scripts; this process answers for them as soon as they have written a file. */
class EngineProcessTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir Path folder;

  private HttpServer health;

  @BeforeEach
  void serve() throws IOException {
    health = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    health.createContext(
        "/health",
        exchange -> {
          exchange.sendResponseHeaders(Files.exists(folder.resolve("up")) ? 200 : 503, -1);
          exchange.close();
        });
    health.start();
  }

  @AfterEach
  void stop() {
    health.stop(0);
  }

  private EngineProcess.Order order(String script, Duration patience, Duration grace) {
    String quoted = script.replace("DIR", folder.toString());
    return new EngineProcess.Order(
        CommandTemplate.of("sh -c '" + quoted + "' {port} {max_num_seqs}"),
        Map.of("max_num_seqs", "64", "block_size", "16"), health.getAddress().getPort(),
        folder.resolve("engine.log"), patience, grace);
  }

  private EngineProcess started(String script, Duration grace)
      throws IOException, InterruptedException {
    return EngineProcess.start(order(script, LONG, grace), line -> {}, () -> false).orElseThrow();
  }

  private static List<ProcessHandle> handles(Path pids) throws IOException {
    try (Stream<String> lines = Files.lines(pids)) {
      return lines.map(Long::valueOf).map(ProcessHandle::of).flatMap(Optional::stream).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "trap \"\" TERM; "})
  void nothingOfItIsLeftEvenIfItWillNotEnd(String trap) throws Exception {
    try (EngineProcess engine =
        started(
            trap + "sleep 600 & echo $! > DIR/pids; (sleep 600 & echo $! >> DIR/pids; wait) &"
                + " echo $! >> DIR/pids; while [ $(wc -l < DIR/pids) -lt 3 ]; do sleep 0.02; done;"
                + " touch DIR/up; wait",
            trap.isEmpty() ? LONG : SHORT)) {
      List<ProcessHandle> family = handles(folder.resolve("pids"));
      assertThat(family).hasSize(3).allMatch(ProcessHandle::isAlive);
      engine.requireAlive();

      engine.close();

      assertThat(family).noneMatch(ProcessGroupTag::isThere);
    }
  }

  @Test
  void itsLastWordsTellWhyItDidNotStart() {
    assertThatThrownBy(
            () ->
                started(
                    "echo ValueError: no such model; for i in 1 2 3 4 5 6 7 8; do echo at $i; done;"
                        + " exit 3",
                    LONG))
        .isInstanceOfSatisfying(
            EngineFailure.class,
            failure -> assertThat(failure.moment()).isEqualTo(EngineFailure.Moment.START))
        .hasMessageContaining("ended before it answered (exit code 3)")
        .hasMessageContaining("no such model")
        .hasMessageContaining("at 8")
        .hasMessageContaining("engine.log");
  }

  @Test
  void oneThatNeverAnswersIsEnded() throws Exception {
    assertThatThrownBy(
            () ->
                EngineProcess.start(
                    order("sleep 600; echo DIR", SHORT, LONG), line -> {},
                    () -> false))
        .isInstanceOf(EngineFailure.class)
        .hasMessageContaining("did not answer");
    assertThat(ProcessHandle.current().descendants())
        .noneMatch(one -> one.info().commandLine().orElse("").contains(folder.toString()));
  }

  @Test
  void whoAsksToStopWaitsForNothing() throws Exception {
    assertThat(EngineProcess.start(order("exec sleep 600", LONG, LONG), line -> {}, () -> true))
        .isEmpty();
    // Ctrl-C ends the engine, too: that is not a failure of its start.
    CountDownLatch asked = new CountDownLatch(2);
    assertThat(
            EngineProcess.start(
                order("exit 130", LONG, LONG), line -> {},
                () -> {
                  asked.countDown();
                  return asked.getCount() == 0;
                }))
        .isEmpty();
  }

  @Test
  void whatItRunsWithIsReadFromItsMetricsThenFromItsLog() throws Exception {
    try (EngineProcess engine =
        started(
            "echo \"args: {\\\"max_num_seqs\\\": 64, }\"; echo capping max_num_seqs to 32;"
                + " touch DIR/up; exec sleep 600",
            LONG)) {
      assertThat(engine.settings(Map.of("block_size", "32")))
          .containsExactlyInAnyOrder(
              new EngineSetting("max_num_seqs", "64", "32", EngineSetting.Source.LOG),
              new EngineSetting("block_size", "16", "32", EngineSetting.Source.METRICS));
      assertThat(engine.settings(Map.of()))
          .contains(EngineSetting.declared("block_size", "16"));
    }
  }

  @Test
  void oneThatEndsInTheMiddleIsNoticed() throws Exception {
    try (EngineProcess engine =
        started(
            "touch DIR/up; while [ -e DIR/up ]; do sleep 0.02; done; echo CUDA is gone; exit 9",
            LONG)) {
      CountDownLatch ended = new CountDownLatch(1);
      engine.onEnd(ended::countDown);

      Files.delete(folder.resolve("up"));

      assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(engine::requireAlive)
          .isInstanceOfSatisfying(
              EngineFailure.class,
              failure -> assertThat(failure.moment()).isEqualTo(EngineFailure.Moment.RUN))
          .hasMessageContaining("(exit code 9)")
          .hasMessageContaining("CUDA is gone");
    }
  }

  @Test
  void anotherServerOnItsPortIsNotTheEngine() throws Exception {
    Files.createFile(folder.resolve("up"));
    assertThatThrownBy(() -> started("exec sleep 600", LONG))
        .hasMessageContaining("before the engine is started");

    Files.delete(folder.resolve("up"));
    health.removeContext("/health");
    CountDownLatch asked = new CountDownLatch(2);
    health.createContext(
        "/health",
        exchange -> {
          asked.countDown();
          if (asked.getCount() == 0) {
            awaitEnd();
          }
          exchange.sendResponseHeaders(asked.getCount() == 0 ? 200 : 503, -1);
          exchange.close();
        });
    assertThatThrownBy(() -> started("while [ ! -e DIR/end ]; do sleep 0.02; done; exit 7", LONG))
        .isInstanceOf(EngineFailure.class)
        .hasMessageContaining("(exit code 7)");
  }

  private void awaitEnd() throws IOException {
    List<ProcessHandle> engines = ProcessHandle.current().children().toList();
    Files.createFile(folder.resolve("end"));
    while (engines.stream().anyMatch(ProcessHandle::isAlive)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void oneThatLeftItsParentEndsToo() throws Exception {
    try (EngineProcess engine =
        started("(sleep 600 & echo $! > DIR/pids); touch DIR/up; exec sleep 600", LONG)) {
      List<ProcessHandle> child = handles(folder.resolve("pids"));
      assertThat(child).hasSize(1).allMatch(ProcessHandle::isAlive);

      engine.close();

      assertThat(child).noneMatch(ProcessGroupTag::isThere);
    }
  }

  @Test
  void aLogThatGrowsTooLongLosesItsMiddleAndSaysSo() throws Exception {
    try (EngineProcess engine =
        started(
            "echo max_num_seqs=32; yes printed | head -c 70000000; touch DIR/up; exec sleep 600",
            LONG)) {
      engine.close();
    }
    Path log = folder.resolve("engine.log");
    assertThat(Files.size(log)).isLessThan(LogLimit.MOST_BYTES);
    try (Stream<String> lines = Files.lines(log)) {
      List<String> ends = lines.filter(line -> !line.equals("printed")).toList();
      assertThat(ends.getFirst()).isEqualTo("max_num_seqs=32");
      assertThat(ends.getLast()).startsWith("[tally cut ").contains("out of the middle");
    }
  }

  private static Process marked(long maker) throws IOException {
    ProcessBuilder sleeping = new ProcessBuilder("sleep", "60");
    sleeping.environment().put(ProcessGroupTag.VARIABLE, maker + "-mark");
    return sleeping.start();
  }

  /** A kill -9 of tally leaves its engine, which slows all that is measured after it. */
  @Test
  void whatAKilledTallyLeftIsNamed() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Process left = marked(gone.pid());
    Process ours = marked(ProcessHandle.current().pid());
    List<String> said = new CopyOnWriteArrayList<>();
    try {
      EngineProcess.nameOrphans(said::add);
    } finally {
      left.destroyForcibly();
      ours.destroyForcibly();
    }

    assertThat(said)
        .anyMatch(line -> line.contains("left a process: " + left.pid() + " ("))
        .anyMatch(line -> line.endsWith("end it: kill " + left.pid()))
        .noneMatch(line -> line.contains(Long.toString(ours.pid()) + " ("));
  }
}
