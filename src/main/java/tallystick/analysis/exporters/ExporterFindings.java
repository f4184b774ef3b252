package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Counted;
import tallystick.scenario.Exporter;
import tallystick.scenario.Formatted;

/** What a reader must know of one exporter before trusting its figures. */
final class ExporterFindings {
  private static final double LOST_LIMIT = 0.05; // means and extremes are of what is left

  /** Holes and standstills longer than so many scrape intervals are told. */
  private static final double LONGEST_INTERVALS = 3;

  private static final double STILL_SHARE = 0.1; // of the load: energy is then known to a tenth

  /** So many scrapes without any change are no accident. */
  private static final long FEWEST_SCRAPES = 10;

  private final ExporterReading exporter;
  private final String name;
  private final MeasuredWindow window;
  private final double interval;
  private final List<Finding> findings = new ArrayList<>();

  private ExporterFindings(
      ExporterReading exporter, MeasuredWindow window, double intervalSeconds) {
    this.exporter = exporter;
    this.name = exporter.exporter().name();
    this.window = window;
    this.interval = intervalSeconds;
  }

  static List<Finding> of(ExporterReading exporter, MeasuredWindow window, double intervalSeconds) {
    ExporterFindings all = new ExporterFindings(exporter, window, intervalSeconds);
    if (exporter.hasDelta()) {
      all.addUnknown();
      all.addRestart();
      all.addLost();
      all.addStill();
    } else {
      all.warn(Code.EXPORTER_SILENT,
          "Exporter " + all.name + " gave "
              + Counted.of(exporter.goodScrapes(), "good scrape", "good scrapes") + ", and "
              + exporter.failedScrapes() + " failed: too few to say anything.",
          "Check its url, and that it answers while the load runs.");
    }
    return all.findings;
  }

  /** Series that are known here, or by the user. */
  static long understood(ExporterReading exporter) {
    long named =
        exporter.metrics().stream()
            .flatMap(metric -> exporter.tracks(metric).stream())
            .filter(track -> track.concept().isEmpty())
            .distinct()
            .count();
    return named + exporter.tracks().stream().filter(track -> track.concept().isPresent()).count();
  }

  private void addUnknown() {
    for (Exporter.Metric metric : exporter.exporter().metrics()) {
      if (exporter.tracks(metric).isEmpty()) {
        findings.add(absent(metric));
      }
    }
    if (understood(exporter) == 0) {
      findings.add(new Finding(Code.EXPORTER_NOT_UNDERSTOOD,
          "None of the " + exporter.tracks().size() + " series of exporter " + name
              + " is known to this report. They are in the record only.",
          "Say in the scenario what they mean, under metrics: of the exporter."));
    }
  }

  private Finding absent(Exporter.Metric metric) {
    String labels = metric.labels().isEmpty() ? "" : " with the labels " + metric.labels();
    List<String> near =
        exporter.tracks().stream()
            .filter(track -> track.series().name().startsWith(metric.family()))
            .map(track -> "it has " + track.series().name() + " " + track.series().labels())
            .distinct()
            .limit(3)
            .toList();
    return new Finding(Code.EXPORTER_METRIC_ABSENT,
        "Exporter " + name + " shows no " + metric.family() + labels + ": its "
            + metric.quantity().name().toLowerCase(Locale.ROOT) + " are unknown, not 0.",
        near, "Correct the name or the labels under metrics: of the exporter.");
  }

  private void addRestart() {
    if (exporter.restarted()) {
      warn(Code.EXPORTER_RESTARTED,
          "Exporter " + name + ", or what it shows, restarted during the run. Its counts are lower"
              + " bounds.",
          "Run again if you need its counts.");
    }
  }

  private void addLost() {
    ScrapesUnderLoad scrapes = exporter.underLoad();
    long all = scrapes.good() + scrapes.failed();
    // A Prometheus in between has its own, longer interval; that is no hole.
    boolean isHole = scrapes.failed() > 0 && scrapes.holeSeconds() > LONGEST_INTERVALS * interval;
    if (scrapes.failed() > LOST_LIMIT * all || isHole) {
      warn(Code.EXPORTER_LOST_SCRAPES,
          Formatted.of(
              "%d of %d scrapes of exporter %s failed under load, the longest hole is %.1f s: its"
                  + " means and extremes cover the rest.%s",
              scrapes.failed(), all, name, scrapes.holeSeconds(),
              exporter.coversLoad()
                  ? "" : " Its counts do not reach the end of the load."),
          "Look at the errors in exporters.ndjson of the record.");
    }
  }

  /** Machines always move; a gateway may rest, but not while all of a load passes it. */
  private void addStill() {
    Optional<ReadingPace> found = exporter.pace();
    if (found.isEmpty()) {
      return;
    }
    ReadingPace pace = found.get();
    double limit = Math.max(STILL_SHARE * exporter.loadSeconds(), LONGEST_INTERVALS * interval);
    boolean isStill =
        showsMachine()
            ? pace.stillSeconds() > limit
            : pace.moves() == 0 && exporter.underLoad().good() >= FEWEST_SCRAPES;
    if (isStill) {
      warn(Code.EXPORTER_STOOD_STILL,
          Formatted.of(
              "Nothing that exporter %s shows changed from %.1f s to %.1f s. It is frozen, or it"
                  + " (or a Prometheus in between) reads less often than it is asked.",
              name,
              window.secondsAfterOrigin(pace.stillFromNanos()),
              window.secondsAfterOrigin(pace.stillToNanos())),
          "Let it read more often; dcgm-exporter takes --collect-interval 1000.");
    }
  }

  private boolean showsMachine() {
    return exporter.tracks().stream()
        .flatMap(track -> track.concept().stream())
        .anyMatch(
            concept -> concept.name().startsWith("GPU_") || concept.name().startsWith("HOST_"));
  }

  private void warn(Code code, String text, String remedy) {
    findings.add(new Finding(code, text, remedy));
  }
}
