package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.CommandRun;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** The main job, as a user runs it, on the embedded engine. */
public class RunIT {
  public static final String SMALL =
      """
      name: small
      endpoint: completions
      workload:
        arrival: poisson
        rate: 20
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [2, 20]}
      duration: 3s
      warmup: {requests: 4}
      scrape_interval: 100ms
      timeout: 30s
      """;

  @TempDir static Path played;
  private static CommandRun withoutScrapes;

  @TempDir Path folder;

  /** Two runs of one scenario and its seed, the second without the engine's account. */
  @BeforeAll
  static void runTwice() throws IOException {
    String scenario = Files.writeString(played.resolve("small.yaml"), SMALL).toString();
    CommandRun.of("run", scenario, "--out", usual().toString());
    withoutScrapes =
        CommandRun.of("run", "--verbose", scenario, "--no-scrape", "--out", oneSided().toString());
  }

  private static Path usual() {
    return played.resolve("usual");
  }

  private static Path oneSided() {
    return played.resolve("one-sided");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completions", "chat/completions", "responses"})
  void answersThatAreNotStreamedAreCountedByBothSidesAndTimedByTheirEndAlone(String endpoint)
      throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("whole.yaml"),
            SMALL.replace("endpoint: completions", "endpoint: " + endpoint)
                + "request: {stream: false}\nobjectives: [{e2e: 5s, share: 0.9}]\n");
    Path out = folder.resolve("out");
    CommandRun ran =
        CommandRun.of("run", "--verbose", scenario.toString(), "--out", out.toString());

