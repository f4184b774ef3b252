package tallystick.analysis.exporters;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.engine.GaugeStats;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.result.GaugeRange;
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
  /** Why there is no growth over the load. */
  static final String NOT_COVERED = "its scrapes do not reach from before the load to after it";

  private final Exporter exporter;
  private final List<Exporter.Metric> metrics;
  private final MeasuredWindow window;
  private final TargetReading reading = new TargetReading();
  private final Map<Series, Optional<Series>> chosen = new HashMap<>();
  private final Map<SeriesTrack, GaugeStats> gauges = new LinkedHashMap<>();
  private final Map<SeriesTrack, Double> growthUnderLoad = new HashMap<>();
  private final Map<SeriesTrack, ReadingPace> paces = new HashMap<>();
  private final Map<SeriesTrack, Set<Double>> xidsUnderLoad = new HashMap<>();
  private final ScrapesUnderLoad underLoad;
  private ReadingPace pace;
  private long changes;
  private long begunNanos = Long.MIN_VALUE;
  private long loadEndNanos = Long.MIN_VALUE;
  private long good;
  private long failed;

  ExporterReading(Exporter exporter, MeasuredWindow window) {
    this.exporter = exporter;
    this.metrics = KnownGateways.with(exporter.metrics());
    this.window = window;
    this.underLoad = new ScrapesUnderLoad(window);
  }

  /** Takes the next scrape. */
  void read(ScrapeRow row) {
    underLoad.read(row);
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
      noteValues(started);
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
    return reading.tracks().stream()
        .filter(track -> fits(track.series(), metric) && !reading.isSpoiled(track))
        .toList();
  }

  /** A gauge's values under load; empty if no scrape fell into it. */
  Optional<GaugeRange> range(SeriesTrack track) {
    return Optional.ofNullable(gauges.get(track))
        .filter(stats -> !stats.isEmpty())
        .map(GaugeStats::range);
  }

  /** Growth of a counter from before the load to the first scrape after it, if it is known. */
  OptionalDouble growthUnderLoad(SeriesTrack track) {
    Double growth = growthUnderLoad.get(track);
    return growth == null || growth.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(growth);
  }

  /** How often a series brought a new value in that time; empty if it was not shown then. */
  Optional<ReadingPace> pace(SeriesTrack track) {
    return Optional.ofNullable(paces.get(track));
  }

  /** How often anything at all changed in that time. */
  Optional<ReadingPace> pace() {
    return Optional.ofNullable(pace);
  }

  /** Whether a series was still shown by the last scrape of that time. */
  boolean reachesLoadEnd(SeriesTrack track) {
    return pace(track).filter(found -> found.seenNanos() == loadEndNanos).isPresent();
  }

  /** The errors that a GPU's series of XIDs came to show in that time. */
  Set<Double> xidsUnderLoad(SeriesTrack track) {
    return xidsUnderLoad.getOrDefault(track, Set.of());
  }

  /** Its scrapes while the load ran. */
  ScrapesUnderLoad underLoad() {
    return underLoad;
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
    for (SeriesTrack track : reading.gauges()) {
      if (reading.isCurrent(track)) {
        gauges.computeIfAbsent(track, any -> new GaugeStats()).add(track.value());
      }
    }
  }

  private void noteValues(long started) {
    boolean isFirst = pace == null;
    boolean changed = false;
    for (SeriesTrack track : reading.tracks()) {
      if (track.isCumulative()) {
        growthUnderLoad.put(track, track.delta());
      }
      if (reading.isCurrent(track) && !Double.isNaN(track.value())) {
        changed |= track.value() != track.previous();
        noteValue(track, started);
      }
    }
    pace = isFirst ? new ReadingPace(begunNanos, changes) : pace;
    changes += changed ? 1 : 0;
    pace.next(started, changes);
  }

  private void noteValue(SeriesTrack track, long started) {
    boolean isNew = Double.isNaN(track.previous());
    paces
        .computeIfAbsent(
            track,
            any -> isNew
                ? new ReadingPace(started, track.value())
                : new ReadingPace(begunNanos, track.previous()))
        .next(started, track.value());
    boolean changed = track.value() != track.previous();
    if (changed && track.value() != 0 && track.means(MetricConcept.GPU_XID_ERROR)) {
      xidsUnderLoad.computeIfAbsent(track, any -> new TreeSet<>()).add(track.value());
    }
  }

  private ScrapeRow kept(ScrapeRow row) {
    // A GPU that several pods share is shown once for each of them, always with its own values.
    Map<Series, Sample> samples = new LinkedHashMap<>();
    row.samples().stream()
        .filter(sample -> !BlankValue.isBlank(sample))
        .flatMap(sample -> chosen(sample).stream())
        .forEach(sample -> samples.merge(sample.series(), sample, ExporterReading::larger));
    return new ScrapeRow(
        row.target(), row.startedNanos(), row.endedNanos(), List.copyOf(samples.values()), "");
  }

  private static Sample larger(Sample one, Sample other) {
    return other.value() > one.value() ? other : one;
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
      return Optional.of(GpuSeries.of(series));
    }
    return metrics.stream()
        .filter(metric -> fits(series, metric))
        .findFirst()
        .map(metric -> Series.of(series.name(), series.labels(), typeOf(metric, series.name())))
        .or(() -> Optional.of(GpuSeries.of(series)));
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
      return name.equals(family.replaceFirst("_total$", ""));
    }
    return switch (name.substring(family.length())) {
      case "", "_total", "_bucket", "_sum", "_count" -> true;
      default -> false;
    };
  }
}
