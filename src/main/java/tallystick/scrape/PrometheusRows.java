package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/**
 * The scrapes an existing Prometheus has stored, read as raw samples with a range selector.
 *
 * <p>All samples of one scrape carry one timestamp, so the samples of a timestamp are a row: the
 * rows are exactly the scrapes Prometheus took, at its own interval and by its own clock. They hold
 * its labels too. Types come from its metadata, which may know none.
 */
final class PrometheusRows implements RowSource {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int LOOKBACK_SECONDS = 300;
  private static final int MARGIN_SECONDS = 2;
  private static final Map<String, String> HEADERS = Map.of("Accept", "application/json");

  private final int target;
  private final MetricsUrl url;
  private final HttpFetch fetch;
  private final Origin origin;
  private final ObjectMapper mapper = new ObjectMapper();
  private final FamilyTypes types = new FamilyTypes();
  private final Map<JsonNode, Series> known = new HashMap<>();
  private boolean typesAreKnown;
  private long lastStarted = Long.MIN_VALUE;

  PrometheusRows(int target, MetricsUrl url, HttpFetch fetch, Origin origin) {
    this.target = target;
    this.url = url;
    this.fetch = fetch;
    this.origin = origin;
  }

  @Override
  public List<ScrapeRow> next() throws InterruptedException {
    long asked = origin.nanos();
    try {
      JsonNode result = result(query(asked));
      if (!typesAreKnown && !result.isEmpty()) {
        readTypes();
      }
      SortedMap<Long, List<Sample>> scrapes = scrapes(result);
      List<ScrapeRow> rows = new ArrayList<>();
      scrapes
          .tailMap(lastStarted + 1)
          .forEach(
              (started, samples) ->
                  rows.add(new ScrapeRow(target, started, started, samples, "")));
      if (rows.isEmpty() && lastStarted == Long.MIN_VALUE) {
        throw new IOException(
            "Prometheus has stored nothing for " + url.selector() + " in the last "
                + LOOKBACK_SECONDS + " s");
      }
      lastStarted = rows.isEmpty() ? lastStarted : rows.getLast().startedNanos();
      return rows;
    } catch (IOException e) {
      return List.of(new ScrapeRow(target, asked, origin.nanos(), List.of(), e.getMessage()));
    }
  }

  /** Back to the last row seen, and no further than Prometheus' own staleness. */
  private String query(long asked) {
    long since =
        lastStarted == Long.MIN_VALUE
            ? LOOKBACK_SECONDS
            : (asked - lastStarted) / NANOS_PER_SECOND + MARGIN_SECONDS;
    long seconds = Math.clamp(since, MARGIN_SECONDS, LOOKBACK_SECONDS);
    return url.selector() + "[" + seconds + "s]";
  }

  private JsonNode result(String query) throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    JsonNode answer = json(url.endpoint("query") + "?query=" + encoded);
    return answer.path("data").path("result");
  }

  private JsonNode json(String address) throws IOException, InterruptedException {
    HttpAnswer answer = fetch.get(URI.create(address), HEADERS);
    JsonNode body;
    try {
      body = mapper.readTree(answer.body());
    } catch (IOException e) {
      String cause = answer.status() == 200 ? "HTTP 200 without JSON" : answer.statusWords();
      throw new IOException(cause + "; that is no Prometheus API", e);
    }
    if (answer.status() != 200 || !"success".equals(body.path("status").asText())) {
      throw new IOException(
          "Prometheus answered HTTP " + answer.status() + ": " + body.path("error").asText());
    }
    return body;
  }

  private SortedMap<Long, List<Sample>> scrapes(JsonNode result) throws IOException {
    SortedMap<Long, List<Sample>> scrapes = new TreeMap<>();
    Set<String> instances = new TreeSet<>();
    for (JsonNode line : result) {
      Series series = known.computeIfAbsent(line.path("metric"), this::series);
      if (line.has("histograms")) {
        refuseUnlessClassic(series, result);
        continue;
      }
      instances.add(series.label("job") + " " + series.label("instance"));
      for (JsonNode point : line.path("values")) {
        long utcMillis = Math.round(point.path(0).asDouble() * 1000);
        long started = utcMillis * NANOS_PER_MILLI - origin.utcNanos();
        scrapes
            .computeIfAbsent(started, any -> new ArrayList<>())
            .add(new Sample(series, value(point.path(1).asText())));
      }
    }
    if (instances.size() > 1) {
      throw new IOException(
          url.selector() + " selects several instances (" + String.join(", ", instances)
              + "); give each a target of its own");
    }
    return scrapes;
  }

  /**
   * A native histogram is left out where the classic one is stored beside it. Alone it is refused:
   * it lists no empty bucket, so the edges an objective is judged by could not be known.
   */
  private static void refuseUnlessClassic(Series series, JsonNode result) throws IOException {
    String classic = series.name() + "_bucket";
    for (JsonNode line : result) {
      if (line.path("metric").path("__name__").asText().equals(classic)) {
        return;
      }
    }
    throw new IOException(
        series.name() + " is stored as a native histogram only: set"
            + " always_scrape_classic_histograms: true (scrape_classic_histograms before"
            + " Prometheus 3) in its scrape_config, or scrape the engine directly");
  }

  private Series series(JsonNode metric) {
    Map<String, String> labels = new TreeMap<>();
    metric.properties().forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    String name = labels.remove("__name__");
    return Series.of(name, labels, typeOf(name));
  }

  /** Its metadata, or else what the vocabulary knows of the name. */
  private Series.Type typeOf(String name) {
    Series.Type declared = types.typeOf(name);
    if (declared != Series.Type.UNTYPED) {
      return declared;
    }
    return name.endsWith("_created")
        ? Series.Type.GAUGE
        : MetricVocabulary.standard()
            .entryOf(name)
            .map(MetricVocabulary.Entry::type)
            .orElse(Series.Type.UNTYPED);
  }

  private static double value(String written) {
    byte[] text = written.getBytes(StandardCharsets.UTF_8);
    return ExpositionNumber.parse(text, 0, text.length);
  }

  private void readTypes() throws IOException, InterruptedException {
    JsonNode families = json(url.endpoint("metadata")).path("data");
    for (Map.Entry<String, JsonNode> family : families.properties()) {
      String word = family.getValue().path(0).path("type").asText("unknown");
      try {
        types.declare(
            new FamilyTypes.Declaration(family.getKey(), FamilyTypes.typeOfWord(word)));
      } catch (IllegalArgumentException e) {
        types.declare(new FamilyTypes.Declaration(family.getKey(), Series.Type.UNTYPED));
      }
    }
    typesAreKnown = true;
  }
}
