package tallystick.analysis;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tallystick.runrecord.BlankValue;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Exporter;

/**
 * One exporter's scrapes: counters from the last scrape before the window to the last of the
 * record, and apart from that what grew up to the first scrape after the load.
 */
final class ExporterReading {
  private final Exporter exporter;
  private final List<Exporter.Metric> metrics;
  private final Window window;
  private final TargetReading reading = new TargetReading();
  private final Map<Series, Optional<Series>> chosen = new HashMap<>();
  private final Map<SeriesTrack, GaugeStats> gauges = new LinkedHashMap<>();
  private final Map<SeriesTrack, Double> growthUnderLoad = new HashMap<>();
  private final Map<SeriesTrack, Integer> movesUnderLoad = new HashMap<>();
  private long begunNanos = Long.MIN_VALUE;
  private long loadEndNanos = Long.MIN_VALUE;
  private long good;
  private long failed;

  ExporterReading(Exporter exporter, Window window) {
    this.exporter = exporter;
    this.metrics = KnownGateways.with(exporter.metrics());
    this.window = window;
  }

  /** Takes the next scrape. */
  void read(ScrapeRow row) {
    if (!row.isGood()) {
      failed++;
      return;
    }
    good++;
    ScrapeRow kept = kept(row);
    long started = row.startedNanos();
    if (started <= window.originNanos()) {
      reading.couldBeFirst(kept);
      begunNanos = started;
      return;
    }
    begunNanos = begunNanos == Long.MIN_VALUE ? started : begunNanos;
    reading.read(kept);
    readGauges(started);
    boolean isLoadOver = loadEndNanos >= window.drainedNanos();
    if (reading.hasDelta() && !isLoadOver) {
      loadEndNanos = started;
      reading.tracks().stream().filter(SeriesTrack::isCumulative).forEach(this::noteGrowth);
    }
  }

  Exporter exporter() {
    return exporter;
  }

  /** What the user and the vocabulary say its metrics mean. */
  List<Exporter.Metric> metrics() {
    return metrics;
  }

  long goodScrapes() {
    return good;
  }

  long failedScrapes() {
    return failed;
  }

  boolean hasDelta() {
    return reading.hasDelta();
  }

  boolean restarted() {
    return reading.restarted();
  }

  Collection<SeriesTrack> tracks() {
    return reading.tracks();
  }

  /** The series of a concept. */
  Stream<SeriesTrack> tracks(MetricConcept concept) {
    return reading.tracks().stream().filter(track -> track.means(concept) && reading.uses(track));
  }

  /** The series of a metric the user named. */
  List<SeriesTrack> tracks(Exporter.Metric metric) {
    return reading.tracks().stream().filter(track -> fits(track.series(), metric)).toList();
  }

  /** A gauge's values under load; empty if no scrape fell into it. */
  Optional<RunAnalysis.GaugeRange> range(SeriesTrack track) {
    return Optional.ofNullable(gauges.get(track))
        .filter(stats -> !stats.isEmpty())
        .map(GaugeStats::range);
  }

  /** Growth of a counter from before the load to the first scrape after it. */
  OptionalDouble growthUnderLoad(SeriesTrack track) {
    Double growth = growthUnderLoad.get(track);
    return growth == null ? OptionalDouble.empty() : OptionalDouble.of(growth);
  }

  /** How often a counter was seen to have moved in that time. */
  int movesUnderLoad(SeriesTrack track) {
    return movesUnderLoad.getOrDefault(track, 0);
  }

  /** Length of that time. */
  double loadSeconds() {
    return hasDelta() ? (loadEndNanos - begunNanos) / 1e9 : 0;
  }

  /** Whether its scrapes reach from before the load to after it. */
  boolean coversLoad() {
    return hasDelta()
        && begunNanos <= window.originNanos()
        && loadEndNanos >= window.drainedNanos();
  }

  private void readGauges(long started) {
    if (!window.isUnderLoad(started)) {
      return;
    }
    for (SeriesTrack track : reading.tracks()) {
      if (track.kind() == SeriesTrack.Kind.GAUGE && reading.isCurrent(track)) {
        gauges.computeIfAbsent(track, any -> new GaugeStats()).add(track.value());
      }
    }
  }

  private void noteGrowth(SeriesTrack track) {
    growthUnderLoad.put(track, track.delta());
    if (reading.isCurrent(track) && track.lastGrowth() > 0) {
      movesUnderLoad.merge(track, 1, Integer::sum);
    }
  }

  private ScrapeRow kept(ScrapeRow row) {
    List<Sample> samples =
        row.samples().stream()
            .filter(sample -> !BlankValue.isBlank(sample))
            .flatMap(sample -> chosen(sample).stream())
            .toList();
    return new ScrapeRow(row.target(), row.startedNanos(), row.endedNanos(), samples, "");
  }

  private Optional<Sample> chosen(Sample sample) {
    return chosen
        .computeIfAbsent(sample.series(), this::choose)
        .map(series -> series.equals(sample.series())
            ? sample : new Sample(series, sample.value()));
  }

  /** A series that is to be read, with the type the user's meaning gives an untyped one. */
  private Optional<Series> choose(Series series) {
    boolean isOther =
        exporter.labels().entrySet().stream()
            .anyMatch(label -> !series.label(label.getKey()).equals(label.getValue()));
    if (isOther) {
      return Optional.empty();
    }
    if (series.type() != Series.Type.UNTYPED) {
      return Optional.of(series);
    }
    return metrics.stream()
        .filter(metric -> fits(series, metric))
        .findFirst()
        .map(metric -> Series.of(series.name(), series.labels(), typeOf(metric, series.name())))
        .or(() -> Optional.of(series));
  }

  private static Series.Type typeOf(Exporter.Metric metric, String name) {
    boolean isWhole = name.equals(metric.family()) || name.equals(metric.family() + "_total");
    return switch (metric.quantity()) {
      case IN_FLIGHT -> Series.Type.GAUGE;
      case REQUESTS, ERRORS -> Series.Type.COUNTER;
      case PROMPT_TOKENS, OUTPUT_TOKENS ->
          isWhole ? Series.Type.COUNTER : Series.Type.HISTOGRAM;
      case TTFT, ITL, E2E -> Series.Type.HISTOGRAM;
    };
  }

  private static boolean fits(Series series, Exporter.Metric metric) {
    return isNamed(series.name(), metric.family())
        && metric.labels().entrySet().stream()
            .allMatch(label -> label.getValue().contains(series.label(label.getKey())));
  }

  private static boolean isNamed(String name, String family) {
    if (!name.startsWith(family)) {
      return name.equals(cut(family));
    }
    return switch (name.substring(family.length())) {
      case "", "_total", "_bucket", "_sum", "_count" -> true;
      default -> false;
    };
  }

  private static String cut(String family) {
    String ending = "_total";
    return family.endsWith(ending)
        ? family.substring(0, family.length() - ending.length())
        : family;
  }
}
