package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code /metrics/} answers with. The table was made with {@code choose_encoder} of
 * prometheus_client as vLLM 0.32 installs it.
 */
class NegotiatedMetricsTest {
  private static final String OPEN = "application/openmetrics-text";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                    | TEXT  | 0.0.4; charset=utf-8
          text/plain                            | TEXT  | 0.0.4; charset=utf-8
          text/plain;version=0.0.4              | TEXT  | 0.0.4; charset=utf-8
          text/plain;version=1.0.0              | TEXT  | 1.0.0; charset=utf-8; SCORES
          OM                                    | OM_   | 1.0.0; charset=utf-8
          OM;version=0.0.1                      | TEXT  | 0.0.4; charset=utf-8
          OM;version=1.0.0                      | OM_   | 1.0.0; charset=utf-8; SCORES
          OM;version=1.0.0;escaping=allow-utf-8 | OM    | 1.0.0; charset=utf-8; UTF
          OM;version=0.0.1,text/plain;q=0.5,*/* | TEXT  | 0.0.4; charset=utf-8
          """)
  void theFirstTypeThatIsKnownDecides(String accept, String form, String version) {
    ExpositionFormat format =
        switch (form) {
          case "OM" -> ExpositionFormat.OPEN_METRICS;
          case "OM_" -> ExpositionFormat.OPEN_METRICS_UNDERSCORES;
          default -> ExpositionFormat.TEXT;
        };
    String type =
        (format.isOpenMetrics() ? OPEN : "text/plain")
            + "; version="
            + version.replace("SCORES", "escaping=underscores")
                .replace("UTF", "escaping=allow-utf-8");
    assertThat(MetricsNegotiation.of(accept.replace("OM", OPEN)))
        .isEqualTo(new MetricsNegotiation(format, type));
  }

  @Test
  void openMetricsHasTheShapeThatWasRecorded() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/scrape/metrics-openmetrics.txt")) {
      Map<String, List<String>> recorded =
          shapes(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      EngineRun run = EngineRun.asRecorded();
      run.submit(EngineRun.prompt(40, 1), 9);
      run.runToEnd();
      String text =
          new ServerMetrics(EngineKind.VLLM, 1000)
              .exposition(run.core.registry(), ExpositionFormat.OPEN_METRICS_UNDERSCORES);
      Map<String, List<String>> exposed = shapes(text);
      for (String family : recorded.keySet()) {
        if (family.startsWith("vllm:") || family.startsWith("process_")) {
          assertThat(exposed.get(family)).as(family).isEqualTo(recorded.get(family));
        }
      }
      assertThat(text).endsWith("\n# EOF\n").doesNotContain(" # {");
    }
  }

  @Test
  void gzipIsUsedWhereItIsAllowedAndNeverWithoutTheSlash() throws Exception {
    EngineSettings settings = EngineSettings.ofFlags(Map.of("profile", "zero"));
    try (EmbeddedEngine engine = EmbeddedEngine.start(settings, "127.0.0.1", 0)) {
      HttpResponse<byte[]> packed = get(engine.url() + "/metrics/", OPEN, "deflate, gzip;q=0.5");
      assertThat(packed.headers().firstValue("content-encoding")).hasValue("gzip");
      assertThat(unzipped(packed.body())).contains("# TYPE vllm:generation_tokens counter\n");
      assertThat(unzipped(packed.body())).contains("\nvllm_generation_tokens_total{");
      HttpResponse<byte[]> plain = get(engine.url() + "/metrics", OPEN, "gzip");
      assertThat(plain.headers().firstValue("content-encoding")).isEmpty();
      assertThat(plain.headers().firstValue("content-type"))
          .hasValue("text/plain; version=1.0.0; charset=utf-8");
    }
  }

  /** Sample names of each family in their order, without values. */
  private static Map<String, List<String>> shapes(String text) {
    Map<String, List<String>> shapes = new TreeMap<>();
    String family = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith("# TYPE")) {
        family = line.split(" ")[2];
        shapes.put(family, new java.util.ArrayList<>(List.of(line)));
      } else if (!line.startsWith("#")) {
        shapes.get(family).add(line.split("[{ ]")[0]);
      }
    }
    return shapes;
  }

  private static HttpResponse<byte[]> get(String url, String accept, String encoding)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(20))
            .header("Accept", accept)
            .header("Accept-Encoding", encoding)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String unzipped(byte[] body) throws IOException {
    try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
