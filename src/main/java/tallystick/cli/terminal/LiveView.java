package tallystick.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.run.Progress;
import tallystick.run.Progress.Waits;

/** Both sides of a run while it goes on: its latest figures, each beside its last minute. */
final class LiveView {
  private static final int NAME = 10;
  private static final int FIGURE = 9;
  private static final int BETWEEN = 2;
  private static final int MOST_BARS = 60;

  private final Sparkline clientFirst = new Sparkline(Sparkline.Form.SECONDS);
  private final Sparkline engineFirst = new Sparkline(Sparkline.Form.SECONDS);
  private final Sparkline clientGap = new Sparkline(Sparkline.Form.SECONDS);
  private final Sparkline engineGap = new Sparkline(Sparkline.Form.SECONDS);
  private final Sparkline inFlight = new Sparkline(Sparkline.Form.COUNT);
  private final Sparkline running = new Sparkline(Sparkline.Form.COUNT);
  private final Sparkline waiting = new Sparkline(Sparkline.Form.COUNT);
  private final Sparkline usage = new Sparkline(Sparkline.Form.SHARE);
  private final Sparkline preempted = new Sparkline(Sparkline.Form.COUNT);
  private final int bars;
  private Progress before;

  LiveView(int columns) {
    bars = Math.min(MOST_BARS, (columns - 1 - NAME - BETWEEN) / 2 - FIGURE - 1);
  }

  /** Takes what is known now; once a second. */
  void take(Progress now) {
    boolean isSameLoad = before != null && before.stage() == now.stage();
    Waits client = isSameLoad ? now.waits().since(before.waits()) : Waits.NONE;
    Waits engine =
        before == null ? Waits.NONE : now.engine().waits().since(before.engine().waits());
    clientFirst.add(client.firstToken());
    clientGap.add(client.gap());
    engineFirst.add(engine.firstToken());
    engineGap.add(engine.gap());
    inFlight.add(now.inFlight());
    running.add(now.engine().running());
    waiting.add(now.engine().waiting());
    usage.add(now.engine().kvCacheUsageRatio());
    preempted.add(
        before == null
            ? Double.NaN
            : now.engine().preemptions() - before.engine().preemptions());
    before = now;
  }

  /** A line for each figure, the client's on the left and the engine's on the right. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(row("", "client", "", "engine", ""));
    lines.add(row("TTFT", clientFirst, engineFirst));
    lines.add(row("ITL", clientGap, engineGap));
    lines.add(row("running", inFlight, running));
    lines.add(row("waiting", waiting.latest(), waiting));
    lines.add(row("KV cache", usage.latest(), usage));
    lines.add(
        row(
            "preempted",
            String.format(Locale.ROOT, "%.0f", before.engine().preemptions()).replace("NaN", "-"),
            preempted));
    return lines;
  }

  private String row(String name, Sparkline client, Sparkline engine) {
    return row(name, client.latest(), client.bars(bars), engine.latest(), engine.bars(bars));
  }

  private String row(String name, String latest, Sparkline engine) {
    return row(name, "", "", latest, engine.bars(bars));
  }

  private String row(String name, String left, String leftBars, String right, String rightBars) {
    String form =
        "%-" + NAME + "s%" + FIGURE + "s %-" + bars + "s" + " ".repeat(BETWEEN) + "%" + FIGURE
            + "s %s";
    return String.format(Locale.ROOT, form, name, left, leftBars, right, rightBars).stripTrailing();
  }
}
