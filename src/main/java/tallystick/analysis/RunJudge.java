package tallystick.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.change.Interpreter;
import tallystick.analysis.change.Period;
import tallystick.analysis.change.SignalCheck;
import tallystick.analysis.client.ClientSide;
import tallystick.analysis.client.ClientTally;
import tallystick.analysis.engine.EngineBatches;
import tallystick.analysis.engine.EngineFindings;
import tallystick.analysis.engine.EngineSummary;
import tallystick.analysis.engine.EngineTimeline;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.engine.ReplicaSummary;
import tallystick.analysis.engine.SlowReplicas;
import tallystick.analysis.engine.TargetReading;
import tallystick.analysis.exporters.HopMetrics;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.StallAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;

/** Judges a run whose rows have been gathered. */
final class RunJudge {
  /** Findings that gaps between stamps make: late stamps would blame the server for the client. */
  private static final Set<Code> FROM_STAMPS =
      EnumSet.of(
          Code.FAKE_STREAMING, Code.LATE_FIRST_CONTENT, Code.ANSWERS_AT_ONCE,
          Code.COALESCED_CHUNKS);

  /** So many times the reference's E2E is more than a stretch between two chance changes has. */
  private static final double FAR_SLOWER = 2;

  private final RunReading run;
  private final RunAnalysis.EngineAccount engine;
  private final RunAnalysis.Counts counts;
  private final NearCapacity capacity;
  private final List<PhaseAnalysis> phases;
  private final List<Finding> findings = new ArrayList<>();
  private final List<EngineStalls.Standstill> standstills;
  private boolean areStampsLate;

  RunJudge(RunReading run) {
    this.run = run;
    this.engine = EngineSummary.of(run.reading(), run.totals());
    this.counts =
        run.client()
            .counts()
            .counts(
                run.rows().plannedRequests(), run.harness().lastProgress().sent(),
                run.isSentTold());
    run.client().tally().lost(lostRequests());
    this.standstills = EngineStalls.of(run);
    this.capacity = new NearCapacity(new IntervalGrid(run.reading()), run.window());
    this.phases =
        run.client().phases().stream()
            .map(
                phase ->
                    new PhaseJudge(
                            phase, run.window(), run.settings().loop(), capacity.isNear(phase))
                        .analysis())
            .toList();
  }

  /** The analysis; a healthy phase of the run itself is the interpretation's reference. */
  RunAnalysis judge() {
    return judge(interpret(Optional.empty()));
  }

  /**
   * The analysis with another run as the interpretation's reference. One that has no healthy phase
   * is no reference, and nothing else stands in for it.
   */
  RunAnalysis judgeAgainst(RunJudge baselineRun) {
    return judge(
        baselineRun
            .choice()
            .healthiest()
            .map(found -> found.named("run " + baselineRun.run.manifest().runId()))
            .map(found -> interpret(Optional.of(found)))
            .orElseGet(
                () ->
                    Interpretation.absent(
                        "the baseline run has no phase that is not overloaded, violates no"
                            + " objective and has %s requests".formatted(SignalCheck.FEWEST))));
  }

  private RunAnalysis judge(Interpretation interpretation) {
    findings.clear();
    ClientSide client = run.client();
    RunAnalysis.HarnessHealth health = judgeHarness();
    List<Timeline.Track> clientTracks = clientTracks();
    findings.addAll(StandstillFindings.of(standstills));
    addFindings(health, clientTracks);
    Reconciliation reconciliation = reconcile();
    UnreconciledStamp stamp = new UnreconciledStamp(reconciliation.verdict());
    LatencyDecomposition waterfall =
        new LatencyDecomposition(
            client.batches(),
            new EngineBatches(client.batches().batches(), run.reading()),
            run.totals(),
            client.tally(), PrefillPool.of(run));
    List<Decomposition> decompositions = waterfall.all();
    List<Comparison> comparisons = compared(waterfall);
    findings.addAll(Comparisons.findings(comparisons));
    StallAnalysis stalls = studyStalls();
    ReplicaAccount replicas = replicas(reconciliation.rows());
    ExporterAccount surroundings = surroundings();
    findings.addAll(OutsideFindings.of(decompositions, comparisons, health.saturated()));
    new EngineDeath(run).tell(findings);
    findings.addAll(new SpeedMoves(run).findings(phases));
    findings.addAll(capacity.findings(client.phases(), phases));
    findings.sort(Comparator.comparing(Finding::severity));
    return new RunAnalysis(
        RunAnalysis.CURRENT_FORMAT,
        RunDescription.of(run.manifest(), run.settings(), run.window(), client.counts()),
        findings,
        counts,
        client.latencies().latencies(),
        engine,
        reconciliation,
        stamp.on(comparisons),
        objectives(),
        new Timeline(
            client.timeline().binSeconds(), clientTracks, EngineTimeline.tracks(run.reading())),
        health,
        stamp.onDecompositions(decompositions),
        stamp.on(stalls),
        new LoadSummary(client.counts(), run.totals(), engine)
            .account(counts.completionTokens(), replicas, client.goodRequests()),
        client.sessions().account(client.counts().windowSeconds()),
        phases,
        stamp.on(interpretation),
        stamp.on(
            TraceParts.of(run.traces(), run.harness().traceReception(), engine.distributions())),
        surroundings);
  }

