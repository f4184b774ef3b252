package tallystick.scrape;

import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.Sample;
import tallystick.scenario.Target;

/** Looks at one target before a run and says what a run could and could not learn from it. */
public final class Checkup implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double SLOW_SECONDS = 0.5;

  private final HttpFetch fetch = HttpFetch.standard();
  private final int scrapes;
  private final long pauseNanos;

  /**
   * A checkup of several scrapes.
   *
   * @param scrapes how many, at least 1
   * @param pauseNanos time between two of them
   */
  public Checkup(int scrapes, long pauseNanos) {
    if (scrapes < 1) {
      throw new IllegalArgumentException("scrapes must be >= 1, was " + scrapes);
    }
    this.scrapes = scrapes;
    this.pauseNanos = pauseNanos;
  }

  /**
   * The remarks about a target.
   *
   * @param thresholdSeconds thresholds of objectives, by the concept of their histogram
   */
  public List<Remark> examine(Target target, Map<MetricConcept, Double> thresholdSeconds)
      throws InterruptedException {
    ProbeResult probe;
    try (EngineProbe door = new EngineProbe()) {
      probe = door.probe(target);
    }
    if (!probe.isFit()) {
      return List.of(new Remark(Remark.Level.FAILED, "target", probe.problem()));
    }
    try {
      return remarks(observe(target), probe, thresholdSeconds);
    } catch (IOException e) {
      String text = target.metricsUrl() + " answered once, then: " + e.getMessage();
      return List.of(new Remark(Remark.Level.FAILED, "target", text));
    }
  }

  private List<Observation> observe(Target target) throws IOException, InterruptedException {
    ExpositionParser parser = new ExpositionParser();
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < scrapes; i++) {
      TimeUnit.NANOSECONDS.sleep(i == 0 ? 0 : pauseNanos);
      double started = RunClock.utcNanos() / NANOS_PER_SECOND;
      HttpFetch.Answer answer =
          fetch.get(URI.create(target.metricsUrl()), TargetScrape.HEADERS);
      double ended = RunClock.utcNanos() / NANOS_PER_SECOND;
      List<Sample> samples = TargetScrape.samples(answer, parser);
      observations.add(
          new Observation(
              started,
              ended,
              dateSeconds(answer.header("date")),
              answer.header("content-type"),
              answer.body().length,
              parser.duplicates(),
              samples));
    }
    return observations;
  }

  private static double dateSeconds(String header) {
    try {
      return header.isEmpty()
          ? Double.NaN
          : ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
    } catch (DateTimeException e) {
      return Double.NaN;
    }
  }

  private static List<Remark> remarks(
      List<Observation> observations, ProbeResult probe, Map<MetricConcept, Double> thresholds) {
    Observation last = observations.getLast();
    List<Remark> remarks = new ArrayList<>();
    remarks.add(exposition(observations, probe.target()));
    String version = probe.engineVersion();
    remarks.add(
        version.isEmpty()
            ? new Remark(Remark.Level.NOTE, "version", "the server offers no /version")
            : new Remark(Remark.Level.GOOD, "version", version));
    if (last.duplicates() > 0) {
      String text = last.duplicates() + " series stand twice; the later value counts";
      remarks.add(new Remark(Remark.Level.WARNING, "duplicates", text));
    }
    remarks.addAll(ReplicaCheck.remarks(observations));
    remarks.add(ClockCheck.remark(observations));
    remarks.addAll(NameCheck.remarks(last.samples(), version));
    remarks.addAll(MissingMetrics.remarks(last.samples()));
    remarks.addAll(EdgeCheck.remarks(last, thresholds));
    return remarks;
  }

  private static Remark exposition(List<Observation> observations, Target target) {
    Observation last = observations.getLast();
    double slowest =
        observations.stream()
            .mapToDouble(each -> each.endedUtcSeconds() - each.startedUtcSeconds())
            .max()
            .orElse(0);
    String text =
        String.format(
            Locale.ROOT,
            "%s: %d samples, %d bytes, %s, at most %.0f ms",
            target.metricsUrl(),
            last.samples().size(),
            last.sizeBytes(),
            last.contentType().isEmpty() ? "no content type" : last.contentType(),
            slowest * 1000);
    Remark.Level level = slowest > SLOW_SECONDS ? Remark.Level.WARNING : Remark.Level.GOOD;
    return new Remark(level, "target", text);
  }

  @Override
  public void close() {
    fetch.close();
  }
}
