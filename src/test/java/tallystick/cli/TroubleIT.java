package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * What goes wrong around a live run, and the sentence a user reads of it. Nothing here asks how
 * fast the machine is: a busy one makes these runs invalid, and they say the same.
 */
@Tag("stress")
class TroubleIT {
  // The chat endpoint needs no trial of prompts, so a fault's times begin with the window.
  private static final String SCENARIO =
      """
      name: trouble
      endpoint: chat/completions
      workload:
        arrival: poisson
        rate: 20
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [8, 30]}
      duration: 9s
      warmup: {requests: 0}
      scrape_interval: 200ms
      timeout: 10s
      """;

  /** Longer than a request and a scrape wait. */
  private static final long CUT_SECONDS = 9;

  @TempDir private Path folder;

  @Test
  void stormsAndBrokenStreamsAndScrapesAreToldEachByItsReason() throws Exception {
    String faults =
        "http429:p=1,after=1s,for=2s;http503:p=1,after=4s,for=2s;malformed-chunk:after=3,p=0.3;"
            + "error-event:after=3,p=0.4;truncated-metrics:after=3s,for=2s";
    run("engine: {fault: \"" + faults + "\"}\n");

    assertThat(said("failures"))
        .containsPattern("\\d+ of \\d+ requests failed \\(.* with HTTP 429.*\\)")
        .contains("with HTTP 503")
        .contains("malformed_chunk")
        .contains("error_event: The engine failed (a fault on demand).");
    assertThat(said("lost_scrapes")).contains("times: the answer was cut");
  }

  @Test
  void anEngineThatDiedAndCameBackIsToldWithItsTimesAndWhatWasLost() throws Exception {
    run("engine: {fault: \"restart:after=2s,for=4s\"}\n");

    assertThat(said("engine_restart"))
        .containsPattern(
            "The engine died at about \\d+\\.\\d s and was back at \\d+\\.\\d s:"
                + " \\d+ requests? (was|were) lost");
    assertThat(analysis().path("findings").findValuesAsText("code"))
        .doesNotContain("engine_stood_still", "engine_counts_less");
  }