  private List<Timeline.Track> clientTracks() {
    List<Timeline.Track> tracks = new ArrayList<>(run.client().timeline().tracks());
    tracks.addAll(run.client().sessions().tracks());
    tracks.addAll(run.harness().tracks(run.window()));
    return tracks;
  }

  private List<Comparison> compared(LatencyDecomposition waterfall) {
    boolean contradicts =
        findings.stream().anyMatch(finding -> finding.code() == Code.IMPOSSIBLE_HISTOGRAM);
    return new Comparisons(
            run.client(), run.totals(), engine.distributions(), waterfall.meanGaps())
        .all().stream()
            .map(one -> contradicts ? one.withoutTrust() : one)
            .toList();
  }

  /** A run of one phase is as loaded as that one; what piles up in a later step is told there. */
  private List<ObjectiveResult> objectives() {
    List<ObjectiveResult> all = run.client().objectives().fromIntended();
    return phases.size() == 1
        ? new QueueGuard(
                phases.getFirst().overload(),
                capacity.isNear(run.client().phases().getFirst()),
                run.client().phases().getFirst().phase().ramp())
            .judge(all)
        : all;
  }

  private ReplicaAccount replicas(List<Reconciliation.Row> ledger) {
    ReplicaAccount replicas =
        new ReplicaSummary(run.reading(), run.manifest().targets(), run.window()).account();
    findings.addAll(ReplicaSummary.findings(replicas));
    findings.addAll(
        SlowReplicas.findings(
            run.reading(), run.client().batches().batches(), run.manifest().targets()));
    FleetLifecycle fleet = new FleetLifecycle(run);
    findings.addAll(fleet.findings(ledger));
    return new ReplicaAccount(
        replicas.replicas(), replicas.busiestOverShare(), fleet.moves());
  }

  private RunAnalysis.HarnessHealth judgeHarness() {
    ClientSide client = run.client();
    HarnessHealthCheck check =
        new HarnessHealthCheck(run.settings(), run.harness(), run.window(), client);
    long dropped =
        Math.max(run.harness().droppedRows(), run.manifest().ending().droppedRows());
    ClientLimitCheck limit =
        new ClientLimitCheck(run.manifest(), run.harness(), run.window());
    RunAnalysis.HarnessHealth health =
        check.judge(dropped, limit);
    check.finding(limit.remedy()).ifPresent(findings::add);
    ClientLimitCheck.finding(health.limit()).ifPresent(findings::add);
    areStampsLate = check.areStampsLate();
    return health;
  }

  /** Requests that were sent or even written down, and have no row here. */
  private double lostRequests() {
    long cut = run.manifest().ending().requestRows() - run.client().check().rows();
    return switch (counts.withoutRow()) {
      case Figure.Known unwritten -> Math.max(0, Math.max(unwritten.value(), cut));
      case Figure.Unavailable any -> Double.POSITIVE_INFINITY;
    };
  }

  private void addFindings(RunAnalysis.HarnessHealth health, List<Timeline.Track> clientTracks) {
    Manifest manifest = run.manifest();
    findings.addAll(new RecordFindings(run, counts).all(health.droppedRows()));
    findings.addAll(
        new RunFindings(manifest, run.settings(), counts, run.client(), run.harness()).all());
    findings.addAll(run.client().shape().findings(clientTtft(), engineTtft()));
    if (areStampsLate) {
      findings.removeIf(finding -> FROM_STAMPS.contains(finding.code()));
    }
    findings.addAll(
        run.client().promptLengths().findings(manifest.prompts(), run.rows().hasConversations()));
    findings.addAll(
        run.client().answerLengths().findings(run.settings().options().ignoreEos()));
    findings.addAll(RunFindings.successIsNoRate(counts, engine));
    findings.addAll(
        EngineFindings.of(engine, run.reading(), run.settings(), manifest, clientTracks));
    findings.addAll(SeriesChurn.of(run));
  }

