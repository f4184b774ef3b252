package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.FreePort;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.ScrapeRow;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** The whole chain on the live embedded engine: kinds of engines, and what goes wrong with them. */
class EngineKindsIT {
  private static final String SCENARIO =
      """
      name: kinds
      endpoint: completions
      workload:
        arrival: poisson
        rate: 20
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [8, 30]}
      duration: 4s
      warmup: {requests: 0}
      scrape_interval: 100ms
      timeout: 20s
      """;

  @TempDir private Path folder;

  @Test
  void severalEnginesThatSpeculateReconcileAndAreShownApart() throws Exception {
    CommandRun ran = run("engine: {data_parallel_size: 2, speculative_tokens: 2, acceptance: 1}");

    JsonNode analysis = analysis();
    assertThat(analysis.at("/reconciliation/verdict").asText())
        .as(ran.output())
        .isEqualTo("reconciled");
    double tokens = 0;
    for (JsonNode replica : analysis.at("/load/replicas/replicas")) {
      assertThat(replica.path("output_tokens").asDouble()).isPositive();
      tokens += replica.path("output_tokens").asDouble();
    }
    assertThat(tokens).isEqualTo(analysis.at("/counts/completion_tokens").asDouble());
    assertThat(ran.output())
        .contains("engine 1", "The busiest engine made", "accepted draft tokens 100 %");
    speculationIsToldFromOutside(analysis);
  }

  /** Chunks of several tokens make ITL incomparable; the identity of gaps says how many. */
  private static void speculationIsToldFromOutside(JsonNode analysis) {
    assertThat(analysis.at("/counts/merged_chunks").asDouble())
        .isGreaterThan(0.5 * analysis.at("/counts/chunks").asDouble());
    JsonNode itl = analysis.path("comparisons").get(2);
    assertThat(itl.path("verdict").asText()).isEqualTo("not_comparable");
    assertThat(itl.path("explanation").asText()).contains("only means are compared");
    assertThat(analysis.at("/load/speculative_acceptance").asDouble()).isEqualTo(1);
    assertThat(analysis.at("/load/accepted_at")).hasSize(2);
    JsonNode gaps = CommandRun.row(analysis, "R5");
    assertThat(gaps.path("difference").asDouble()).isNegative();
    assertThat(gaps.path("status").asText()).isEqualTo("within_tolerance");
  }

  @Test
  @Tag("stress")
  void olderNamesWithoutTotalThatComeWithTheFirstRequestAreCountedFromThere() throws Exception {
    CommandRun ran = run("engine: {vllm_version: 0.9.2, fault: no-total;late-families}");

    List<ScrapeRow> scrapes = scrapes();
    assertThat(scrapes.getFirst().samples())
        .noneMatch(sample -> sample.series().name().startsWith("vllm:"));
    assertThat(scrapes.getLast().samples())
        .anyMatch(sample -> sample.series().name().startsWith("vllm:"));
    JsonNode analysis = analysis();
    assertThat(analysis.at("/reconciliation/verdict").asText())
        .as(ran.output())
        .isEqualTo("reconciled");
    assertThat(findings(analysis)).doesNotContain("engine_restart", "labels_changed");
    assertThat(CommandRun.row(analysis, "R4").path("source").asText())
        .isEqualTo("vllm:generation_tokens");
    assertThat(analysis.at("/engine/distributions/itl/metric").asText())
        .isEqualTo("vllm:time_per_output_token_seconds");
  }

  @Test
  void anotherFamilyIsJudgedByItsOwnNamesAndItsOwnWayOfCounting() throws Exception {
    CommandRun ran =
        run(
            "engine: {family: sglang, speculative_tokens: 2, profile: tiny-cpu}",
            // Answers so long that none ends before its client has left.
            "--set", "workload.output_tokens=200",
            "--set", "workload.cancel={share: 0.3, after_tokens: 3}");

    JsonNode analysis = analysis();
    assertThat(analysis.at("/reconciliation/verdict").asText())
        .as(ran.output())
        .startsWith("reconciled");
    assertThat(CommandRun.row(analysis, "R1").path("source").asText())
        .isEqualTo("sglang:num_requests_total");
    assertThat(CommandRun.row(analysis, "R4").path("status").asText()).isEqualTo("exact");
    assertThat(CommandRun.row(analysis, "R5").path("status").asText()).isEqualTo("not_checked");
    assertThat(analysis.at("/engine/counters/sglang:num_aborted_requests_total").asDouble())
        .isPositive();
    JsonNode itl = analysis.at("/engine/distributions/itl");
    assertThat(itl.path("metric").asText()).isEqualTo("sglang:inter_token_latency_seconds");
    assertThat(itl.path("buckets").findValuesAsText("edge")).contains("0.002", "0.015");
    assertThat(analysis.at("/engine/distributions").has("decode")).isFalse();
    assertThat(findings(analysis)).doesNotContain("multi_token_steps", "frozen_exporter");
    assertThat(ran.output()).doesNotContain("vllm:");
  }