  @Test
  void metricsThatAreDownOverTheLastScrapeLeaveTheLedgerOpen() throws Exception {
    run("engine: {fault: \"metrics-hole:after=7s,for=300s\"}\n", "--quiet-timeout", "8");

    assertThat(said("lost_scrapes")).contains("what grew after the last good scrape is lost");
    assertThat(said("ledger_open")).contains("was not seen idle after the window");
    assertThat(analysis().at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
  }

  @Test
  void garbageAndGigabytesFromMetricsAreRefusedAndChurningSeriesAreTold() throws Exception {
    String giant = "x".repeat((64 << 20) + 1);
    AtomicInteger scrapes = new AtomicInteger();
    try (EmbeddedEngine engine =
            EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
        MetricsProxy proxy =
            MetricsProxy.of(
                engine.url(),
                text ->
                    MetricsProxy.sum(text, "vllm:request_success_total") == 0
                        ? text
                        : switch (scrapes.incrementAndGet() % 10) {
                          case 4 -> "<html>Sign in</html>";
                          case 8 -> giant;
                          default -> text + churning(scrapes.get());
                        })) {
      run(
          "targets: [{url: \"%s\", metrics_url: \"%s\"}]%n".formatted(engine.url(), proxy.url()),
          "--quiet-timeout", "5");
    }

    assertThat(said("lost_scrapes"))
        .contains("that is a web page (HTML) and no metrics")
        .contains("the page has 67.1 MB, and at most 67.1 MB are read");
    assertThat(said("series_churn"))
        .containsPattern("Target 0 showed [\\d,]+ series in the window, and at most [\\d,]+ at")
        .contains("path: ");
  }

  private static String churning(int scrape) {
    return IntStream.range(0, 600)
        .mapToObj(i -> "visits_total{path=\"/" + scrape + "/" + i + "\"} 1\n")
        .collect(Collectors.joining());
  }

  @Test
  void metricsThatComeTooLateAreLostScrapes() throws Exception {
    run("engine: {fault: \"slow-metrics:by=7s,after=1s,for=3s\"}\n");

    assertThat(said("lost_scrapes")).contains("no whole answer within 5.0 s");
  }

  /** The fault's time counts from the engine's start, and a busy machine begins late. */
  @Test
  void aCoreThatStopsForTwentySecondsIsToldWithItsTimes() throws Exception {
    run(
        "engine: {fault: \"stall:at=25s,for=20s\"}\n",
        "--set", "duration=50s", "--set", "timeout=90s", "--set", "workload.rate=5");

    assertThat(said("engine_stood_still"))
        .containsPattern(
            "The engine stood still from \\d+\\.\\d s to \\d+\\.\\d s, for between"
                + " \\d+\\.\\d and \\d+\\.\\d s: it made no token while requests were in it");
    assertThat(analysis().path("findings").findValuesAsText("code"))
        .doesNotContain("engine_restart", "lost_scrapes");
  }

  @Test
  void aLoadThatHasNoDescriptorLeftIsItsOwnFault() throws Exception {
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      ProcessBuilder tally =
          tally(
              "", "--target", engine.url(), "--set", "workload.rate=120", "--set",
              "workload.output_tokens=500", "--set", "warmup.requests=4");
      // Classes lie in folders here: what the first answer needs is loaded while there is room.
      tally.command().addAll(0, List.of("bash", "-c", "ulimit -n 400; exec \"$0\" \"$@\""));

      assertThat(end(tally.start(), 4)).contains("INVALID");
    }
    assertThat(said("client_saturated"))
        .containsPattern("\\d+ requests got no socket: .* raise the limit \\(ulimit -n\\)");
    assertThat(analysis().at("/run/state").asText()).isEqualTo("completed");
  }

  /** The line is dead for longer than a request waits, then it lives again. */
  @Test
  void aLineThatIsCutIsNoEngineThatDied() throws Exception {
    int code;
    try (EmbeddedEngine engine =
            EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
        CutLine line = CutLine.before(URI.create(engine.url()).getPort())) {
      Process process =
          tally(
                  "", "--target", line.url(), "--set", "duration=30s", "--set", "timeout=4s",
                  "--quiet-timeout", "30")
              .start();
      awaitRows(process);
      line.cut();
      TimeUnit.SECONDS.sleep(CUT_SECONDS);
      line.mend();
      code = ended(process);
    }
    // A fifth of the requests failed, which no objective forbids; a client that was late as well,
    // as on a busy machine, makes the run invalid.
    boolean isInvalid =
        analysis().path("findings").findValuesAsText("severity").contains("invalid");
    assertThat(code).isEqualTo(isInvalid ? 4 : 0);
    assertThat(said("failures")).contains("timed_out");
    assertThat(said("lost_scrapes")).contains("no whole answer within 5.0 s");
    assertThat(analysis().path("findings").findValuesAsText("code"))
        .doesNotContain("engine_restart");
  }

  @Test
  void aReaderThatLeavesTakesNothingFromALiveRun() throws Exception {
    ProcessBuilder tally = tally("");
    tally
        .command()
        .addAll(
            0,
            List.of("bash", "-c", "\"$0\" \"$@\" 2>&1 | head -n 1; exit ${PIPESTATUS[0]}"));
    Process process = tally.start();
    end(process, 0, 1, 4, 5);

    assertThat(analysis().at("/run/state").asText()).isEqualTo("completed");
    assertThat(analysis().at("/counts/ended").asLong())
        .isPositive()
        .isEqualTo(analysis().at("/counts/planned").asLong());
    CommandRun again = CommandRun.of("report", CommandRun.onlyRun(out()).toString());
    assertThat(process.exitValue()).isEqualTo(again.code());
  }

