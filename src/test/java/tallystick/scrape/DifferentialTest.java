package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

/**
 * Our parser beside prometheus_client's, on real, mutated and written expositions; the cases come
 * from generate.py beside them.
 */
class DifferentialTest {

  @Test
  void readsTheSameSamplesWhereBothAccept() throws IOException {
    int accepted = 0;
    for (JsonNode one : cases()) {
      Optional<Map<String, Double>> ours = ours(one);
      Optional<Map<String, Double>> theirs = theirs(one);
      if (ours.isPresent() && theirs.isPresent()) {
        assertThat(ours).as(one.path("body").asText()).isEqualTo(theirs);
        accepted++;
      }
    }
    assertThat(accepted).isEqualTo(352);
  }

  @Test
  void refusesMoreOnlyForBadNamesAndWordsAfterTheValue() throws IOException {
    List<String> reasons = new ArrayList<>();
    for (JsonNode one : cases()) {
      if (ours(one).isEmpty() && theirs(one).isPresent()) {
        reasons.add(refusal(one));
      }
    }
    assertThat(reasons)
        .hasSize(16)
        .allMatch(
            reason ->
                reason.matches(".*(a blank was expected after the name|end of the line).*")
                    || reason.matches("line \\d+: value '[a-z].*' is not a number"));
  }

  @Test
  void acceptsMoreOnlyForCommentsAndForWhatVllmItselfSends() throws IOException {
    List<JsonNode> accepted = new ArrayList<>();
    for (JsonNode one : cases()) {
      if (ours(one).isPresent() && theirs(one).isEmpty()) {
        accepted.add(one);
      }
    }
    // Two HELP lines of misspelt names, a mix of stamped and unstamped samples, and vLLM's own
    // OpenMetrics, whose escaped sample names clash with its unescaped TYPE names.
    assertThat(accepted).hasSize(4);
    assertThat(accepted)
        .filteredOn(one -> one.path("format").asText().equals("openmetrics"))
        .hasSize(2);
  }

  @Test
  void answersAnyBytesWithSamplesOrALineNumber() throws IOException {
    Random random = new Random(3);
    byte[] whole = Fixtures.bytes("metrics-after1.prom");
    ExpositionParser parser = new ExpositionParser();
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(whole.length - 2_000);
      byte[] body = Arrays.copyOfRange(whole, from, from + 2_000);
      for (int flips = random.nextInt(5); flips > 0; flips--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      String format = random.nextBoolean() ? "text/plain" : "application/openmetrics-text";
      try {
        assertThat(parser.parse(body, format)).isNotNull();
      } catch (ExpositionException e) {
        assertThat(e.line()).isPositive();
      }
    }
  }

  private static String refusal(JsonNode one) {
    byte[] body = one.path("body").asText().getBytes(StandardCharsets.UTF_8);
    try {
      new ExpositionParser().parse(body, one.path("format").asText());
      return "";
    } catch (ExpositionException e) {
      return e.getMessage();
    }
  }

  private static Optional<Map<String, Double>> ours(JsonNode one) {
    byte[] body = one.path("body").asText().getBytes(StandardCharsets.UTF_8);
    try {
      Map<String, Double> values = new LinkedHashMap<>();
      for (Sample sample : new ExpositionParser().parse(body, one.path("format").asText())) {
        Series series = sample.series();
        boolean isBare = series.type() == Series.Type.COUNTER && !series.name().endsWith("_total");
        values.putIfAbsent(
            series.name() + (isBare ? "_total" : "") + series.labels(), sample.value());
      }
      return Optional.of(values);
    } catch (ExpositionException e) {
      return Optional.empty();
    }
  }

  private static Optional<Map<String, Double>> theirs(JsonNode one) {
    if (one.path("samples").isNull()) {
      return Optional.empty();
    }
    Map<String, Double> values = new LinkedHashMap<>();
    for (JsonNode sample : one.path("samples")) {
      Map<String, String> labels = new TreeMap<>();
      sample.get(1).properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
      // Of two samples of one series the first counts, as in Prometheus.
      values.putIfAbsent(sample.get(0).asText() + labels, number(sample.get(2).asText()));
    }
    return Optional.of(values);
  }

  private static double number(String written) {
    return switch (written) {
      case "nan" -> Double.NaN;
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(written);
    };
  }

  private static List<JsonNode> cases() throws IOException {
    byte[] packed = Fixtures.bytes("differential/cases.json.gz");
    List<JsonNode> cases = new ArrayList<>();
    try (InputStream stream = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      new ObjectMapper().readTree(stream).forEach(cases::add);
    }
    return cases;
  }
}
