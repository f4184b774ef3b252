package tallystick.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RunRows;

/** Turns the rows of one run into everything the product says about it; one pass over each file. */
public final class Analyzer {
  private final RunRows rows;
  private final Manifest manifest;
  private final Settings settings;
  private final HarnessAccount harness = new HarnessAccount();
  private final Optional<Stretch> baseline;
  private Optional<Stretch> healthy = Optional.empty();
  private final List<Finding> findings = new ArrayList<>();

  private Analyzer(RunRows rows, Optional<Stretch> baseline) {
    this.rows = rows;
    this.baseline = baseline;
    this.manifest = rows.manifest();
    this.settings = rows.settings();
  }

  /**
   * The analysis of a run. Sections the record cannot carry say why they are missing; nothing is
   * estimated in silence.
   */
  public static RunAnalysis analyze(RunRows rows) {
    return new Analyzer(rows, Optional.empty()).analysis();
  }

  /**
   * The same, with the first healthy phase of another run as the reference of the interpretation.
   */
  public static RunAnalysis analyze(RunRows rows, RunRows baselineRun) {
    Analyzer reference = new Analyzer(baselineRun, Optional.empty());
    reference.analysis();
    Optional<Stretch> stretch =
        reference.healthy.map(found -> found.named("run " + baselineRun.manifest().runId()));
    return new Analyzer(rows, stretch).analysis();
  }

  private RunAnalysis analysis() {
    rows.eachHarness(harness::read);
    Window window = Window.of(settings, harness);
    EngineReading reading =
        new EngineReading(window, manifest, settings.timing().scrapeIntervalNanos());
    rows.eachScrape(reading::read);
    EngineTotals totals = new EngineTotals(reading.targets().values());
    TimeBatches batches = TimeBatches.of(reading.loadSeconds(), expectedRequests());
    ClientSide client = readRequests(window, batches);
    return judged(window, reading, totals, client);
  }

  private RunAnalysis judged(
      Window window, EngineReading reading, EngineTotals totals, ClientSide client) {
    RunAnalysis.EngineAccount engine = EngineSummary.of(reading, totals);
    RunAnalysis.Counts counts =
        client.counts().counts(rows.plannedRequests(), harness.lastProgress().sent());
    client.tally().lost(Math.max(0, counts.sent() - counts.ended()));
    RunAnalysis.HarnessHealth health = judgeHarness(client);
    List<Timeline.Track> clientTracks = client.timeline().tracks();
    findings.addAll(
        new RunFindings(manifest, settings, counts, client, harness)
            .all(rows.faults(), health.droppedRows()));
    findings.addAll(EngineFindings.of(engine, reading, settings, manifest, clientTracks));
    Reconciliation reconciliation = reconcile(engine, totals, client, window, reading);
    Waterfall waterfall =
        new Waterfall(
            client.batches(),
            new EngineBatches(client.batches().batches(), reading),
            totals,
            client.tally());
    List<RunAnalysis.Comparison> comparisons =
        new Comparisons(client, totals, engine.distributions(), waterfall.meanGaps()).all();
    StallAnalysis stalls = studyStalls(window, reading, engine, client);
    List<PhaseAnalysis> phases =
        client.phases().stream()
            .map(samples -> new PhaseJudge(samples, window, settings.loop()).analysis())
            .toList();
    StretchChoice choice =
        new StretchChoice(
            new StretchReader(new IntervalGrid(reading), window, engine),
            client.phases(),
            phases);
    healthy = choice.healthiest();
    LoadAccount load =
        new LoadSummary(client.counts(), totals, engine)
            .account(counts.completionTokensPerSecond());
    findings.sort(Comparator.comparing(Finding::severity));
    return new RunAnalysis(
        RunAnalysis.CURRENT_FORMAT,
        RunDescription.of(manifest, settings, window, client.counts()),
        findings,
        counts,
        client.latencies().latencies(),
        engine,
        reconciliation,
        comparisons,
        client.objectives().fromIntended(),
        new Timeline(
            client.timeline().binSeconds(), clientTracks, EngineTimeline.tracks(reading)),
        health,
        waterfall.all(),
        stalls,
        load,
        phases,
        interpret(choice));
  }