  @Test
  @Tag("stress")
  void twoTargetsOfTwoEnginesEachAreAddedUpOverAllFour() throws Exception {
    EngineSettings settings = EngineSettings.ofFlags(Map.of("data-parallel-size", "2"));
    try (EmbeddedEngine first = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        EmbeddedEngine second = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      CommandRun ran =
          run("targets: [{url: %s, weight: 3}, {url: %s}]".formatted(first.url(), second.url()));

      JsonNode analysis = analysis();
      assertThat(analysis.at("/reconciliation/verdict").asText())
          .as(ran.output())
          .isEqualTo("reconciled");
      JsonNode replicas = analysis.at("/load/replicas/replicas");
      assertThat(replicas).hasSize(4);
      assertThat(replicas.get(0).path("expected_share").asDouble()).isEqualTo(0.375);
      assertThat(replicas.get(3).path("name").asText()).isEqualTo("target 1 engine 1");
    }
  }

  @Test
  void targetsOfDifferentModelsAreRefused() {
    EngineSettings one = EngineSettings.ofFlags(Map.of("served-model-name", "left"));
    EngineSettings other = EngineSettings.ofFlags(Map.of("served-model-name", "right"));
    try (EmbeddedEngine first = EmbeddedEngine.start(one, "127.0.0.1", 0);
        EmbeddedEngine second = EmbeddedEngine.start(other, "127.0.0.1", 0)) {
      CommandRun ran = run("targets: [%s, %s]".formatted(first.url(), second.url()));
      assertThat(ran.code()).as(ran.output()).isEqualTo(2);
      assertThat(ran.output()).contains("does not serve the model \"left\": it serves right");
    }
  }

  @Test
  void aHoleStaysAHoleAndCountersStayComplete() throws Exception {
    // The chat endpoint needs no trial of prompts, so the first request is the window's.
    CommandRun ran =
        run(
            "engine: {fault: \"metrics-hole:after=1s,for=2s\"}",
            "--set", "endpoint=chat/completions");

    List<ScrapeRow> failed = scrapes().stream().filter(row -> !row.isGood()).toList();
    assertThat(failed).hasSizeGreaterThan(3);
    assertThat(failed)
        .allSatisfy(
            row -> {
              assertThat(row.error()).isEqualTo("HTTP 503");
              assertThat(row.samples()).isEmpty();
            });
    JsonNode analysis = analysis();
    assertThat(findings(analysis)).as(ran.output()).contains("lost_scrapes");
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(holes(analysis)).isGreaterThan(3);
  }

  /** The wait for quiet takes half a minute to see that frozen gauges are stale. */
  @Test
  @Tag("stress")
  void aFrozenExporterIsNoticed() throws Exception {
    CommandRun ran = run("engine: {fault: \"frozen-metrics:after=0s,for=60s\"}");

    assertThat(ran.code()).as(ran.output()).isEqualTo(4);
    JsonNode analysis = analysis();
    assertThat(findings(analysis)).contains("frozen_exporter");
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
  }

  @Test
  @Tag("stress")
  void anEngineThatIsKilledAndStartedAgainIsARestart() throws Exception {
    int port = FreePort.any();
    Process first = engine(port, "first");
    CompletableFuture<CommandRun> running =
        CompletableFuture.supplyAsync(
            () ->
                run(
                    "", "--target", "http://127.0.0.1:" + port, "--quiet-timeout", "60",
                    "--set", "duration=7s"));
    CommandRun.awaitRows(out(), 10, () -> !running.isDone());
    first.destroyForcibly().waitFor();
    Process second = engine(port, "second");
    try {
      CommandRun ran = running.get(180, TimeUnit.SECONDS);
      assertThat(ran.code()).as(ran.output()).isEqualTo(4);
      assertThat(findings(analysis())).as(ran.output()).contains("engine_restart");
      assertThat(scrapes()).anyMatch(row -> row.error().startsWith("no connection"));
    } finally {
      second.destroyForcibly();
    }
  }

  /** Tracks of the engine that leave out the scrapes that failed. */
  private static long holes(JsonNode analysis) {
    JsonNode values = analysis.at("/timeline/engine").get(0).path("values");
    return StreamSupport.stream(values.spliterator(), false).filter(JsonNode::isNull).count();
  }

  private static List<String> findings(JsonNode analysis) {
    return StreamSupport.stream(analysis.path("findings").spliterator(), false)
        .map(finding -> finding.path("code").asText())
        .toList();
  }

  private Process engine(int port, String name) throws Exception {
    Path log = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
                "engine", "--port", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!Files.readString(log).contains("ready at")) {
      assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return process;
  }

  private List<ScrapeRow> scrapes() throws IOException {
    List<ScrapeRow> rows = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out())).eachScrape(rows::add);
    return rows;
  }

  private JsonNode analysis() throws IOException {
    return CommandRun.analysis(out());
  }

  private CommandRun run(String engine, String... more) {
    try {
      Path file = Files.writeString(folder.resolve("kinds.yaml"), SCENARIO + engine + "\n");
      List<String> arguments = new ArrayList<>(List.of("run", "--verbose", file.toString()));
      arguments.addAll(List.of("--out", out().toString()));
      arguments.addAll(List.of(more));
      return CommandRun.of(arguments.toArray(String[]::new));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Path out() {
    return folder.resolve("out");
  }
}
