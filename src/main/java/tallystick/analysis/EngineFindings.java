package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.Finding.Severity;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;

/** What a reader must know of the scrapes. */
final class EngineFindings {
  private static final double LOST_LIMIT = 0.05;

  /** Holes longer than so many scrape intervals break series over time. */
  private static final double HOLE_INTERVALS = 3;

  /** Counters that stand still for so many intervals while tokens arrive are not the engine's. */
  private static final double FROZEN_INTERVALS = 10;

  /** A Prometheus in between repeats a value until its own next scrape, seldom a minute later. */
  private static final double SLOW_SOURCE_SECONDS = 65;

  private EngineFindings() {}

  static List<Finding> of(
      RunAnalysis.EngineAccount account,
      EngineReading reading,
      Settings settings,
      Manifest manifest,
      List<Timeline.Track> clientTracks) {
    List<Finding> findings = new ArrayList<>();
    if (!account.available()) {
      boolean wanted = reading.expectedTargets() > 0;
      findings.add(
          new Finding("no_engine_account", wanted ? Severity.WARNING : Severity.NOTE,
              "There is no engine account: " + account.absence() + ".", List.of(),
              wanted ? "Check metrics_url: it must show vllm: families." : ""));
      return findings;
    }
    double interval = settings.timing().scrapeIntervalNanos() / 1e9;
    addLost(findings, reading, interval);
    if (manifest.targets().size() <= 1) {
      addFrozen(findings, reading, interval, clientTracks);
    }
    return findings;
  }

  private static void addLost(List<Finding> findings, EngineReading reading, double interval) {
    long all = reading.goodScrapes() + reading.failedScrapes();
    double share = all == 0 ? 0 : (double) reading.failedScrapes() / all;
    boolean hole = reading.longestHoleSeconds() > HOLE_INTERVALS * interval;
    if (share > LOST_LIMIT || hole) {
      findings.add(
          new Finding("lost_scrapes", Severity.WARNING,
              String.format(
                  Locale.ROOT,
                  "%d of %d scrapes failed, the longest hole is %.1f s: counters are complete,"
                      + " figures over time have holes.",
                  reading.failedScrapes(), all, reading.longestHoleSeconds()),
              List.of(), "Raise the scrape interval, or find out why /metrics answers late."));
    }
  }

  private static void addFrozen(
      List<Finding> findings,
      EngineReading reading,
      double interval,
      List<Timeline.Track> clientTracks) {
    double limit = FROZEN_INTERVALS * interval;
    for (EngineColumns columns : reading.columns().values()) {
      double[] still = longestStill(columns, clientTracks);
      double length = still[1] - still[0];
      if (length > limit && (length > SLOW_SOURCE_SECONDS || neverGrew(columns))) {
        findings.add(
            new Finding("frozen_exporter", Severity.INVALID,
                String.format(
                    Locale.ROOT,
                    "The engine's counters stood still from %.1f s to %.1f s although tokens"
                        + " arrived at the client.",
                    still[0], still[1]),
                List.of(), "metrics_url may show another server, or a frozen copy."));
      }
    }
  }

  private static boolean neverGrew(EngineColumns columns) {
    return columns.byOwner().values().stream()
        .flatMapToDouble(
            table -> Arrays.stream(table.values(EngineColumns.GENERATION_TOKENS)))
        .noneMatch(growth -> growth > 0);
  }

  /** Longest stretch without growth of any engine in which the client received chunks. */
  private static double[] longestStill(
      EngineColumns columns, List<Timeline.Track> clientTracks) {
    List<ScrapeColumns> tables = List.copyOf(columns.byOwner().values());
    double[] longest = {0, 0};
    if (tables.isEmpty()) {
      return longest;
    }
    double[] seconds = tables.get(0).seconds();
    List<double[]> growths =
        tables.stream().map(table -> table.values(EngineColumns.GENERATION_TOKENS)).toList();
    double from = Double.NaN;
    for (int i = 0; i < seconds.length; i++) {
      if (grew(growths, i)) {
        from = seconds[i];
      } else if (seconds[i] - from > longest[1] - longest[0]
          && received(clientTracks, from, seconds[i])) {
        longest = new double[] {from, seconds[i]};
      }
      from = Double.isNaN(from) ? seconds[i] : from;
    }
    return longest;
  }

  private static boolean grew(List<double[]> growths, int row) {
    for (double[] growth : growths) {
      if (row >= growth.length || Double.isNaN(growth[row]) || growth[row] > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether chunks arrived well inside a stretch: in more than two whole bins. */
  private static boolean received(List<Timeline.Track> tracks, double from, double to) {
    return tracks.stream()
        .filter(track -> track.name().equals("chunks_per_second"))
        .anyMatch(
            track -> {
              double half = track.seconds().length > 0 ? track.seconds()[0] : 0;
              int bins = 0;
              for (int i = 0; i < track.seconds().length; i++) {
                double middle = track.seconds()[i];
                boolean inside = middle - half >= from && middle + half <= to;
                bins += inside && track.values()[i] > 0 ? 1 : 0;
              }
              return bins > 2;
            });
  }
}
