package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.openai.ScriptedServer;

/** Secrets planted in the environment of real commands: what each server sees, header by header. */
class SecretsIT {
  private static final String GAUGES =
      "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine=\"0\"} 0\n"
          + "# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_waiting{engine=\"0\"} 0\n";
  private static final String ANSWER =
      "data: {\"id\":\"s\",\"choices\":[{\"index\":0,\"text\":\" a\"}]}\n\ndata: [DONE]\n\n";
  private static final Map<String, String> PLANTED =
      Map.of(
          "THE_KEY", "planted-key",
          "TALLY_METRICS_TOKEN", "planted-metrics",
          "TALLY_METRICS_TENANT", "planted-tenant",
          "TALLY_METRICS_TOKEN_GPU", "planted-gpu",
          "HEADER_SECRET", "planted+header/\"one\"",
          "FIELD_SECRET", "planted field\\two",
          "PARAMETER_SECRET", "planted=parameter&three");

  private static final String ECHO =
      "{\"error\": {\"message\": \"key planted-key is wrong\"}}";
  private static final List<ScriptedServer.Script> ANSWERS =
      List.of(
          ScriptedServer.status(401, ECHO),
          ScriptedServer.status(500, "Bearer planted-key"),
          ScriptedServer.stream("data: " + ECHO + "\n\n"),
          ScriptedServer.stream("data: planted-key{\n\ndata: [DONE]\n\n"),
          raw("HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:9/?key=planted-key\r\n"),
          raw("HTTP/1.1 429 planted-key\r\nX-Echo: planted-key\r\n"),
          ScriptedServer.stream(ANSWER));
  private static final List<ScriptedServer.Script> SCRAPES =
      List.of(
          ScriptedServer.status(200, GAUGES),
          ScriptedServer.status(200, GAUGES),
          ScriptedServer.status(200, GAUGES),
          ScriptedServer.status(403, "planted-metrics of planted-tenant"),
          ScriptedServer.status(200, "planted-metrics is no sample\n"),
          raw("HTTP/1.1 302 X\r\nLocation: http://127.0.0.1:9/?token=planted-metrics\r\n"),
          ScriptedServer.status(200, GAUGES));

  @TempDir private Path folder;
  private ScriptedServer target;
  private ScriptedServer metrics;
  private ScriptedServer gpu;
  private ScriptedServer open;

  @BeforeEach
  void start() throws IOException {
    target = new ScriptedServer(SecretsIT::ofTarget);
    metrics = new ScriptedServer(request -> ScriptedServer.status(200, GAUGES));
    gpu = new ScriptedServer(request -> ScriptedServer.status(200, "DCGM_FI_DEV_GPU_TEMP 40\n"));
    open = new ScriptedServer(request -> ScriptedServer.status(200, "up 1\n"));
  }

  @AfterEach
  void stop() throws IOException {
    for (ScriptedServer server : List.of(target, metrics, gpu, open)) {
      server.close();
    }
  }

  private static ScriptedServer.Script ofTarget(ScriptedServer.Asked request) {
    return switch (request.line()) {
      case "GET /v1/models" -> ScriptedServer.status(200, "{\"data\":[{\"id\":\"tiny\"}]}");
      case "GET /version" -> ScriptedServer.status(200, "{\"version\":\"0.32.0\"}");
      case "POST /v1/completions" -> ScriptedServer.stream(ANSWER);
      default -> ScriptedServer.status(404, "{}");
    };
  }

  @Test
  void everySecretReachesItsOwnServerAloneAndNoFile() throws Exception {
    Path scenario =
        Files.writeString(
            folder.resolve("x.yaml"),
            """
            endpoint: completions
            workload: {rate: 10, arrival: constant, prompt_tokens: 8, output_tokens: 1}
            duration: 2s
            warmup: {requests: 1}
            scrape_interval: 200ms
            target: {url: '%s', metrics_url: '%s/metrics'}
            request: {api_key_env: THE_KEY}
            exporters:
              - {name: gpu, url: '%s/metrics'}
              - {name: open, url: '%s/metrics'}
            """
                .formatted(target.url(), metrics.url(), gpu.url(), open.url()));
    Path out = folder.resolve("out");
    String printed =
        tally("run", scenario.toString(), "--out", out.toString(), "--otlp-port", "0")
            + tally(
                "doctor", "--target", target.url(), "--metrics-url", metrics.url() + "/metrics",
                "--api-key-env", "THE_KEY", "--scrapes", "2", "--every", "0")
            + tally("snapshot", metrics.url());

    assertThat(metrics.requests()).hasSizeGreaterThan(4);
    assertThat(gpu.requests()).hasSizeGreaterThan(1);
    assertThat(secretsSeenBy(target)).containsOnly("Authorization: Bearer planted-key");
    assertThat(secretsSeenBy(metrics))
        .containsOnly("Authorization: Bearer planted-metrics", "X-Scope-OrgID: planted-tenant");
    assertThat(secretsSeenBy(gpu)).containsOnly("Authorization: Bearer planted-gpu");
    assertThat(secretsSeenBy(open)).isEmpty();
    assertThat(printed).doesNotContain("planted");
    assertNoFileHolds("planted", out);
  }

