package tallystick.scrape;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.RunClock;
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
  private static final long DAY_NANOS = 86_400 * NANOS_PER_SECOND; // more is no clock's error
  private static final int LOOKBACK_SECONDS = 300; // Prometheus' own lookback
  private static final int MARGIN_SECONDS = 2; // ranges overlap, no row is lost

  /** Without a new scrape for so long, and for so many of its intervals, it scrapes no more. */
  private static final long SILENT_NANOS = 10 * NANOS_PER_SECOND;

  private static final int SILENT_INTERVALS = 4; // a scrape or two may fail

  /** VictoriaMetrics hides the newest 30 s, and remote writes may be late by as much. */
  private static final long LATE_NANOS = 60 * NANOS_PER_SECOND;

  private final MetricsUrl url;
  private final int target;
  private final PrometheusApi api;
  private final RunClock clock;
  private final FamilyTypes types = new FamilyTypes();
  private final Map<JsonNode, Series> known = new HashMap<>();
  private final StoredOnce once;
  private final WholeScrapes whole;
  private boolean typesAreKnown;
  private long lastAnswered = Long.MIN_VALUE;
  private long lastGiven;
  private long intervalNanos = LATE_NANOS / SILENT_INTERVALS;
  private long aheadNanos;

  PrometheusRows(int target, MetricsUrl url, HttpFetch fetch, RunClock clock) {
    this.url = url;
    this.target = target;
    this.api = new PrometheusApi(url, fetch);
    this.clock = clock;
    this.once = new StoredOnce(url.selector());
    this.whole = new WholeScrapes(target);
  }

  @Override
  public List<ScrapeRow> next() throws InterruptedException {
    long asked = clock.nanos();
    try {
      boolean isFirst = whole.lastStarted() == Long.MIN_VALUE;
      JsonNode result = isFirst ? newest() : since(asked);
      noteClock(asked);
      if (!typesAreKnown && !result.isEmpty()) {
        readTypes();
      }
      List<ScrapeRow> rows = new ArrayList<>(whole.rows(scrapes(result)));
      if (rows.isEmpty() && isFirst) {
        throw new IOException(
            "Prometheus has stored nothing for " + url.selector() + " in the last "
                + LOOKBACK_SECONDS + " s");
      }
      lastAnswered = asked;
      notePace(asked, rows);
      silence(asked, isFirst).ifPresent(text -> rows.add(failed(asked, text)));
      return rows;
    } catch (IOException e) {
      return List.of(failed(asked, url.words(e)));
    }
  }

  private ScrapeRow failed(long asked, String error) {
    return new ScrapeRow(target, asked, clock.nanos(), List.of(), error);
  }

  private JsonNode newest() throws IOException, InterruptedException {
    return api.result(url.selector(), LOOKBACK_SECONDS);
  }

  /**
   * What the store holds from the last row on. A range that begins with that very row keeps a store
   * that deduplicates with the replica it chose for it: it takes the one whose sample is first.
   */
  private JsonNode since(long asked) throws IOException, InterruptedException {
    long sinceRow = asked + Math.max(0, aheadNanos) - whole.lastStarted();
    long since = Math.max(sinceRow, asked - lastAnswered) / NANOS_PER_SECOND + MARGIN_SECONDS;
    if (since > LOOKBACK_SECONDS) {
      return newest();
    }
    long fromMillis = (whole.lastStarted() + clock.originUtcNanos()) / NANOS_PER_MILLI - 1;
    return api.result(url.selector(), Math.max(since, MARGIN_SECONDS), fromMillis);
  }

  /** A difference of more than a day is no clock's. */
  private void noteClock(long asked) {
    double date = api.dateUtcSeconds();
    if (!Double.isNaN(date)) {
      long ahead = (long) ((date + 1) * NANOS_PER_SECOND) - clock.originUtcNanos() - asked;
      aheadNanos = Math.abs(ahead) < DAY_NANOS ? ahead : 0;
    }
  }

  private void notePace(long asked, List<ScrapeRow> rows) {
    if (!rows.isEmpty()) {
      lastGiven = asked;
    }
    if (rows.size() > 1) {
      intervalNanos = rows.getLast().startedNanos() - rows.get(rows.size() - 2).startedNanos();
    }
  }

  /** Why nothing new comes; empty while that is no wonder. */
  private Optional<String> silence(long asked, boolean isFirst) {
    long age = asked - (isFirst ? whole.lastStarted() : lastGiven);
    long limit = Math.max(SILENT_NANOS, SILENT_INTERVALS * intervalNanos);
    return age > limit + (isFirst ? LATE_NANOS : 0)
        ? Optional.of(
            "Prometheus has stored no whole scrape of %s for %s s: does it still scrape the target?"
                .formatted(url.selector(), age / NANOS_PER_SECOND))
        : Optional.empty();
  }

  private SortedMap<Long, List<Sample>> scrapes(JsonNode result) throws IOException {
    SortedMap<Long, List<Sample>> scrapes = new TreeMap<>();
    for (JsonNode line : result) {
      Series series = known.computeIfAbsent(line.path("metric"), this::series);
      if (line.has("histograms")) {
        refuseUnlessClassic(series, result);
        continue;
      }
      once.see(series);
      for (JsonNode point : line.path("values")) {
        long utcMillis = Math.round(point.path(0).asDouble() * 1000);
        long started = utcMillis * NANOS_PER_MILLI - clock.originUtcNanos();
        scrapes
            .computeIfAbsent(started, any -> new ArrayList<>())
            .add(new Sample(series, ExpositionNumber.parse(point.path(1).asText())));
      }
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
    metric.properties().forEach(
        label -> labels.put(label.getKey(), url.redaction().ofName(label.getValue().asText())));
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

  private void readTypes() throws InterruptedException {
    for (Map.Entry<String, JsonNode> family : api.metadata().properties()) {
      String word = family.getValue().path(0).path("type").asText("unknown");
      try {
        types.declare(new FamilyTypes.Declaration(family.getKey(), FamilyTypes.typeOfWord(word)));
      } catch (IllegalArgumentException e) {
        types.declare(new FamilyTypes.Declaration(family.getKey(), Series.Type.UNTYPED));
      }
    }
    typesAreKnown = true;
  }
}
