package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Everything that spoils a ledger, done to a real run on the embedded engine. */
class LedgerFindingsIT {
  private static final String SCENARIO =
      """
      name: ledger
      endpoint: completions
      workload: {arrival: constant, rate: 20, prompt_tokens: 8, output_tokens: 4}
      duration: 3s
      warmup: {requests: 2}
      scrape_interval: 100ms
      timeout: 5s
      """;

  private static final String SUCCESS = "vllm:request_success_total";

  @TempDir Path folder;

  @Test
  void foreignRequestsInTheWindowAreCountedAndStamped() throws Exception {
    try (EmbeddedEngine engine = start(0)) {
      AtomicBoolean isDone = new AtomicBoolean();
      CommandRun run =
          run(
              engine,
              text -> {
                if (isUnderWay(text) && !isDone.getAndSet(true)) {
                  completeThree(engine.url());
                }
                return text;
              },
              "--allow-foreign-traffic");
      JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
      assertThat(codes(analysis)).contains("foreign_traffic");
      assertThat(run.output()).contains("about 3 requests that this run did not send");
      assertThat(CommandRun.row(analysis, "R2").path("difference").asDouble()).isEqualTo(3);
      assertThat(analysis.at("/comparisons/0/explanation").asText()).startsWith("unreconciled:");
      // Foreign traffic is allowed; only a machine too busy for the client may still spoil the run.
      int expected = codes(analysis).contains("client_saturated") ? 4 : 0;
      assertThat(run.code()).as(run.output()).isEqualTo(expected);
      assertThat(run.output().contains("ALLOWED ")).as(run.output()).isEqualTo(expected == 0);
    }
  }

  @Test
  @Tag("stress")
  void twoTargetsAreSummedAndOneThatDiesIsNamed() throws Exception {
    try (EmbeddedEngine one = start(0);
        EmbeddedEngine other = start(0)) {
      runOn(targets(one.url() + "/metrics", one, other));
      JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
      assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
      assertThat(CommandRun.row(analysis, "R1").path("engine").asDouble()).isEqualTo(60);
    }
    try (EmbeddedEngine one = start(0);
        EmbeddedEngine other = start(0);
        MetricsProxy proxy =
            MetricsProxy.of(
                one.url(),
                text -> {
                  if (isUnderWay(text)) {
                    other.close();
                  }
                  return text;
                })) {
      Files.move(folder.resolve("out"), folder.resolve("before"));
      CommandRun killed = runOn(targets(proxy.url(), one, other));
      assertThat(killed.code()).isEqualTo(4);
      JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
      assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
      assertThat(codes(analysis)).contains("engine_died", "failures");
      assertThat(analysis.at("/counts/ok").asInt()).isBetween(30, 59);
      CommandRun pair =
          CommandRun.of(
              "compare", "--verbose",
              CommandRun.onlyRun(folder.resolve("before")).toString(),
              CommandRun.onlyRun(folder.resolve("out")).toString());
      assertThat(pair.code()).as(pair.output()).isZero();
      assertThat(pair.output().lines().filter(line -> line.startsWith("targets")))
          .as("both targets of each run")
          .hasSize(1);
      assertThat(pair.output()).contains("reconciled").contains("not reconciled");
    }
  }

  @Test
  @Tag("stress")
  void anotherTemplateIsToldByItsConstant() throws Exception {
    spoiled(
        text -> {
          double begun = MetricsProxy.sum(text, "vllm:time_to_first_token_seconds_count");
          double finished = MetricsProxy.sum(text, "vllm:request_prompt_tokens_count");
          String total =
              MetricsProxy.change(text, "vllm:prompt_tokens_total", tokens -> tokens + 2 * begun);
          // 8 and 2 more are in the bucket up to 10, as 8 are.
          return MetricsProxy.change(
              total, "vllm:request_prompt_tokens_sum", tokens -> tokens + 2 * finished);
        },
        "prompt_tokens_differ",
        "exactly 2 tokens for each request");
  }

  @Test
  @Tag("stress")
  void requestsTheEngineBeganAndNobodyEndedAreAborts() throws Exception {
    spoiled(
        text ->
            isUnderWay(text) ? withThreeMoreBegun(text) : text,
        "engine_side_aborts",
        "began more requests than it finished");
  }

