package tallystick.scrape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.ProcessCopies;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/** Looks at one target before a run and says what a run could and could not learn from it. */
public final class Checkup implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double SLOW_SECONDS = 0.5; // half of the usual scrape interval

  private final HttpFetch fetch;
  private final MetricsAccess access;
  private final int scrapes;
  private final long pauseNanos;

  private ProcessCopies copies = new ProcessCopies();

  /** Whose series began at which moments, of the targets that were examined. */
  private final Map<Set<Double>, String> processes = new HashMap<>();

  /**
   * A checkup of several scrapes.
   *
   * @param scrapes how many, at least 1
   * @param pauseNanos time between two of them
   * @param access whom to trust and what to show
   */
  public Checkup(int scrapes, long pauseNanos, MetricsAccess access) {
    if (scrapes < 1) {
      throw new IllegalArgumentException("scrapes must be >= 1, was " + scrapes);
    }
    this.scrapes = scrapes;
    this.pauseNanos = pauseNanos;
    this.access = access;
    this.fetch = HttpFetch.trusting(access.caFile());
  }

  /**
   * The remarks about a target.
   *
   * @param thresholdSeconds thresholds of objectives, by the concept of their histogram
   */
  public List<Remark> examine(Target target, Map<MetricConcept, Double> thresholdSeconds)
      throws InterruptedException {
    EndpointProbe probe;
    try (EngineProbe door = new EngineProbe(access)) {
      probe = door.probe(target);
    }
    if (!probe.isFit()) {
      return List.of(Remark.failed("target", probe.problem()));
    }
    try {
      return remarks(observe(target), probe, thresholdSeconds);
    } catch (IOException e) {
      String text = target.metricsUrl() + " answered once, then: " + access.of(target).words(e);
      return List.of(Remark.failed("target", text));
    }
  }

  private List<Observation> observe(Target target) throws IOException, InterruptedException {
    MetricsUrl url = access.of(target);
    return url.isPrometheus() || url.isFile() ? stored(url) : exposed(url);
  }

  /** The newest scrapes a Prometheus or a file holds. */
  private List<Observation> stored(MetricsUrl url) throws IOException, InterruptedException {
    RunClock epoch = RunClock.start();
    List<ScrapeRow> rows = RowSources.of(0, url, fetch, epoch).next();
    if (!rows.getLast().isGood()) {
      throw new IOException(rows.getLast().error());
    }
    List<Observation> observations = new ArrayList<>();
    for (ScrapeRow row : rows.subList(Math.max(0, rows.size() - scrapes), rows.size())) {
      double at = (epoch.originUtcNanos() + row.startedNanos()) / NANOS_PER_SECOND;
      observations.add(new Observation(at, at, Double.NaN, "stored scrapes", 0, 0, row.samples()));
    }
    return observations;
  }

  /** Each look has a connection of its own: a balancer may choose by connection. */
  private List<Observation> exposed(MetricsUrl url) throws IOException, InterruptedException {
    ExpositionParser parser = new ExpositionParser(url.redaction());
    copies = new ProcessCopies();
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < scrapes; i++) {
      TimeUnit.NANOSECONDS.sleep(i == 0 ? 0 : pauseNanos);
      double started = RunClock.utcNanos() / NANOS_PER_SECOND;
      HttpAnswer answer = DirectRows.ask(url, fetch);
      fetch.dropConnections();
      double ended = RunClock.utcNanos() / NANOS_PER_SECOND;
      List<Sample> samples = copies.live(DirectRows.samples(answer, url, parser));
      observations.add(new Observation(
          started,
          ended,
          answer.dateUtcSeconds(),
          answer.header("content-type"),
          answer.body().length,
          parser.duplicates(),
          samples));
    }
    return observations;
  }

  private List<Remark> remarks(
      List<Observation> observations, EndpointProbe probe, Map<MetricConcept, Double> thresholds)
      throws InterruptedException {
    Observation last = observations.getLast();
    List<Remark> remarks = new ArrayList<>();
    MetricsUrl url = access.of(probe.target());
    remarks.add(
        url.isPrometheus() ? selection(last, url) : exposition(observations, probe.target()));
    if (url.isPrometheus()) {
      remarks.addAll(new StoreCheck(url, fetch).remarks(observations));
    }
    String version = probe.engineVersion();
    remarks.add(
        version.isEmpty()
            ? Remark.note("version", "the server offers no /version")
            : Remark.good("version", version));
    if (last.duplicates() > 0) {
      String text = last.duplicates() + " series stand twice; the first value counts";
      remarks.add(Remark.warning("duplicates", text));
    }
    copies.words().stream().map(text -> Remark.note("copies", text)).forEach(remarks::add);
    remarks.addAll(ReplicaCheck.remarks(observations));
    if (!url.isPrometheus()) {
      remarks.add(ClockCheck.remark(observations));
      twin(last, probe.target()).ifPresent(remarks::add);
    }
    remarks.addAll(NameCheck.remarks(last.samples(), version));
    remarks.addAll(MissingMetrics.remarks(last.samples(), version));
    remarks.addAll(EdgeCheck.remarks(last, thresholds));
    return remarks;
  }

  private Optional<Remark> twin(Observation last, Target target) {
    Set<Double> births =
        last.samples().stream()
            .filter(sample -> sample.series().name().matches(".*_created|.*process_start_time.*"))
            .map(Sample::value)
            .collect(Collectors.toSet());
    String known = births.isEmpty() ? null : processes.putIfAbsent(births, target.metricsUrl());
    return Optional.ofNullable(known)
        .map(
            url ->
                Remark.untrusted("same engine",
                    "this is the process of " + url + ": its counts would be added twice. Name"
                        + " each engine once"));
  }

  private static Remark exposition(List<Observation> observations, Target target) {
    Observation last = observations.getLast();
    double slowest =
        observations.stream()
            .mapToDouble(each -> each.endedUtcSeconds() - each.startedUtcSeconds())
            .max()
            .orElse(0);
    String text =
        Formatted.of(
            "%s: %d samples, %d bytes, %s, at most %.0f ms", target.metricsUrl(),
            last.samples().size(), last.sizeBytes(),
            last.contentType().isEmpty() ? "no content type" : last.contentType(), slowest * 1000);
    Remark.Level level = slowest > SLOW_SECONDS ? Remark.Level.WARNING : Remark.Level.GOOD;
    return new Remark(level, "target", text);
  }

  private static Remark selection(Observation last, MetricsUrl url) {
    String text = url + ": " + last.samples().size() + " samples in the newest scrape";
    return Remark.good("target", text);
  }

  @Override
  public void close() {
    fetch.close();
  }
}
