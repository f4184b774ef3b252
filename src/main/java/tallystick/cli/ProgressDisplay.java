package tallystick.cli;

import java.io.PrintWriter;
import java.util.Locale;
import tallystick.run.Progress;

/**
 * Shows how far a run is: one line that renews itself on a terminal, a plain line every few seconds
 * elsewhere. One thread.
 */
final class ProgressDisplay {
  private static final long PLAIN_EVERY_NANOS = 5_000_000_000L;
  private static final int COLUMNS = 100;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter out;
  private final boolean isTerminal;
  private Progress.Stage lastStage;
  private long lastShownNanos;
  private boolean isLineOpen;

  ProgressDisplay(PrintWriter out, boolean isTerminal) {
    this.out = out;
    this.isTerminal = isTerminal;
  }

  void show(Progress progress) {
    String line = line(progress);
    if (isTerminal) {
      TerminalWriter.styled(out, "\r" + pad(line));
      isLineOpen = true;
    } else if (progress.stage() != lastStage
        || progress.elapsedNanos() - lastShownNanos >= PLAIN_EVERY_NANOS) {
      lastShownNanos = progress.elapsedNanos();
      out.println(line);
    }
    lastStage = progress.stage();
    out.flush();
  }

  /** Leaves the renewed line, so that what follows starts on its own. */
  void close() {
    if (isLineOpen) {
      out.println();
      out.flush();
    }
  }

  static String line(Progress progress) {
    String time = seconds(progress.elapsedNanos());
    if (progress.totalNanos() > 0 && progress.totalNanos() < Long.MAX_VALUE / 8) {
      time += "/" + seconds(progress.totalNanos());
    }
    StringBuilder line = new StringBuilder();
    switch (progress.stage()) {
      case WAITING_FOR_QUIET -> line.append("waiting for a quiet engine ").append(time);
      case DRAINING -> line.append("waiting for the engine to settle ").append(time);
      case CLOSING -> line.append("closing the record");
      case WARMUP -> line.append("warm-up ").append(time).append(requests(progress));
      case MEASURING -> line.append("load ").append(time).append(requests(progress));
    }
    return line.append(engine(progress.engine())).toString();
  }

  private static String requests(Progress progress) {
    StringBuilder text = new StringBuilder();
    text.append("  sent ").append(progress.sent()).append('/').append(progress.planned());
    text.append("  in flight ").append(progress.inFlight());
    text.append("  ok ").append(progress.ok()).append("  failed ").append(progress.failed());
    if (!Double.isNaN(progress.meanFirstTokenSeconds())) {
      text.append("  TTFT mean ").append(millis(progress.meanFirstTokenSeconds()));
      text.append(" max ").append(millis(progress.largestFirstTokenSeconds()));
    }
    return text.toString();
  }

  private static String engine(Progress.EngineGauges engine) {
    if (Double.isNaN(engine.waiting())) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "  | run %.0f wait %.0f KV %.0f%% preempt %.0f",
        engine.running(),
        engine.waiting(),
        engine.kvCacheUsageRatio() * 100,
        engine.preemptions());
  }

  private static String millis(double seconds) {
    return seconds < 10
        ? String.format(Locale.ROOT, "%.0fms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.1fs", seconds);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.0fs", nanos / NANOS_PER_SECOND);
  }

  private static String pad(String line) {
    String cut = line.length() > COLUMNS ? line.substring(0, COLUMNS) : line;
    return cut + " ".repeat(COLUMNS - cut.length());
  }
}