  @Test
  @Tag("stress")
  void anEngineThatStartsAnewIsARestart() throws Exception {
    AtomicReference<EmbeddedEngine> engine = new AtomicReference<>(start(0));
    AtomicBoolean isDone = new AtomicBoolean();
    int port = URI.create(engine.get().url()).getPort();
    UnaryOperator<String> restart =
        text -> {
          if (isUnderWay(text) && !isDone.getAndSet(true)) {
            engine.get().close();
            engine.set(start(port));
          }
          return text;
        };
    try (MetricsProxy proxy = MetricsProxy.of(engine.get().url(), restart)) {
      CommandRun run = runOn(targets(proxy.url(), engine.get()));
      assertThat(run.code()).isEqualTo(4);
      assertThat(codes(CommandRun.analysis(folder.resolve("out")))).contains("engine_restart");
    } finally {
      engine.get().close();
    }
  }

  @Test
  @Tag("stress")
  void scrapesThatFailAreHolesNotErrorsOfTheLedger() throws Exception {
    try (EmbeddedEngine engine = start(0)) {
      run(
          engine,
          text -> {
            double finished = MetricsProxy.sum(text, SUCCESS);
            return finished >= 10 && finished < 40 ? "" : text;
          });
      JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
      assertThat(codes(analysis)).contains("lost_scrapes");
      assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    }
  }

  @Test
  @Tag("stress")
  void aFrozenCopyIsNoEngine() throws Exception {
    AtomicReference<String> copy = new AtomicReference<>("");
    spoiled(
        text -> {
          copy.compareAndSet("", text);
          return copy.get();
        },
        "frozen_exporter",
        "stood still");
  }

  @Test
  @Tag("stress")
  void anotherModelNameEndsTheLedger() throws Exception {
    spoiled(
        text ->
            isUnderWay(text)
                ? text.replace("model_name=\"tiny\"", "model_name=\"other\"")
                : text,
        "labels_changed",
        "Model or engine labels of target 0 changed");
  }

  private void spoiled(UnaryOperator<String> alteration, String code, String words)
      throws Exception {
    try (EmbeddedEngine engine = start(0)) {
      CommandRun run = run(engine, alteration);
      JsonNode analysis = CommandRun.analysis(folder.resolve("out"));
      assertThat(codes(analysis)).contains(code);
      assertThat(run.output().replaceAll("\\s+", " ")).contains(words);
      assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
      assertThat(run.code()).isEqualTo(4);
    }
  }

  private CommandRun run(EmbeddedEngine engine, UnaryOperator<String> alteration, String... more)
      throws Exception {
    try (MetricsProxy proxy = MetricsProxy.of(engine.url(), alteration)) {
      return runOn(targets(proxy.url(), engine), more);
    }
  }

  private CommandRun runOn(String targets, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("ledger.yaml"), SCENARIO + targets);
    Stream<String> words =
        Stream.concat(
            Stream.of(
                "run", "--verbose", file.toString(), "--out", folder.resolve("out").toString()),
            Stream.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** The targets of a scenario; the first has its metrics elsewhere. */
  private static String targets(String firstMetrics, EmbeddedEngine... engines) {
    StringBuilder yaml = new StringBuilder("targets:\n");
    for (int i = 0; i < engines.length; i++) {
      String metrics = i == 0 ? firstMetrics : engines[i].url() + "/metrics";
      yaml.append("  - {url: \"").append(engines[i].url());
      yaml.append("\", metrics_url: \"").append(metrics).append("\"}\n");
    }
    return yaml.toString();
  }

  /** Well inside the window: the warm-up's two requests and some more have finished. */
  private static boolean isUnderWay(String exposition) {
    return MetricsProxy.sum(exposition, SUCCESS) >= 10;
  }

  /** Three more prompts of 8 tokens and their first tokens, as fast as the fastest. */
  private static String withThreeMoreBegun(String exposition) {
    String name = "vllm:time_to_first_token_seconds";
    String counted =
        MetricsProxy.change(exposition, name + "_count", requests -> requests + 3);
    String filled =
        MetricsProxy.change(
            counted, name + "_bucket", requests -> requests > 0 ? requests + 3 : 0);
    double each =
        MetricsProxy.sum(exposition, name + "_sum") / MetricsProxy.sum(exposition, name + "_count");
    String observed = MetricsProxy.change(filled, name + "_sum", seconds -> seconds + 3 * each);
    return MetricsProxy.change(observed, "vllm:prompt_tokens_total", tokens -> tokens + 3 * 8);
  }

  private static EmbeddedEngine start(int port) {
    try {
      return EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", port);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void completeThree(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < 3; i++) {
        StubServer.complete(client, url);
      }
    }
  }

  private static List<String> codes(JsonNode analysis) {
    return analysis.at("/findings").findValuesAsText("code");
  }
}
