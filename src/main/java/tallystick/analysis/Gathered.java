package tallystick.analysis;

import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RunRows;

/**
 * A run's rows after one pass over each file: harness first, because it tells the window; scrapes
 * next, because they tell the batches; spans before the requests they are joined to.
 */
record Gathered(
    RunRows rows,
    HarnessAccount harness,
    Window window,
    EngineReading reading,
    EngineTotals totals,
    ClientSide client,
    TraceJoiner traces) {

  static Gathered of(RunRows rows) {
    Settings settings = rows.settings();
    HarnessAccount harness = new HarnessAccount();
    rows.eachHarness(harness::read);
    Window window = Window.of(settings, harness);
    EngineReading reading =
        new EngineReading(window, rows.manifest(), settings.timing().scrapeIntervalNanos());
    rows.eachScrape(reading::read);
    TimeBatches batches =
        TimeBatches.of(reading.loadSeconds(), expectedRequests(rows, harness));
    ClientSide client =
        ClientSide.of(settings, window, batches, lastNanos(settings, harness, window));
    TraceJoiner traces = new TraceJoiner();
    rows.eachSpan(traces::read);
    rows.eachRequest(
        row -> {
          boolean isMeasured = window.measures(row);
          int choices = rows.choices(row.index());
          traces.read(row, isMeasured, choices);
          if (isMeasured) {
            client.read(row, choices);
          }
        });
    return new Gathered(
        rows, harness, window, reading, new EngineTotals(reading.targets().values()), client,
        traces);
  }

  Manifest manifest() {
    return rows.manifest();
  }

  Settings settings() {
    return rows.settings();
  }

  private static long expectedRequests(RunRows rows, HarnessAccount harness) {
    long sent = harness.lastProgress().sent();
    return sent > 0 ? Math.min(sent, rows.plannedRequests()) : rows.plannedRequests();
  }

  /** When the window ended, as far as known before the requests are read. */
  private static long lastNanos(Settings settings, HarnessAccount harness, Window window) {
    if (window.drainedNanos() != Long.MAX_VALUE) {
      return window.drainedNanos();
    }
    long planned =
        settings.timing().isBounded()
            ? window.originNanos() + settings.timing().durationNanos()
            : 0;
    return Math.max(harness.lastNoteNanos(), planned);
  }
}
