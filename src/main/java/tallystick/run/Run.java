package tallystick.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.ShardJson;
import tallystick.runrecord.WholeFile;

/**
 * One run, from a plan to a closed record. The load lives in a process of its own: one clock, no
 * other work beside it, and a death that leaves a readable record.
 */
public final class Run {
  /** More than the 40 s that the load process gives itself to close. */
  private static final long CLOSING_SECONDS = 60;

  /** The Java release from which ZGC needs no flag to collect by generations. */
  private static final int GENERATIONAL_BY_DEFAULT = 23;

  /** A carrier that has work takes no new start: with some to spare one is free for it. */
  private static final int SPARE_CARRIERS = 2;

  private final RunOrders orders;
  private final LoadMemory memory = LoadMemory.of(System.getProperty("java.class.path"));
  private volatile Process process;
  private volatile boolean stopAsked;

  /** A run that has not begun. */
  public Run(RunOrders orders) {
    this.orders = orders;
  }

  /**
   * Runs to the end; blocks.
   *
   * @param progress is told once a second how far the run is
   * @throws IOException if the record's folder cannot be written or no JVM can be started
   */
  public RunEnd execute(Consumer<Progress> progress) throws IOException, InterruptedException {
    RecordFiles files = RecordFiles.ofRun(orders.runFolder());
    writeOrders(files);
    process = start(files.folder().resolve("session.log"));
    if (stopAsked) {
      stop();
    }
    Optional<RunEnd> end = follow(process, progress);
    boolean hasEnded = process.waitFor(CLOSING_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    memory.keep(hasEnded && process.exitValue() == 0);
    return end.orElseGet(
        () ->
            new LoadDeath(
                    hasEnded ? OptionalInt.of(process.exitValue()) : OptionalInt.empty(), orders)
                .close());
  }

  /** What the load process reads; of a disk that has no room for it nothing is taken. */
  private void writeOrders(RecordFiles files) throws IOException {
    try {
      Files.createDirectories(files.folder());
      PlanJson.write(orders.plan(), files.plan());
      if (orders.shard().isPresent()) {
        ShardJson.write(orders.shard().get(), files.shard());
      }
      ManifestJson.write(orders.manifest(), files.manifest());
    } catch (IOException e) {
      Path run = orders.runFolder();
      for (Path written :
          List.of(files.plan(), files.shard(), files.manifest(), files.folder(), run)) {
        Files.deleteIfExists(written);
      }
      throw WholeFile.failure(run, e);
    }
  }

  /** Asks the run to close its record now. Threads: any. */
  public void stop() {
    stopAsked = true;
    Process running = process;
    if (running != null) {
      try {
        running.getOutputStream().write(RunSession.STOP_ORDER);
        running.getOutputStream().close();
      } catch (IOException e) {
        running.destroy();
      }
    }
  }

  private Process start(Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseZGC");
    if (Runtime.version().feature() < GENERATIONAL_BY_DEFAULT) {
      command.add("-XX:+ZGenerational");
    }
    // Java's fast compiler alone: docs/decisions/run-load-process.md.
    command.add("-XX:TieredStopAtLevel=1");
    // More carriers than cores: docs/decisions/openai-stream-threads.md.
    command.add(
        "-Djdk.virtualThreadScheduler.parallelism="
            + (Runtime.getRuntime().availableProcessors() + SPARE_CARRIERS));
    command.add("-XX:ErrorFile=" + log.resolveSibling("java-failure.log"));
    command.addAll(orders.heap().flags());
    command.addAll(memory.flags());
    command.addAll(
        List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-Duser.language=en",
            "-cp",
            System.getProperty("java.class.path"),
            RunSession.class.getName(),
            orders.runFolder().toString(),
            Boolean.toString(orders.allowForeignTraffic()),
            orders.quietTimeout().toString(),
            Integer.toString(orders.ports().traces()),
            Integer.toString(orders.ports().metrics())));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(log.toFile());
    builder.environment().put(RunSession.API_KEY_VARIABLE, orders.apiKey());
    return builder.start();
  }

  private static Optional<RunEnd> follow(Process process, Consumer<Progress> progress)
      throws IOException {
    RunEnd end = null;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        SessionMessage message = SessionMessage.read(line);
        if (message.progress() != null) {
          progress.accept(message.progress());
        }
        end = message.end() == null ? end : message.end();
      }
    }
    return Optional.ofNullable(end);
  }
}