  /** A refusal, an event, a redirect, an exposition: whatever says the key again. */
  @Test
  @Tag("stress")
  void whatAServerRepeatsOfASecretStandsNowhere() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger scraped = new AtomicInteger();
    try (ScriptedServer loose =
            new ScriptedServer(
                request ->
                    request.line().startsWith("POST")
                        ? ANSWERS.get(asked.getAndIncrement() % ANSWERS.size())
                        : ofTarget(request));
        ScriptedServer shown =
            new ScriptedServer(
                request -> SCRAPES.get(scraped.getAndIncrement() % SCRAPES.size()))) {
      Path scenario =
          Files.writeString(
              folder.resolve("loose.yaml"),
              """
              endpoint: chat/completions
              workload: {rate: 10, arrival: constant, prompt_tokens: 8, output_tokens: 1}
              duration: 3s
              warmup: {requests: 0}
              scrape_interval: 100ms
              target: {url: '%s', metrics_url: '%s/metrics'}
              request: {api_key_env: THE_KEY}
              """
                  .formatted(loose.url(), shown.url()));
      Path out = folder.resolve("loose");
      String printed = played(scenario, out);
      assertThat(asked.get()).as(printed).isGreaterThan(ANSWERS.size());
      assertThat(printed).contains("(the key)").doesNotContain("planted");
      assertNoFileHolds("planted", out);
    }
  }

  /** Header, field and parameter, from variables and a file, said again in every spelling. */
  @Test
  void secretsOfEveryPlaceReachTheServerAndNoFileInAnySpelling() throws Exception {
    String ofFile = "planted-file:four";
    Files.writeString(folder.resolve("four.txt"), ofFile + "\n");
    List<String> secrets =
        List.of(
            PLANTED.get("HEADER_SECRET"), PLANTED.get("FIELD_SECRET"),
            PLANTED.get("PARAMETER_SECRET"), ofFile);
    List<String> spellings = secrets.stream().flatMap(SecretsIT::spellings).toList();
    AtomicInteger asked = new AtomicInteger();
    try (ScriptedServer echo =
        new ScriptedServer(request -> echo(request, spellings, asked.getAndIncrement()))) {
      Path scenario =
          Files.writeString(
              folder.resolve("places.yaml"),
              """
              endpoint: chat/completions
              workload: {rate: 20, arrival: constant, prompt_tokens: 8, output_tokens: 1}
              duration: 3s
              warmup: {requests: 1}
              scrape_interval: 200ms
              target: '%s'
              request:
                headers: {X-Goog-Api-Key: {env: HEADER_SECRET}, Cookie: {file: four.txt}}
                url_parameters: {api-version: v1, key: {env: PARAMETER_SECRET}}
                extra_body: {metadata: {user_token: {env: FIELD_SECRET}}}
              """
                  .formatted(echo.url()));
      Path out = folder.resolve("places");
      String printed =
          played(scenario, out)
              + tally(
                  "launch", "slurm", scenario.toString(), "--shards", "2", "--out",
                  out.resolve("launch").toString());
      assertThat(asked.get()).as(printed).isGreaterThan(spellings.size());
      List<String> posts =
          echo.requests().stream().filter(request -> request.startsWith("POST /v1/chat")).toList();
      assertThat(posts).hasSizeGreaterThan(20);
      assertThat(posts.getLast())
          .contains("POST /v1/chat/completions?api-version=v1&key=planted%3Dparameter%26three")
          .contains("X-Goog-Api-Key: " + secrets.getFirst(), "Cookie: " + ofFile)
          .contains("\"metadata\":{\"user_token\":\"planted field\\\\two\"}");
      for (String spelling : spellings) {
        assertThat(printed).doesNotContain(spelling);
        assertNoFileHolds(spelling, out);
      }
    }
  }

  /** What a run, its report, its comparison and its exports print. */
  private String played(Path scenario, Path out) throws Exception {
    String printed =
        tally(
            "run", scenario.toString(), "--out", out.toString(), "--verbose",
            "--allow-foreign-traffic", "--quiet-timeout", "3");
    String run = CommandRun.onlyRun(out).toString();
    printed += tally("report", run, "--json") + tally("compare", run, run);
    for (String format : List.of("openmetrics", "csv", "llmd")) {
      printed += tally("export", run, "--format", format);
    }
    return printed;
  }

  /** As it is, as in JSON, as in URLs, and in base64 alone and behind a user's name. */
  private static Stream<String> spellings(String secret) {
    String json = secret.replace("\\", "\\\\").replace("\"", "\\\"");
    String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    String small = url.replaceAll("%2F", "%2f").replaceAll("%3D", "%3d").replaceAll("%3A", "%3a");
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    String behind =
        base64.encodeToString(("me:" + secret).getBytes(StandardCharsets.UTF_8)).substring(4);
    return Stream.of(
            secret, json, json.replace("/", "\\/"), url, url.replace("+", "%20"), small,
            base64.encodeToString(bytes), behind)
        .distinct();
  }

  private static ScriptedServer.Script echo(
      ScriptedServer.Asked request, List<String> spellings, int turn) {
    String said = spellings.get(turn % spellings.size());
    String label = said.replace("\\", "\\\\").replace("\"", "\\\"");
    return switch (request.line().replaceFirst("\\?.*", "")) {
      case "GET /v1/models" ->
          ScriptedServer.status(200, "{\"data\":[{\"id\":\"tiny " + label + "\"}]}");
      case "GET /version" -> ScriptedServer.status(200, "{\"version\":\"0.32 " + label + "\"}");
      case "GET /metrics" ->
          ScriptedServer.status(
              200,
              GAUGES + "# TYPE vllm:cache_config_info gauge\n" + "vllm:cache_config_info{of=\""
                  + label + "\"} 1\n");
      case "POST /v1/chat/completions" ->
          turn % 3 == 0
              ? ScriptedServer.status(401, "no such key: " + said)
              : ScriptedServer.stream(
                  "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" a\"},"
                      + "\"finish_reason\":\"" + label + "\"}]}\n\ndata: [DONE]\n\n");
      default -> ScriptedServer.status(404, said);
    };
  }

  /** A secret in an address is refused wherever an address may stand, and not repeated. */
  @Test
  void anAddressWithASecretIsRefusedAndNotRepeated() throws Exception {
    String hidden = "http://me:planted-word@127.0.0.1:9";
    Path list = folder.resolve("list.json");
    Files.writeString(list, "[{\"targets\": [\"me:planted-word@127.0.0.1:9\"]}]");
    Path out = folder.resolve("none");
    List<String> settings =
        List.of(
            "target=" + hidden,
            "target={url: '" + target.url() + "', metrics_url: '" + hidden + "/metrics'}",
            "target={url: '" + target.url() + "', metrics_url: '" + target.url()
                + "/metrics?token=planted-word'}",
            "exporters=[{name: gpu, url: '" + hidden + "/metrics'}]",
            "request.headers={Authorization: 'Bearer planted-word'}");
    for (String setting : settings) {
      CommandRun run =
          CommandRun.of(
              "run", "scenarios/quickstart.yaml", "--out", out.toString(),
              "--set", setting);
      assertThat(run.code()).as(setting + "\n" + run.output()).isEqualTo(2);
      assertThat(run.output())
          .as(setting)
          .containsAnyOf("user name", "password", "secret", "key")
          .doesNotContain("planted-word");
    }
    for (String setting : List.of("target.metrics_url=" + hidden, "targets_file=" + list)) {
      CommandRun run =
          CommandRun.of(
              "run", "scenarios/quickstart.yaml", "--out", out.toString(),
              "--set", "target.url=" + target.url(), "--set", setting);
      assertThat(run.code()).as(setting + "\n" + run.output()).isEqualTo(2);
      assertThat(run.output())
          .as(setting)
          .containsAnyOf("user name", "password", "secret", "list.json")
          .doesNotContain("planted-word");
    }
    for (String option : List.of("--target", "--metrics-url")) {
      CommandRun doctor = CommandRun.of("doctor", "--target", target.url(), option, hidden);
      assertThat(doctor.code()).as(doctor.output()).isEqualTo(2);
      assertThat(doctor.output()).doesNotContain("planted-word");
    }
    assertThat(out).doesNotExist();
  }

  private static ScriptedServer.Script raw(String head) {
    return (out, socket) ->
        out.write(
            (head + "Content-Length: 0\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> secretsSeenBy(ScriptedServer server) {
    return server.requests().stream()
        .flatMap(String::lines)
        .filter(line -> line.contains("planted"))
        .distinct()
        .toList();
  }

  private static void assertNoFileHolds(String words, Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).hasSizeGreaterThan(5);
      for (Path file : all) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(text.contains(words)).as(file.toString()).isFalse();
      }
    }
  }

  /** The command in a process of its own, which alone has an environment that can be planted. */
  private String tally(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), Tally.class.getName()));
    command.addAll(List.of(arguments));
    Path printed = folder.resolve("printed.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
    builder.environment().putAll(PLANTED);
    Process process = builder.start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    String text = Files.readString(printed);
    assertThat(process.exitValue()).as(text).isIn(0, 1, 4, 5);
    return text;
  }
}
