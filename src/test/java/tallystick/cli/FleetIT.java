package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Engines behind a router that come and go while a run lasts. */
@Tag("stress")
class FleetIT {
  private static final String SCENARIO =
      """
      name: fleet
      endpoint: completions
      target: %s
      targets_file: engines.json
      workload: {arrival: poisson, rate: 20, prompt_tokens: 16, output_tokens: 8}
      duration: 12s
      warmup: {requests: 4}
      scrape_interval: 200ms
      """;

  @TempDir Path folder;

  @Test
  void anEngineThatJoinsAndOneThatIsDrainedLeaveTheLedgerWhole() throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine first = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        EmbeddedEngine second = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        RoundRobinRouter router = RoundRobinRouter.before(first.url(), second.url())) {
      list(first, second);
      CompletableFuture<CommandRun> run = run(router);
      awaitWindow();
      TimeUnit.SECONDS.sleep(2);
      try (EmbeddedEngine late = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
        router.add(late.url());
        list(first, second, late);
        TimeUnit.SECONDS.sleep(3);
        router.remove(second.url());
        TimeUnit.SECONDS.sleep(1);
        list(first, late);
        // The client may be late on a busy machine, which changes no count.
        assertThat(run.join().code()).as(run.join().output()).isIn(0, 4);
      }
    }
    JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
    assertThat(analysis.at("/reconciliation/verdict").asText())
        .as(analysis.at("/reconciliation").toPrettyString())
        .isEqualTo("reconciled");
    JsonNode moves = analysis.at("/load/replicas/moves");
    assertThat(texts(moves, "target"))
        .as(moves.toPrettyString())
        .satisfiesExactly(
            joined -> assertThat(joined).startsWith("target 3 "),
            left -> assertThat(left).startsWith("target 2 "));
    assertThat(moves.get(0).path("seen").asText()).isEqualTo("all that it served is counted");
    assertThat(codes(analysis))
        .contains("targets_changed")
        .doesNotContain("lost_scrapes", "target_not_scraped", "ledger_open", "not_quiet");
    Path report = CommandRun.onlyRun(folder.resolve("out")).resolve("report.html");
    assertThat(Files.readString(report)).contains("Targets that came and went");
  }

  @Test
  void whatAKilledEngineServedLastIsUnknownAndNoDifference() throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine first = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        EmbeddedEngine second = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        RoundRobinRouter router = RoundRobinRouter.before(first.url(), second.url())) {
      list(first, second);
      CompletableFuture<CommandRun> run = run(router);
      awaitWindow();
      TimeUnit.SECONDS.sleep(3);
      second.close();
      TimeUnit.SECONDS.sleep(1);
      router.remove(second.url());
      list(first);
      // Without an objective failures are a warning. Whether the counts are whole depends on what
      // the engine served between its last scrape and its death.
      assertThat(run.join().code()).as(run.join().output()).isIn(0, 1, 4);
    }
    JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
    assertThat(analysis.at("/counts/ok").asInt())
        .isLessThan(analysis.at("/counts/ended").asInt());
    assertThat(codes(analysis)).contains("failures");
    assertThat(analysis.at("/reconciliation/verdict").asText())
        .as(analysis.at("/reconciliation").toPrettyString())
        .isIn("reconciled_in_part", "reconciled", "reconciled_with_tolerance");
    JsonNode left = analysis.at("/load/replicas/moves/0");
    assertThat(left.path("is_joining").asBoolean()).isFalse();
    assertThat(left.path("seen").asText())
        .matches("its last scrape is \\d+\\.\\d s older, and \\d+ requests failed.*");
  }

  /** Each engine is named on the command line; one that is forgotten is missed. */
  @Test
  void enginesBehindAGatewayAreAddedUp() throws Exception {
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine first = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        EmbeddedEngine second = EmbeddedEngine.start(settings, "127.0.0.1", 0);
        RoundRobinRouter gateway = RoundRobinRouter.before(first.url(), second.url())) {
      JsonNode whole = through(gateway, "whole", first.url(), second.url());
      assertThat(whole.at("/reconciliation/verdict").asText())
          .as(whole.at("/reconciliation").toPrettyString())
          .isEqualTo("reconciled");
      assertThat(whole.at("/run/source").asText()).isEqualTo("simulated");
      JsonNode part = through(gateway, "part", first.url());
      assertThat(part.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
      assertThat(codes(part)).contains("engine_counts_less");
      assertThat(part.at("/run/source").asText()).isEqualTo("simulated");
    }
  }

  private JsonNode through(RoundRobinRouter gateway, String name, String... engines)
      throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            SCENARIO.formatted(gateway.url())
                .replace("targets_file: engines.json\n", "")
                .replace("duration: 12s", "duration: 4s"));
    List<String> words =
        new ArrayList<>(
            List.of(
                "run", scenario.toString(), "--out", folder.resolve(name).toString(), "--target",
                gateway.url()));
    Arrays.stream(engines).forEach(url -> words.addAll(List.of("--metrics-url", url + "/metrics")));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.code()).as(run.output()).isIn(0, 4);
    return CommandRun.analysis(folder.resolve(name));
  }

  private CompletableFuture<CommandRun> run(RoundRobinRouter router) throws IOException {
    Path file =
        Files.writeString(folder.resolve("s.yaml"), SCENARIO.formatted(router.url()));
    return CompletableFuture.supplyAsync(
        () ->
            CommandRun.of("run", file.toString(), "--out", folder.resolve("out").toString()));
  }

  /** Replaced as a whole, as those who write such lists do. */
  private void list(EmbeddedEngine... engines) throws IOException {
    String hosts =
        Arrays.stream(engines)
            .map(engine -> "\"" + engine.url().replace("http://", "") + "\"")
            .collect(Collectors.joining(", "));
    Path fresh =
        Files.writeString(folder.resolve("engines.new"), "[{\"targets\": [" + hosts + "]}]");
    Files.move(
        fresh, folder.resolve("engines.json"), StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  private void awaitWindow() throws Exception {
    Path out = folder.resolve("out");
    for (int i = 0; i < 600; i++) {
      if (Files.exists(out) && isInWindow(out)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new AssertionError("the window did not begin within a minute");
  }

  private static boolean isInWindow(Path out) throws IOException {
    try (var files = Files.walk(out)) {
      for (Path file : files.filter(f -> f.endsWith("harness.ndjson")).toList()) {
        if (Files.readString(file).contains("window_origin")) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> texts(JsonNode rows, String field) {
    return StreamSupport.stream(rows.spliterator(), false)
        .map(row -> row.path(field).asText())
        .toList();
  }

  private static List<String> codes(JsonNode analysis) {
    return texts(analysis.path("findings"), "code");
  }
}