  private Interpretation interpret(StretchChoice choice) {
    Optional<StretchChoice.Pair> pair =
        baseline.isPresent()
            ? choice.worst().map(worst -> new StretchChoice.Pair(worst, baseline.get()))
            : choice.withinTheRun();
    return pair.map(both -> new Interpreter(both.judged(), both.reference()).interpret())
        .orElse(
            Interpretation.absent(
                "nothing to compare with: one level of load, no healthy phase, or fewer than "
                    + SignalCheck.FEWEST
                    + " requests in it; a baseline run would serve"));
  }

  private StallAnalysis studyStalls(
      Window window,
      EngineReading reading,
      RunAnalysis.EngineAccount engine,
      ClientSide client) {
    EngineDistribution itl = engine.distributions().get("itl");
    boolean lostScrapes =
        findings.stream().anyMatch(finding -> finding.code().equals("lost_scrapes"));
    return new StallStudy(
            new IntervalGrid(reading),
            window,
            client.stalls(),
            client.latencies().chunkGaps(),
            harness)
        .analyze(itl == null ? List.of() : itl.buckets(), lostScrapes);
  }

  private long expectedRequests() {
    long sent = harness.lastProgress().sent();
    return sent > 0 ? Math.min(sent, rows.plannedRequests()) : rows.plannedRequests();
  }

  private RunAnalysis.HarnessHealth judgeHarness(ClientSide client) {
    HarnessHealthCheck check =
        new HarnessHealthCheck(settings, harness, client.latencies().lateness());
    long dropped = Math.max(harness.droppedRows(), manifest.ending().droppedRows());
    RunAnalysis.HarnessHealth health =
        check.judge(
            client.objectives().fromIntended(), client.objectives().fromStart(), dropped);
    findings.addAll(saturation(check));
    return health;
  }

  private ClientSide readRequests(Window window, TimeBatches batches) {
    ClientSide client = ClientSide.of(settings, window, batches, lastNanos(window));
    rows.eachRequest(
        row -> {
          if (window.measures(row)) {
            client.read(row, rows.choices(row.index()));
          }
        });
    return client;
  }

  /** When the window ended, as far as known before the requests are read. */
  private long lastNanos(Window window) {
    if (window.drainedNanos() != Long.MAX_VALUE) {
      return window.drainedNanos();
    }
    long planned =
        settings.timing().isBounded()
            ? window.originNanos() + settings.timing().durationNanos()
            : 0;
    return Math.max(harness.lastNoteNanos(), planned);
  }

  private Reconciliation reconcile(
      RunAnalysis.EngineAccount engine,
      EngineTotals totals,
      ClientSide client,
      Window window,
      EngineReading reading) {
    if (!engine.available() || client.counts().ended() == 0) {
      return new Reconciliation(Reconciliation.Verdict.NOT_CHECKED, List.of());
    }
    boolean stopStrings = settings.options().extraBody().contains("\"stop\"");
    List<Reconciliation.Row> ledger =
        new Ledger(client.tally(), totals, stopStrings).rows();
    List<Finding> faults =
        WindowFaults.of(window, harness, reading, manifest.targets().size());
    findings.addAll(faults);
    findings.addAll(
        new LedgerDiagnosis(ledger, client.tally(), client.counts().windowSeconds()).findings());
    return new Reconciliation(LedgerVerdict.of(ledger, faults), ledger);
  }

  private static List<Finding> saturation(HarnessHealthCheck check) {
    if (check.evidence().isEmpty()) {
      return List.of();
    }
    return List.of(
        new Finding(
            "client_saturated",
            Finding.Severity.INVALID,
            String.format(
                Locale.ROOT,
                "The harness itself was late: figures from the intended start hold up to %.1f ms"
                    + " and more of its own delay.",
                check.allowedSeconds() * 1e3),
            check.evidence(),
            "Lower the rate, share the load over more processes, or use another machine."));
  }
}
