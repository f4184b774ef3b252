package tallystick.analysis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import tallystick.analysis.client.ClientFrame;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.StreamingEvidence;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.EngineTotals;
import tallystick.analysis.exporters.Exporters;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;

/**
 * A run's rows, read file by file: harness first, because it tells the window; scrapes
 * next, because they tell the batches, and the plan beside them; spans before the requests they
 * are joined to.
 */
record RunReading(
    RunRows rows,
    HarnessAccount harness,
    MeasuredWindow window,
    ScrapeReading scrapes,
    EngineTotals totals,
    ClientSide client,
    TraceJoiner traces,
    StreamingEvidence witness,
    Exporters exporters) {

  static RunReading of(RunRows rows) {
    return of(rows, marks -> (row, choices) -> { });
  }

  /** The same, while another reader takes the requests; it is made anew if they are read again. */
  static RunReading of(RunRows rows, Function<RunMarks, RequestReader> made) {
    RunReading run = of(rows, made, true);
    return run.client().isPhaseMistaken() ? of(rows, made, false) : run;
  }

  private static RunReading of(
      RunRows rows, Function<RunMarks, RequestReader> made, boolean sharesPhase) {
    Settings settings = rows.settings();
    HarnessAccount harness = new HarnessAccount();
    rows.eachHarness(harness::read);
    MeasuredWindow window = window(rows, harness);
    if (harness.at(HarnessRow.Mark.Kind.WINDOW_ORIGIN).isPresent() || window.isEstimated()) {
      rows.eachHarness(row -> harness.measure(row, window));
    }
    CompletableFuture<PlanTable> plan = CompletableFuture.supplyAsync(rows::plan);
    ScrapeReading scrapes = ScrapeReading.of(rows, harness, window);
    EngineTotals totals = new EngineTotals(scrapes.reading().targets().values());
    long lastNanos = lastNanos(settings, harness, window);
    ClientSide client =
        ClientSide.of(
            settings,
            new ClientFrame(
                window,
                plan.join(),
                TimeBatches.of(scrapes.reading().loadSeconds(), expectedRequests(rows, harness)),
                scrapes.reading().loadSeconds(),
                lastNanos,
                sentUntilNanos(rows.settings(), harness, window),
                totals.edges(MetricConcept.TTFT),
                totals.edges(MetricConcept.E2E),
                totals.edges(MetricConcept.ITL),
                harness.still(),
                sharesPhase));
    StreamingEvidence witness = new StreamingEvidence(window, scrapes.reading().secondsUnderLoad());
    TraceJoiner traces = new TraceJoiner(TimeUnits.between(window.originNanos(), lastNanos));
    rows.eachSpan(traces::read);
    RequestReader beside =
        made.apply(new RunMarks(
            harness.at(HarnessRow.Mark.Kind.WINDOW_ORIGIN),
            harness.at(HarnessRow.Mark.Kind.STOPPED)));
    RunReading run =
        new RunReading(
            rows, harness, window, scrapes, totals, client, traces, witness,
            Exporters.of(rows, window));
    rows.eachRequest(
        row -> {
          int choices = rows.choices(row.index());
          beside.read(row, choices);
          run.read(row, choices);
        });
    client.end();
    return run;
  }

  private void read(RequestRow row, int choices) {
    if (client.check().isRepeated(row)) {
      return;
    }
    boolean isMeasured = window.measures(row);
    traces.read(row, isMeasured, choices);
    if (isMeasured) {
      client.read(row, choices);
      witness.read(row);
    } else {
      scrapes.staleStart().read(row);
    }
  }

  /**
   * Whether it is known how many requests were sent: a load that was killed noted what it had sent
   * up to a second before.
   */
  boolean isSentTold() {
    boolean isDrained = harness.at(HarnessRow.Mark.Kind.WINDOW_DRAINED).isPresent();
    return switch (manifest().ending().state()) {
      case COMPLETED, INTERRUPTED, STOPPED -> true;
      case FAILED -> isDrained || harness.at(HarnessRow.Mark.Kind.WINDOW_ORIGIN).isEmpty();
      case OPEN -> isDrained;
    };
  }

  /** The engines that answer; those of a prefill pool are apart. */
  EngineReading reading() {
    return scrapes.reading();
  }

  Manifest manifest() {
    return rows.manifest();
  }

  Settings settings() {
    return rows.settings();
  }

  /** The window the marks tell; without marks that of the requests, at the price of one pass. */
  private static MeasuredWindow window(RunRows rows, HarnessAccount harness) {
    MeasuredWindow told = harness.window(rows.settings());
    if (harness.at(HarnessRow.Mark.Kind.WINDOW_ORIGIN).isPresent()) {
      return told;
    }
    long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
    rows.eachRequest(
        row -> {
          if (told.measures(row)) {
            ends[0] = Math.min(ends[0], row.times().intended());
            ends[1] = Math.max(ends[1], row.times().ended());
          }
        });
    return ends[0] > ends[1] ? told : told.estimated(ends[0], ends[1]);
  }

  private static long expectedRequests(RunRows rows, HarnessAccount harness) {
    long sent = harness.lastProgress().sent();
    if (rows.plannedRequests() == 0) {
      return sent;
    }
    return sent > 0 ? Math.min(sent, rows.plannedRequests()) : rows.plannedRequests();
  }

  private static long sentUntilNanos(
      Settings settings, HarnessAccount harness, MeasuredWindow window) {
    if (!settings.timing().isBounded() || window.drainedNanos() == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    long planned = window.originNanos() + settings.timing().durationNanos();
    return Math.min(planned, harness.at(HarnessRow.Mark.Kind.STOPPED).orElse(planned));
  }

  /** When the window ended, as far as known before the requests are read. */
  private static long lastNanos(Settings settings, HarnessAccount harness, MeasuredWindow window) {
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
