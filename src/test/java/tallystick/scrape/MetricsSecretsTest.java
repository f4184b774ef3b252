package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tallystick.reach.ApiAccess;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/** Planted secrets: which server sees which. */
class MetricsSecretsTest {
  private static final String METRICS = "Bearer of-metrics";
  private static final String GPU = "Bearer of-gpu";
  private static final String KEY = "Bearer of-the-api";
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "TALLY_METRICS_TOKEN", "of-metrics\n",
          "TALLY_METRICS_TENANT", "team",
          "TALLY_METRICS_TOKEN_GPU_0", "of-gpu");

  private final Witness target = new Witness();
  private final Witness metrics = new Witness();
  private final Witness exporter = new Witness();
  private final MetricsAccess access =
      new MetricsAccess("", ApiAccess.ofKey("of-the-api"), ENVIRONMENT);

  /** A server that shows an engine's metrics and notes every secret it sees, with its path. */
  private static final class Witness implements AutoCloseable {
    private final Set<String> secrets = new CopyOnWriteArraySet<>();
    private final LoopbackServer server;

    Witness() {
      try {
        server = new LoopbackServer().on("/", this::answer);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private void answer(HttpExchange exchange) throws IOException {
      String path = exchange.getRequestURI().getPath();
      for (String header : List.of("Authorization", "X-Scope-OrgID", "Cookie")) {
        exchange.getRequestHeaders().getOrDefault(header, List.of())
            .forEach(value -> secrets.add(path + " " + value));
      }
      if (path.equals("/elsewhere")) {
        exchange.getResponseHeaders().set("Location", exchange.getRequestURI().getQuery());
        exchange.sendResponseHeaders(307, -1);
        return;
      }
      LoopbackServer.answer(exchange, 200, "text/plain", "vllm:num_requests_running 0\n");
    }

    String url() {
      return server.target().url();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  @AfterEach
  void stop() {
    target.close();
    metrics.close();
    exporter.close();
  }

  private Target apart() {
    return new Target(target.url(), metrics.url() + "/metrics", 1);
  }

  private Exporter gpu() {
    return new Exporter("gpu-0", exporter.url() + "/metrics", Map.of(), List.of());
  }

  @Test
  void showsTheMetricsTokenToTheOriginOfTheMetricsAlone() throws Exception {
    try (EngineProbe probe = new EngineProbe(access);
        Checkup checkup = new Checkup(2, 1, access);
        Scraper scraper =
            new Scraper(List.of(apart()), 1, RunClock.start(), row -> {}, access)) {
      assertThat(probe.probe(apart()).problem()).isEmpty();
      assertThat(checkup.examine(apart(), Map.of())).isNotEmpty();
      assertThat(scraper.scrape(0).isGood()).isTrue();
    }
    assertThat(target.secrets).containsExactlyInAnyOrder("/version " + KEY);
    assertThat(metrics.secrets)
        .containsExactlyInAnyOrder("/metrics " + METRICS, "/metrics team");
    assertThat(exporter.secrets).isEmpty();
  }

  @Test
  void showsTheApiKeyToNoServerThatAListNames() throws Exception {
    MetricsAccess withKey = new MetricsAccess("", ApiAccess.ofKey("of-the-api"), Map.of());
    Target named = Target.at(target.url());
    try (Scraper scraper =
        new Scraper(List.of(), 1, RunClock.start(), row -> {}, withKey)) {
      scraper.join(0, named);
      assertThat(scraper.scrape(0).isGood()).isTrue();
      assertThat(target.secrets).isEmpty();
    }
    try (Scraper scraper =
        new Scraper(List.of(named), 1, RunClock.start(), row -> {}, withKey)) {
      scraper.scrape(0);
    }
    assertThat(target.secrets).as("where the user named it").containsExactly("/metrics " + KEY);
  }

  @Test
  void showsAnExporterItsOwnTokenAndNoOther() throws Exception {
    Exporter open = new Exporter("open", metrics.url() + "/metrics", Map.of(), List.of());
    try (EngineProbe probe = new EngineProbe(access);
        Scraper scraper =
            Scraper.ofExporters(
                List.of(gpu(), open), 1, RunClock.start(), row -> {}, access)) {
      assertThat(probe.problemOf(gpu())).isEmpty();
      assertThat(probe.problemOf(open)).isEmpty();
      assertThat(scraper.scrape(0).isGood()).isTrue();
      assertThat(scraper.scrape(1).isGood()).isTrue();
    }
    assertThat(exporter.secrets).containsExactly("/metrics " + GPU);
    assertThat(metrics.secrets).isEmpty();
  }

  @Test
  void followsNoRedirectWithASecret() throws Exception {
    String url = metrics.url() + "/elsewhere?" + exporter.url() + "/metrics";
    Target moved = new Target(target.url(), url, 1);
    try (EngineProbe probe = new EngineProbe(access)) {
      assertThat(probe.probe(moved).problem()).contains("HTTP 307 points to " + exporter.url());
    }
    assertThat(exporter.secrets).isEmpty();
  }

  @Test
  void showsTheApiKeyWithTheTargetsOwnMetricsWhereNothingElseIsMeantForThem() throws Exception {
    MetricsAccess keyAlone = new MetricsAccess("", ApiAccess.ofKey("of-the-api"), Map.of());
    try (EngineProbe probe = new EngineProbe(keyAlone)) {
      probe.probe(Target.at(target.url()));
      probe.probe(apart());
    }
    assertThat(target.secrets).containsExactlyInAnyOrder("/metrics " + KEY, "/version " + KEY);
    assertThat(metrics.secrets).isEmpty();
  }

  @Test
  void namesTheVariablesOfTheExporterThatRefuses() {
    assertThat(Credentials.ofExporter("node.a-1", Map.of()).remedy())
        .contains("it wants credentials; set TALLY_METRICS_TOKEN_NODE_A_1, or");
    assertThat(Credentials.ofTarget(ENVIRONMENT).remedy())
        .contains("it refuses the credentials it was shown; correct TALLY_METRICS_TOKEN, or");
    assertThat(access.toString() + access.of(gpu()).credentials())
        .doesNotContain("of-gpu", "of-the-api");
  }

  /** What a server may say that repeats the secret it was shown. */
  private static void repeat(HttpExchange exchange) throws IOException {
    String shown = exchange.getRequestHeaders().getFirst("Authorization");
    if (shown == null) {
      LoopbackServer.answer(exchange, 404, "text/plain", "");
      return;
    }
    String secret = shown.substring(shown.indexOf(' ') + 1);
    switch (exchange.getRequestURI().getPath()) {
      case "/moved" -> {
        exchange.getResponseHeaders().set("Location", "/login?" + secret);
        exchange.sendResponseHeaders(307, -1);
      }
      case "/api/v1/query" ->
          LoopbackServer.answer(exchange, 400, "application/json",
              "{\"status\":\"error\",\"error\":\"no " + secret + "\"}");
      default -> LoopbackServer.answer(exchange, 200, "text/plain", "up " + secret + "\n");
    }
  }

  /** Also where the page is another server's than the one that was shown the secret. */
  @Test
  void hidesASecretThatALabelRepeats() throws Exception {
    String key = "planted/api-key";
    String page =
        "a{b=\"x planted%2fapi-key\",c=\"test-7b\"} 1\nd{e=\""
            + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)) + "\"} 2\n";
    MetricsAccess access =
        new MetricsAccess("", ApiAccess.ofKey(key), Map.of("TALLY_METRICS_TOKEN", "test"));
    try (LoopbackServer server =
            new LoopbackServer()
                .on("/", exchange -> LoopbackServer.answer(exchange, 200, "text/plain", page));
        EngineProbe probe = new EngineProbe(access)) {
      Target engine = new Target("http://127.0.0.1:9", server.target().url() + "/metrics", 1);
      String seen = probe.probe(engine).samples().toString();
      assertThat(seen).contains("x (the key)", "test-7b").doesNotContain("planted", "cGxhbnRlZC");
    }
  }

  @Test
  void hidesASecretThatAServerRepeatsInItsAnswer() throws Exception {
    Map<String, String> basic =
        Map.of("TALLY_METRICS_USER", "me", "TALLY_METRICS_PASSWORD", "planted-password");
    try (LoopbackServer server = new LoopbackServer().on("/", MetricsSecretsTest::repeat)) {
      String url = server.target().url();
      for (MetricsAccess access :
          List.of(
              new MetricsAccess("", ApiAccess.ofKey("planted-api-key"), Map.of()),
              new MetricsAccess("", ApiAccess.NONE, Map.of("TALLY_METRICS_TOKEN", "planted-token")),
              new MetricsAccess("", ApiAccess.NONE, basic))) {
        for (String path : List.of("/metrics", "/moved", "/api/v1/query")) {
          Target repeating = new Target(url, url + path, 1);
          try (EngineProbe probe = new EngineProbe(access);
              Scraper scraper =
                  new Scraper(List.of(repeating), 1, RunClock.start(), row -> {}, access)) {
            assertThat(probe.probe(repeating).problem() + scraper.scrape(0).error())
                .contains("(the key)")
                .doesNotContain("planted", "bWU6cGxhbnRlZC");
          }
        }
      }
    }
  }
}
