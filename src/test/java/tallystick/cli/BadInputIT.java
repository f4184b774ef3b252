package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.FreePort;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** What users get wrong, and what the world does: each ends in a code and a sentence. */
class BadInputIT {
  private static final String QUICK =
      """
      workload: {arrival: constant, rate: 20, prompt_tokens: 8, output_tokens: 4}
      endpoint: completions
      duration: 1s
      warmup: {requests: 2}
      scrape_interval: 100ms
      timeout: 5s
      """;

  @TempDir Path folder;
  private StubServer server;

  @AfterEach
  void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void usersMistakesEndWithTwo() throws IOException {
    assertThat(run(QUICK + "raet: 3\n")).isEqualTo(2);
    assertThat(run(QUICK.replace("rate: 20", "rate: 0"))).isEqualTo(2);
    assertThat(run(QUICK.replace("rate: 20", "rate: -1"))).isEqualTo(2);
    assertThat(run(QUICK.replace("rate: 20", "rate: fast"))).isEqualTo(2);
    assertThat(CommandRun.of("run", folder.resolve("absent.yaml").toString()).code()).isEqualTo(2);
    assertThat(CommandRun.of("run").code()).isEqualTo(2);
    assertThat(CommandRun.of("rnu").code()).isEqualTo(2);
    assertThat(run(QUICK + "engine: {max_num_seq: 4}\n")).isEqualTo(2);
    assertThat(run(QUICK, "--api-key-env", "NO_SUCH_VARIABLE_HERE")).isEqualTo(2);
  }

  @Test
  void aMistypedKeyNamesItsLineAndTheNearestKey() throws IOException {
    CommandRun ran = ran(QUICK + "raet: 3\n");
    assertThat(ran.output()).contains("x.yaml:7").contains("raet");
    CommandRun inner = ran(QUICK.replace("rate: 20", "raet: 20"));
    assertThat(inner.output()).contains("x.yaml:1").contains("rate");
  }

  @Test
  void aWrongModelAndAWrongKeyEndWithTwo() throws Exception {
    server = StubServer.start(Map.of("/v1/models", "{\"data\":[{\"id\":\"tiny\"}]}"));
    CommandRun model = ran(QUICK, "--target", server.url(), "--model", "huge");
    assertThat(model.code()).isEqualTo(2);
    assertThat(model.output()).contains("huge").contains("tiny");
    EngineSettings guarded = EngineSettings.ofFlags(Map.of("api-key", "secret"));
    try (EmbeddedEngine engine = EmbeddedEngine.start(guarded, "127.0.0.1", 0)) {
      CommandRun key = ran(QUICK, "--target", engine.url());
      assertThat(key.code()).isEqualTo(2);
      assertThat(key.output()).contains("--api-key-env");
    }
  }

  @Test
  void aDeadTargetEndsWithThree() throws IOException {
    int port = FreePort.any();
    CommandRun ran = ran(QUICK, "--target", "http://127.0.0.1:" + port);
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.output()).contains("127.0.0.1:" + port).contains("start the server");
  }

  @Test
  void aTargetWithoutEngineMetricsEndsWithThreeAndNamesTheWayOut() throws Exception {
    server = StubServer.start(Map.of("/v1/models", "{\"data\":[{\"id\":\"tiny\"}]}"));
    CommandRun none = ran(QUICK, "--target", server.url());
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.output()).contains("--no-scrape");
    server.close();
    server =
        StubServer.start(
            Map.of("/v1/models", "{\"data\":[{\"id\":\"tiny\"}]}", "/metrics", "up 1\n"));
    CommandRun foreign = ran(QUICK, "--target", server.url());
    assertThat(foreign.code()).isEqualTo(3);
    assertThat(foreign.output()).contains("--no-scrape");
  }

  @Test
  void anUnwritableOutputEndsWithThree() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    CommandRun ran = ran(QUICK, "--out", file.resolve("reports").toString());
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.output()).contains("--out");
  }

  @Test
  void anEndpointThatStreamsNothingEndsWithFour() throws Exception {
    server =
        StubServer.start(
            Map.of(
                "/v1/models", "{\"data\":[{\"id\":\"tiny\"}]}",
                "/v1/completions", "data: [DONE]\n\n"));
    CommandRun ran = ran(QUICK, "--target", server.url(), "--no-scrape");
    assertThat(ran.code()).isEqualTo(4);
    assertThat(ran.output()).contains("empty stream");
  }

  @Test
  void aBusyTargetEndsWithFourUnlessForeignTrafficIsAllowed() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    EngineSettings settings = EngineSettings.defaults();
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      // Several strangers, so that a slow turn of one does not look like a quiet engine.
      ExecutorService strangers = Executors.newCachedThreadPool();
      for (int i = 0; i < 4; i++) {
        strangers.execute(() -> StubServer.keepBusy(engine.url(), isOver));
      }
      try (HttpClient first = HttpClient.newHttpClient()) {
        StubServer.complete(first, engine.url());
      }
      CommandRun busy = ran(QUICK, "--target", engine.url(), "--quiet-timeout", "2");
      assertThat(busy.code()).isEqualTo(4);
      assertThat(busy.output()).contains("--allow-foreign-traffic");
      CommandRun allowed =
          ran(
              QUICK, "--target", engine.url(), "--quiet-timeout", "2", "--allow-foreign-traffic",
              "--out", folder.resolve("allowed").toString());
      assertThat(
              CommandRun.analysis(folder.resolve("allowed"))
                  .at("/reconciliation/verdict")
                  .asText())
          .isEqualTo("not_reconciled");
      assertThat(allowed.output()).contains("not reconciled");
      isOver.set(true);
      strangers.close();
    }
  }

  @Test
  void aFolderWithoutARecordIsNoRun() {
    assertThat(CommandRun.of("report", folder.toString()).code()).isEqualTo(2);
  }

  private int run(String scenario, String... more) throws IOException {
    return ran(scenario, more).code();
  }

  private CommandRun ran(String scenario, String... more) throws IOException {
    Path file = Files.write(folder.resolve("x.yaml"), scenario.getBytes(StandardCharsets.UTF_8));
    String[] arguments = new String[4 + more.length];
    arguments[0] = "run";
    arguments[1] = file.toString();
    arguments[2] = "--out";
    arguments[3] = folder.resolve("out").toString();
    System.arraycopy(more, 0, arguments, 4, more.length);
    return CommandRun.of(
        java.util.List.of(more).contains("--out")
            ? without(arguments, 2, 2)
            : arguments);
  }

  private static String[] without(String[] words, int from, int count) {
    java.util.List<String> kept = new java.util.ArrayList<>(java.util.List.of(words));
    kept.subList(from, from + count).clear();
    return kept.toArray(String[]::new);
  }
}