  @Test
  void aHostWhoseNameIsGoneIsToldInWords() throws Exception {
    Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 engine.test\n");
    EngineSettings forgetful = EngineSettings.ofFlags(Map.of("http-timeout-keep-alive", "0.02"));
    try (EmbeddedEngine engine = EmbeddedEngine.start(forgetful, "127.0.0.1", 0)) {
      String target = engine.url().replace("127.0.0.1", "engine.test");
      // The scraper has a way of its own: the run has both accounts, whatever the load meets.
      ProcessBuilder tally =
          tally("", "--target", target, "--metrics-url", engine.url() + "/metrics");
      tally
          .environment()
          .put(
              "JAVA_TOOL_OPTIONS",
              "-Dsun.net.inetaddr.ttl=0 -Djdk.net.hosts.file=" + hosts);
      Process process = tally.start();
      awaitRows(process);
      Files.writeString(hosts, "127.0.0.1 elsewhere.test\n");
      end(process, 1, 4);
    }
    assertThat(said("failures")).contains("refused: the host name is not known: ");
  }

  @Test
  void aRecordWhoseFolderIsRemovedEndsTheRunWithItsReason() throws Exception {
    Process process = tally("", "--set", "duration=60s").start();
    awaitRows(process);
    delete(RecordFiles.ofRun(CommandRun.onlyRun(out())).folder());

    assertThat(end(process, 3))
        .contains("The run ended early: the record could not be written")
        .contains("was removed while it was written");
  }

  @Test
  void asLongAsOneRunLoadsATargetAnotherIsNotMeasured() throws Exception {
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      Process first = tally("", "--target", engine.url(), "--set", "duration=300s").start();
      awaitRows(first);
      CommandRun second =
          run(
              "", "--target", engine.url(), "--quiet-timeout", "3", "--out",
              folder.resolve("second").toString());
      first.destroy();

      assertThat(second.code()).as(second.output()).isEqualTo(4);
      assertThat(second.output()).contains("--allow-foreign-traffic");
      assertThat(end(first, 130)).contains("interrupted");
    }
  }

  /** A finding's words: its text and its evidence. */
  private String said(String code) throws IOException {
    for (JsonNode finding : analysis().path("findings")) {
      if (finding.path("code").asText().equals(code)) {
        return finding.path("text").asText() + "\n" + finding.path("evidence");
      }
    }
    throw new AssertionError("no " + code + " in " + analysis().path("findings"));
  }

  private JsonNode analysis() throws IOException {
    return CommandRun.analysis(out());
  }

  private CommandRun run(String more, String... arguments) {
    return CommandRun.of(words(more, arguments).toArray(String[]::new));
  }

  private List<String> words(String more, String... arguments) {
    try {
      Path file = Files.createTempFile(folder, "trouble", ".yaml");
      Files.writeString(file, SCENARIO + more);
      List<String> words = new ArrayList<>(List.of("run", "--verbose", file.toString()));
      if (!List.of(arguments).contains("--out")) {
        words.addAll(List.of("--out", out().toString()));
      }
      words.addAll(List.of(arguments));
      return words;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private ProcessBuilder tally(String more, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally"));
    command.addAll(words(more, arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile());
  }

  /** What a run said that ends with one of these codes. */
  private String end(Process process, Integer... codes) throws Exception {
    int code = ended(process);
    String log = Files.readString(folder.resolve("log"));
    assertThat(code).as(log).isIn((Object[]) codes);
    return log.replaceAll("\\s+", " ");
  }

  private int ended(Process process) throws Exception {
    boolean hasEnded = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(hasEnded).as(Files.readString(folder.resolve("log"))).isTrue();
    return process.exitValue();
  }

  private void awaitRows(Process process) throws Exception {
    CommandRun.awaitRows(out(), 10, process::isAlive);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private Path out() {
    return folder.resolve("out");
  }
}