    JsonNode analysis = CommandRun.analysis(out);
    assertThat(ran.code()).as(ran.output()).isIn(0, 4);
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(analysis.at("/counts/ok")).isEqualTo(analysis.at("/counts/planned"));
    assertThat(analysis.at("/client/e2e_from_written/mean").asDouble()).isPositive();
    assertThat(analysis.at("/client/ttft_from_intended/mean").toString())
        .contains("answers were not streamed");
    assertThat(ran.output())
        .contains("Answers were not streamed", "n/a (answers were not streamed)")
        // The request that settles how prompts are written is one of the four; a warm-up that is
        // over within a second has no line.
        .doesNotContainPattern("warm-up .* sent ([5-9]|\\d\\d+)/4 ");
  }

  /** The engine puts the same prompts together as those that bring the whole history. */
  @Test
  void aConversationByTheIdOfTheAnswerBeforeSaysTheSameInFewerWords() throws Exception {
    List<Long> promptTokens = new ArrayList<>();
    for (boolean isById : new boolean[] {false, true}) {
      Path scenario =
          Files.writeString(
              folder.resolve("turns.yaml"),
              SMALL.replace("endpoint: completions", "endpoint: responses")
                  .replace("rate: 20", "rate: 4")
                  .replace(
                      "duration:",
                      "  conversation: {turns: 3, by_response_id: " + isById + "}\nduration:")
                  + "request: {same_prompts: true}\n");
      Path out = folder.resolve("by-id-" + isById);
      CommandRun.of("run", scenario.toString(), "--out", out.toString());
      JsonNode analysis = CommandRun.analysis(out);
      assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
      assertThat(analysis.at("/counts/ok")).isEqualTo(analysis.at("/counts/planned"));
      promptTokens.add(analysis.at("/counts/prompt_tokens").asLong());
    }
    assertThat(promptTokens.get(1)).isPositive().isEqualTo(promptTokens.get(0));
  }

  @Test
  void bothAccountsOfAnOpenLoopAgreeExactly() throws Exception {
    JsonNode analysis = CommandRun.analysis(usual());
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    for (String id : List.of("R1", "R2", "R3", "R4", "R5", "R6", "R7")) {
      assertThat(CommandRun.row(analysis, id).path("status").asText()).as(id).isEqualTo("exact");
    }
    long planned = analysis.at("/counts/planned").asLong();
    assertThat(planned).isPositive().isEqualTo(analysis.at("/counts/ok").asLong());
    assertThat(analysis.at("/run/source").asText()).isEqualTo("embedded");
    for (String file : List.of("report.html", "summary.md", "junit.xml")) {
      assertThat(CommandRun.onlyRun(usual()).resolve(file)).isNotEmptyFile();
    }
  }

  /** The wait takes a second at least: had it begun after the rehearsal, it would end later. */
  @Test
  void theEngineIsWaitedForWhileTheClientRehearses() throws Exception {
    Map<Mark.Kind, Long> marks = new EnumMap<>(Mark.Kind.class);
    RecordReader.open(CommandRun.onlyRun(usual()))
        .eachHarness(row -> {
          if (row instanceof Mark mark) {
            marks.put(mark.kind(), mark.atNanos());
          }
        });

    assertThat(marks.get(Mark.Kind.QUIET_BEFORE_WARMUP) - marks.get(Mark.Kind.REHEARSED))
        .isLessThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(marks.get(Mark.Kind.PROMPTS_SETTLED))
        .isGreaterThan(marks.get(Mark.Kind.REHEARSED))
        .isGreaterThan(marks.get(Mark.Kind.QUIET_BEFORE_WARMUP));
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "simulate"})
  void aClosedLoopIsWarmedUpNoLongerThanItsTime(String command) throws Exception {
    String text =
        SMALL.replace("arrival: poisson\n  rate: 20", "arrival: closed\n  concurrency: 4")
            .replace("{uniform: [2, 20]}", "20")
            .replace("{requests: 4}", "{duration: 1s}")
            .replace("duration: 3s", "requests: 8");
    CommandRun ran = CommandRun.of(command, scenario(text), "--out", out().toString());

    // Four users are answered in more than 100 ms each; the plan has requests for 21 ms each.
    List<String> phases = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out())).eachRequest(row -> phases.add(row.phase()));
    assertThat(phases.stream().filter("warmup"::equals).count())
        .as(ran.output())
        .isBetween(4L, 44L);
    assertThat(CommandRun.analysis(out()).at("/counts/ok").asLong()).isEqualTo(8);
    assertThat(ran.output()).doesNotContain("lacks the rows");
  }

  @Test
  void sessionsOfAWarmupByRequestsAreAllSent() throws Exception {
    String text =
        SMALL.replace("rate: 20", "rate: 20\n  conversation: {turns: 2, think_time: 2s}")
            .replace("duration: 3s", "requests: 8");
    CommandRun.of("simulate", scenario(text), "--out", out().toString());

    List<String> phases = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out())).eachRequest(row -> phases.add(row.phase()));
    assertThat(phases).filteredOn("warmup"::equals).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "simulate"})
  void sessionsOfAWarmupEndWithItsTime(String command) throws Exception {
    String text =
        SMALL.replace("rate: 20", "rate: 20\n  conversation: {turns: 2, think_time: 2s}")
            .replace("{requests: 4}", "{duration: 1s}")
            .replace("duration: 3s", "requests: 8");
    CommandRun ran = CommandRun.of(command, scenario(text), "--out", out().toString());

    List<Integer> users = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out()))
        .eachRequest(
            row -> {
              if (row.phase().equals("warmup")) {
                users.add(row.user());
              }
            });
    // Nobody has thought for two seconds by then.
    assertThat(users).as(ran.output()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(CommandRun.analysis(out()).at("/counts/ok").asLong()).isEqualTo(8);
    assertThat(ran.output()).doesNotContain("lacks the rows");
  }

  @Test
  void aSmallKvCachePreemptsAndTheLedgerStillCloses() throws Exception {
    CommandRun ran =
        run(
            SMALL
                .replace("arrival: poisson\n  rate: 20", "arrival: closed\n  concurrency: 12")
                .replace("{uniform: [8, 40]}", "40")
                .replace("{uniform: [2, 20]}", "60")
                .replace("duration: 3s", "requests: 40\nengine: {num_gpu_blocks_override: 40,"
                    + " block_size: 16, max_model_len: 512}"));

    JsonNode analysis = CommandRun.analysis(out());
    assertThat(analysis.at("/engine/counters/vllm:num_preemptions_total").asLong()).isPositive();
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(ran.output().replaceAll("\\s+", " ")).contains("a slower server is asked less");
  }

  @Test
  void aTokenLostInTheEngineBreaksTheLedger() throws Exception {
    CommandRun ran = run(SMALL + "engine: {fault: \"drop-token:at=300\"}\n");
    assertThat(ran.code()).as(ran.output()).isEqualTo(4);

    JsonNode analysis = CommandRun.analysis(out());
    assertThat(CommandRun.row(analysis, "R4").path("status").asText()).isEqualTo("differs");
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
  }

  @Test
  void withoutScrapesTheReportIsOneSidedAndSaysSo() throws Exception {
    JsonNode analysis = CommandRun.analysis(oneSided());
    assertThat(analysis.at("/engine/available").asBoolean()).isFalse();
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_checked");
    assertThat(analysis.at("/counts/ok").asLong()).isPositive();
    assertThat(withoutScrapes.output()).contains("n/a");
  }

  @Test
  void anotherTargetIsNamedBeforehandAndItsWarmPromptsAreSaid() throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      // The unspecified address is this machine, but not by a loopback name.
      String elsewhere = engine.url().replace("127.0.0.1", "0.0.0.0");
      CommandRun ran =
          run(
              SMALL.replace("duration: 3s", "duration: 1s"),
              "--same-prompts", "--target", elsewhere);

      assertThat(ran.output())
          .contains("About to send to [" + elsewhere + "]")
          .contains("warm cache")
          .contains("simulated engine");
      assertThat(CommandRun.analysis(out()).at("/run/source").asText()).isEqualTo("simulated");
    }
  }

  @Test
  void aKilledLoadLeavesARecordThatSaysWhenAndHowItEnded() throws Exception {
    // What other tests left may still be ending.
    Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
    CompletableFuture<CommandRun> running =
        CompletableFuture.supplyAsync(() -> run(SMALL.replace("duration: 3s", "duration: 60s")));
    Path requests = CommandRun.awaitRows(out(), 8, () -> !running.isDone());
    ProcessHandle load =
        ProcessHandle.current().children()
            .filter(child -> !before.contains(child))
            .findFirst()
            .orElseThrow();
    load.destroyForcibly();

    CommandRun ran = running.get(120, TimeUnit.SECONDS);
    assertThat(ran.code()).isEqualTo(4);
    assertThat(requests).isNotEmptyFile();
    CommandRun again = CommandRun.of("report", "--verbose", CommandRun.onlyRun(out()).toString());
    assertThat(again.code()).isEqualTo(4);
    for (String output : List.of(ran.output(), again.output())) {
      assertThat(output.replaceAll("\\s+", " "))
          .contains("the load process was ended by signal 9 (SIGKILL)")
          .containsPattern("that was \\d+\\.\\d s after it began to record")
          .doesNotContain("nobody closed");
    }
    assertThat(CommandRun.analysis(out()).at("/run/state").asText()).isEqualTo("failed");
  }

  @Test
  void aRuleOfTheScenarioEndsTheRunAndIsNoGoodResult() throws Exception {
    CommandRun ran =
        run(
            SMALL.replace("duration: 3s", "duration: 60s\nstop_when: {error_share: 50%}")
                + "engine: {fault: \"http503:p=0.95\"}\n");

    // On a machine that starves the client the run is not to be trusted, which is 4.
    assertThat(ran.code()).as(ran.output()).isIn(1, 4);
    assertThat(ran.output()).contains("stop_when error_share");
    assertThat(CommandRun.analysis(out()).at("/run/state").asText()).isEqualTo("stopped");
  }

  @Test
  @Tag("stress")
  void theTimeOfARuleCountsFromTheOriginOfTheWindow() throws Exception {
    run(SMALL.replace("duration: 3s", "duration: 60s\nstop_when: {duration: 2s}"));

    assertThat(CommandRun.analysis(out()).at("/run/state").asText()).isEqualTo("stopped");
    assertThat(markNanos("stopped") - markNanos("window_origin"))
        .isGreaterThanOrEqualTo(2_000_000_000L);
  }

  private long markNanos(String kind) throws IOException {
    Path harness = RecordFiles.ofRun(CommandRun.onlyRun(out())).harness();
    return Files.readAllLines(harness).stream()
        .map(CommandRun::json)
        .filter(row -> row.path("mark").asText().equals(kind))
        .findFirst()
        .orElseThrow()
        .path("at_ns")
        .asLong();
  }

  @Test
  void aSignalClosesTheRecordAndReportsWhatItHas() throws Exception {
    Path log = folder.resolve("log");
    Process tally =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
                "run", scenario(SMALL.replace("duration: 3s", "duration: 60s")),
                "--out", out().toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    CommandRun.awaitRows(out(), 12, tally::isAlive);
    // Ctrl-C takes the same way, but a shell may start its background jobs with SIGINT ignored.
    new ProcessBuilder("kill", "-TERM", Long.toString(tally.pid())).start().waitFor();

    assertThat(tally.waitFor(90, TimeUnit.SECONDS)).isTrue();
    assertThat(tally.exitValue()).as(Files.readString(log)).isEqualTo(130);
    JsonNode analysis = CommandRun.analysis(out());
    assertThat(analysis.at("/run/state").asText()).isEqualTo("interrupted");
    assertThat(analysis.at("/counts/ok").asLong()).isPositive();
  }

  @Test
  void twoRunsOfOneSeedPlanTheSameAndShareNoPrefix() throws Exception {
    JsonNode first = CommandRun.analysis(usual());
    assertThat(first.at("/engine/counters/vllm:prefix_cache_hits_total").asLong()).isZero();
    String mine = Files.readString(RecordFiles.ofRun(CommandRun.onlyRun(usual())).plan());
    String other = Files.readString(RecordFiles.ofRun(CommandRun.onlyRun(oneSided())).plan());
    assertThat(mine).isEqualTo(other);
  }

  @Test
  void aSimulationCountsThePromptTokensOfARunOfTheSameScenario() throws Exception {
    String text =
        """
        name: small
        endpoint: chat/completions
        workload:
          arrival: closed
          concurrency: 2
          dataset: {format: sharegpt, file: %s}
          conversation: {think_time: 1ms}
        requests: 6
        scrape_interval: 100ms
        timeout: 30s
        """
            .formatted(Path.of("scenarios/traces/sharegpt-sample.json").toAbsolutePath());
    run(text);
    CommandRun.of("simulate", scenario(text), "--out", folder.resolve("virtual").toString());
    assertThat(promptTokens(CommandRun.onlyRun(folder.resolve("virtual"))))
        .isEqualTo(promptTokens(CommandRun.onlyRun(out())))
        .isNotEmpty();
  }

  private static Map<Integer, Integer> promptTokens(Path run) throws IOException {
    Map<Integer, Integer> tokens = new TreeMap<>();
    RecordReader.open(run)
        .eachRequest(row -> tokens.put(row.index(), row.usage().promptTokens()));
    return tokens;
  }

  private CommandRun run(String scenario, String... more) {
    List<String> arguments = new ArrayList<>(List.of("run", "--verbose", scenario(scenario)));
    arguments.addAll(List.of("--out", out().toString()));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private String scenario(String text) {
    try {
      Path file = folder.resolve("small.yaml");
      Files.writeString(file, text);
      return file.toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Path out() {
    return folder.resolve("out");
  }
}
