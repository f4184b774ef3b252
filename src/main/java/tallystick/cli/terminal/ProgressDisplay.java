package tallystick.cli.terminal;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.run.Progress;

/**
 * Shows how far a run is: on a terminal a view of both sides that is drawn anew in its place, where
 * it is narrow one such line, elsewhere a plain line every few seconds. One thread.
 */
public final class ProgressDisplay {
  /** Lines in a log come seconds apart at first, and half a minute apart in a long run. */
  private static final long SOONEST_NANOS = 5_000_000_000L;

  private static final long LATEST_NANOS = 30_000_000_000L;
  private static final int LEAST_COLUMNS = 60;
  private static final int USUAL_COLUMNS = 80;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter out;
  private final Form form;
  private final int columns;
  private final LiveView view;
  private Progress.Stage lastStage;
  private long lastShownNanos;
  private int drawn;

  /** How progress is shown. */
  private enum Form {
    SILENT,
    PLAIN,
    RENEWED
  }

  private ProgressDisplay(PrintWriter out, Form form, int columns) {
    this.out = out;
    this.form = form;
    this.columns = columns;
    this.view = new LiveView(columns);
  }

  /** Prints a plain line now and then. */
  static ProgressDisplay plain(PrintWriter out) {
    return new ProgressDisplay(out, Form.PLAIN, USUAL_COLUMNS);
  }

  /** Prints nothing. */
  public static ProgressDisplay silent() {
    return new ProgressDisplay(
        new PrintWriter(Writer.nullWriter()), Form.SILENT, USUAL_COLUMNS);
  }

  /** Draws in place, on a terminal of so many columns. */
  static ProgressDisplay onTerminal(PrintWriter out, int columns) {
    return new ProgressDisplay(out, Form.RENEWED, columns);
  }

  /** What suits where the output goes, as the launcher found it. */
  public static ProgressDisplay of(PrintWriter out) {
    return Boolean.getBoolean("tally.live")
        ? onTerminal(out, Integer.getInteger("tally.columns", USUAL_COLUMNS))
        : plain(out);
  }

  /** Shows how far the run is now. */
  public void show(Progress progress) {
    switch (form) {
      case SILENT -> {}
      case PLAIN -> print(progress);
      case RENEWED -> draw(progress);
    }
    lastStage = progress.stage();
  }

  private void print(Progress progress) {
    long apart = Math.clamp(progress.elapsedNanos() / 4, SOONEST_NANOS, LATEST_NANOS);
    if (progress.stage() != lastStage || progress.elapsedNanos() - lastShownNanos >= apart) {
      lastShownNanos = progress.elapsedNanos();
      out.println(line(progress));
      out.flush();
    }
  }

  private void draw(Progress progress) {
    List<String> lines = new ArrayList<>();
    if (columns >= LEAST_COLUMNS) {
      view.take(progress);
      lines.add(cut(stage(progress)));
      lines.addAll(view.lines());
    } else {
      lines.add(cut(line(progress)));
    }
    String up = drawn == 0 ? "" : "\u001b[" + drawn + "A";
    TerminalWriter.styled(
        out, up + "\r" + String.join("\u001b[K\n", lines) + "\u001b[K\n");
    drawn = lines.size();
    out.flush();
  }

  /** What follows stands below the last drawing. */
  public void close() {
    drawn = 0;
  }

  static String line(Progress progress) {
    return stage(progress) + (hasLoad(progress) ? firstTokens(progress) : "")
        + engine(progress.engine());
  }

  private static boolean hasLoad(Progress progress) {
    return switch (progress.stage()) {
      case WARMUP, MEASURING -> true;
      case WAITING_FOR_QUIET, REHEARSING, DRAINING, CLOSING -> false;
    };
  }

  private static String stage(Progress progress) {
    String time = seconds(progress.elapsedNanos());
    if (progress.totalNanos() > 0 && progress.totalNanos() < Long.MAX_VALUE / 8) {
      time += "/" + seconds(progress.totalNanos());
    }
    return switch (progress.stage()) {
      case WAITING_FOR_QUIET -> "waiting for a quiet engine " + time;
      case REHEARSING -> "warming the client up " + time;
      case DRAINING -> "waiting for the engine to settle " + time;
      case CLOSING -> "closing the record";
      case WARMUP -> "warm-up " + time + requests(progress);
      case MEASURING -> "load " + time + requests(progress);
    };
  }

  private static String requests(Progress progress) {
    String of = progress.planned() > 0 ? "/" + progress.planned() : "";
    return "  sent " + progress.sent() + of
        + "  in flight " + progress.inFlight()
        + "  ok " + progress.ok() + "  failed " + progress.failed()
        + (progress.left() > 0 ? "  left " + progress.left() : "");
  }

  private static String firstTokens(Progress progress) {
    double mean = progress.waits().firstToken();
    return Double.isNaN(mean)
        ? ""
        : "  TTFT mean " + millis(mean) + " max " + millis(progress.largestFirstTokenSeconds());
  }

  private static String engine(Progress.EngineGauges engine) {
    if (Double.isNaN(engine.waiting())) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "  | run %s wait %s KV %s%% preempt %s",
        count(engine.running()),
        count(engine.waiting()),
        count(engine.kvCacheUsageRatio() * 100),
        count(engine.preemptions()));
  }

  /** What an engine shows may be no count at all. */
  private static String count(double exposed) {
    return exposed >= 0 && Double.isFinite(exposed)
        ? String.format(Locale.ROOT, "%.0f", exposed)
        : "?";
  }

  private static String millis(double seconds) {
    return seconds < 10
        ? String.format(Locale.ROOT, "%.0fms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.1fs", seconds);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.0fs", nanos / NANOS_PER_SECOND);
  }

  private String cut(String line) {
    return line.length() < columns ? line : line.substring(0, Math.max(0, columns - 1));
  }
}
