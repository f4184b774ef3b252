package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Formatted;

/**
 * How far each server's wall clock is from the client's, from the {@code Date} of its scrapes. No
 * duration mixes the two; but an engine may time its own requests with a wall clock, so one that is
 * set during a run spoils the engine's figures.
 *
 * <p>A date may be old, because servers renew the header now and then only and later under load
 * (uvicorn's was seen 2.35 s old), but never new: one that says D, read at the client's moment b,
 * puts the offset at D - b or above. From the other side the freshest of many dates bounds it.
 */
final class ServerClock {
  /** A whole second of resolution, and two that the freshest of a stretch's dates may be old. */
  private static final double WIDTH_SECONDS = 3;

  /** Of so many dates one is fresh. */
  private static final int FEWEST = 20;

  private static final double NOTEWORTHY_SECONDS = 2; // clocks that NTP keeps lie far closer

  /** A busy server's dates are hardly older. */
  private static final double OLDEST_SECONDS = 10;

  /** Sound clocks drift apart no faster. */
  private static final double DRIFT = 1e-4;

  private final double originUtcSeconds;
  private final Map<Integer, Offsets> targets = new TreeMap<>();

  /** What the dates of one server say the offset is at least, in the order of the scrapes. */
  private static final class Offsets {
    private final List<Double> least = new ArrayList<>();
    private double first = Double.NaN;
    private double last;

    private void add(double endedSeconds, double date) {
      least.add(date - endedSeconds);
      first = Double.isNaN(first) ? endedSeconds : first;
      last = endedSeconds;
    }

    private double low() {
      return Collections.max(least);
    }

    /** Whether most dates fit one offset; a clock that was set near an end of the run fits none. */
    private boolean isOne() {
      double oldest = low() - OLDEST_SECONDS;
      long near = least.stream().filter(each -> each > oldest).count();
      return near >= Math.max(FEWEST, least.size() / 2);
    }

    /** By how much more than its dates' age explains the offset differs before and after. */
    private double step() {
      int count = least.size();
      double[] later = new double[count + 1];
      later[count] = Double.NEGATIVE_INFINITY;
      for (int i = count - 1; i >= 0; i--) {
        later[i] = Math.max(later[i + 1], least.get(i));
      }
      double before = Double.NEGATIVE_INFINITY;
      double largest = 0;
      for (int i = 0; i <= count - FEWEST; i++) {
        if (i >= FEWEST) {
          largest = Math.max(largest, Math.abs(later[i] - before));
        }
        before = Math.max(before, least.get(i));
      }
      return largest - WIDTH_SECONDS - DRIFT * (last - first);
    }
  }

  /** Nothing read so far; the origin ties the client's clock to UTC. */
  ServerClock(long originUtcNanos) {
    originUtcSeconds = originUtcNanos / 1e9;
  }

  void read(ScrapeRow row) {
    if (row.dateUtcSeconds() != ScrapeRow.NO_DATE && originUtcSeconds > 0) {
      targets
          .computeIfAbsent(row.target(), any -> new Offsets())
          .add(originUtcSeconds + row.endedNanos() / 1e9, row.dateUtcSeconds());
    }
  }

  /** What a reader must know; empty where every clock is near and went evenly. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    targets.forEach(
        (index, offsets) -> {
          if (offsets.least.size() >= FEWEST) {
            add(findings, index, offsets);
          }
        });
    return findings;
  }

  private static void add(List<Finding> findings, int target, Offsets offsets) {
    String dates = offsets.least.size() + " Date headers";
    if (offsets.step() > 0) {
      findings.add(new Finding(Code.SERVER_CLOCK_STEPPED,
          Formatted.of(
              "The wall clock of target %d was set by at least %.2f s during the run, or"
                  + " several servers answer for it.",
              target, offsets.step()),
          List.of(dates + " fit no single offset, even where they are old"),
          "vLLM times TTFT and E2E with this clock: do not use the engine's TTFT and E2E. The"
              + " client's figures are not affected."));
      return;
    }
    double low = offsets.low();
    double high = low + WIDTH_SECONDS;
    if (offsets.isOne() && (low > NOTEWORTHY_SECONDS || high < -NOTEWORTHY_SECONDS)) {
      findings.add(new Finding(Code.SERVER_CLOCK_OFFSET,
          Formatted.of(
              "The clock of target %d is between %+.2f and %+.2f s of the client's (from %s).",
              target, low, high, dates),
          "No figure mixes the two clocks. Add the offset to find a moment in the engine's"
              + " log."));
    }
  }
}