  private ExporterAccount surroundings() {
    HopMetrics points =
        new HopMetrics(
            run.client(), counts, run.reading(), run.totals(),
            run.settings().access().pathOf(run.settings().endpoint()));
    Figure outputTokens =
        run.totals().counter(MetricConcept.GENERATION_TOKENS).stream()
            .mapToObj(Figure::of)
            .findFirst()
            .orElseGet(counts::completionTokens);
    ExporterAccount surroundings =
        run.exporters()
            .account(points, outputTokens, run.client().counts().windowSeconds());
    findings.addAll(run.exporters().findings(surroundings));
    GatewayRetries.of(surroundings).ifPresent(findings::add);
    return surroundings;
  }

  private Figure clientTtft() {
    return run.client().latencies().ttftFromWritten().distribution().mean();
  }

  private Figure engineTtft() {
    EngineDistribution ttft = engine.distributions().get(Latency.TTFT);
    return ttft == null ? Figure.missing("not exposed") : ttft.mean();
  }

  private Reconciliation reconcile() {
    ClientTally tally = run.client().tally();
    if (!engine.available() || counts.ended() == 0) {
      return new Reconciliation(Reconciliation.Verdict.NOT_CHECKED, List.of());
    }
    boolean stopStrings = run.settings().options().extraBody().contains("\"stop\"");
    List<Reconciliation.Row> ledger =
        new ArrayList<>(
            new FleetLifecycle(run)
                .judged(
                    new Ledger(tally, run.totals(), run.exporters().frontends(), stopStrings)
                        .rows()));
    ledger.addAll(PrefillPool.of(run).rows(tally));
    List<Finding> faults = WindowFaults.of(run);
    findings.addAll(faults);
    findings.addAll(
        new LedgerDiagnosis(
                ledger,
                tally,
                run.client().counts().windowSeconds(),
                run.window().quietBefore().isPresent()
                    && run.window().quietAfter().isPresent()
                    && run.reading().targets().values().stream()
                        .noneMatch(target -> target.alternates() || target.restarted()),
                run.totals().family().counting())
            .findings());
    run.scrapes().staleStart().tell(findings);
    return new Reconciliation(LedgerVerdict.of(ledger, faults), ledger);
  }

  private StallAnalysis studyStalls() {
    Optional<String> untold = run.client().latencies().whyNoMoments();
    if (untold.isPresent()) {
      return StallAnalysis.absent(StallAnalysis.Verdict.NOT_CHECKED, untold.get());
    }
    EngineDistribution itl = engine.distributions().get(Latency.ITL);
    boolean lostScrapes =
        findings.stream().anyMatch(finding -> finding.code() == Code.LOST_SCRAPES);
    return new StallStudy(
            new IntervalGrid(run.reading()),
            run.window(),
            run.client().stalls(),
            run.client().latencies().chunkGaps(),
            run.harness())
        .analyze(itl == null ? List.of() : itl.buckets(), lostScrapes);
  }

  private Interpretation interpret(Optional<Period> baseline) {
    List<Interpretation> read =
        baseline.map(reference -> choice().against(reference))
            .orElseGet(() -> choice().withinTheRun())
            .stream()
            .map(pair -> new Interpreter(pair).interpret())
            .toList();
    if (read.isEmpty()) {
      return Interpretation.absent("nothing to compare with: " + whyNot(baseline));
    }
    Interpretation whole = read.getFirst();
    return !whole.directions().isEmpty()
        ? whole
        : read.stream().skip(1).filter(RunJudge::isFarSlower).findFirst().orElse(whole);
  }

  /** The slowest stretch of a run is always slower than others: only much is told. */
  private static boolean isFarSlower(Interpretation stretch) {
    return !stretch.directions().isEmpty()
        && stretch.changes().stream()
            .filter(change -> change.quantity() == Latency.E2E)
            .map(Change::whole)
            .anyMatch(
                whole -> whole.judged().orNaN() >= FAR_SLOWER * whole.reference().orNaN());
  }

  private static String whyNot(Optional<Period> baseline) {
    return baseline.isPresent()
        ? "no phase of this run has %s requests".formatted(SignalCheck.FEWEST)
        : "one level of load, no healthy phase, or fewer than %s requests in it; a baseline run"
                .formatted(SignalCheck.FEWEST)
            + " would serve";
  }

  private PeriodChoice choice() {
    return new PeriodChoice(
        new PeriodReader(run, engine, standstills),
        run.client().phases(),
        phases);
  }
}
