package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.Finding.Severity;
import tallystick.runrecord.ScrapeRow;

/**
 * How far each server's wall clock is from the client's, from the {@code Date} of its scrapes. No
 * duration mixes the two; but an engine may time its own requests with a wall clock, so one that is
 * set during a run spoils the engine's figures.
 *
 * <p>A date D read between the client's moments a and b says that the server's clock showed D to
 * D + 2 s in between, so the offset lies between D - b and D + 2 s - a. All scrapes together narrow
 * it to little more than a second.
 */
final class ServerClock {
  /** A whole second of resolution, and servers may renew the header only once a second. */
  private static final double DATE_WIDTH_SECONDS = 2;

  private static final double NOTEWORTHY_SECONDS = 2;

  /** Sound clocks drift apart no faster. */
  private static final double DRIFT = 1e-4;

  private final double originUtcSeconds;
  private final Map<Integer, Bounds> targets = new TreeMap<>();

  private static final class Bounds {
    private double low = Double.NEGATIVE_INFINITY;
    private double high = Double.POSITIVE_INFINITY;
    private double first = Double.NaN;
    private double last;
    private long dates;

    private void add(double startedSeconds, double endedSeconds, double date) {
      low = Math.max(low, date - endedSeconds);
      high = Math.min(high, date + DATE_WIDTH_SECONDS - startedSeconds);
      first = Double.isNaN(first) ? startedSeconds : first;
      last = endedSeconds;
      dates++;
    }
  }

  /** Nothing read so far; the origin ties the client's clock to UTC. */
  ServerClock(long originUtcNanos) {
    originUtcSeconds = originUtcNanos / 1e9;
  }

  void read(ScrapeRow row) {
    if (row.dateUtcSeconds() != ScrapeRow.NO_DATE && originUtcSeconds > 0) {
      targets
          .computeIfAbsent(row.target(), any -> new Bounds())
          .add(
              originUtcSeconds + row.startedNanos() / 1e9,
              originUtcSeconds + row.endedNanos() / 1e9,
              row.dateUtcSeconds());
    }
  }

  /** What a reader must know; empty where every clock is near and went evenly. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    targets.forEach((index, bounds) -> add(findings, index, bounds));
    return findings;
  }

  private static void add(List<Finding> findings, int target, Bounds bounds) {
    if (bounds.low > bounds.high + DRIFT * (bounds.last - bounds.first)) {
      findings.add(
          new Finding("server_clock_stepped", Severity.WARNING,
              String.format(
                  Locale.ROOT,
                  "The wall clock of target %d was set by at least %.2f s during the run, or"
                      + " several servers answer for it.",
                  target, bounds.low - bounds.high),
              List.of(bounds.dates + " Date headers fit no single offset"),
              "vLLM times TTFT and E2E with this clock: do not read the engine's side of them."
                  + " The client's figures are not touched."));
      return;
    }
    if (bounds.low > NOTEWORTHY_SECONDS || bounds.high < -NOTEWORTHY_SECONDS) {
      findings.add(
          new Finding("server_clock_offset", Severity.NOTE,
              String.format(
                  Locale.ROOT,
                  "The clock of target %d is between %+.2f and %+.2f s of the client's (from %d"
                      + " Date headers).",
                  target, bounds.low, bounds.high, bounds.dates),
              List.of(),
              "No figure mixes the two clocks; add the offset to find a moment in its log."));
    }
  }
}
