package tallystick.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tallystick.alerting.FirstRules;
import tallystick.analysis.result.ClientLimit;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Comparison.ComparedPercentile;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunAnalysis.EngineAccount;
import tallystick.analysis.result.RunAnalysis.RunFacts;
import tallystick.analysis.result.SessionAccount;
import tallystick.analysis.result.StallAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.Strength;
import tallystick.analysis.result.Thinking;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.TraceJoin;
import tallystick.analysis.result.WaitPart;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;
import tallystick.scenario.Objective;

/** A hand-made analysis of a run of 240 requests on a small KV cache. */
public final class SampleAnalysis {
  public RunFacts run =
      facts("kv-pressure", "sim-8b", State.COMPLETED, "", Manifest.Source.EMBEDDED);
  /** How the two requests ended that did not end well. */
  String failure = "timed_out";
  long failed = 2;

  public List<Finding> findings = findings();

  /** Of 240 requests, those that tell whether they were good. */
  public long judged = 240;

  public Reconciliation reconciliation =
      new Reconciliation(Verdict.RECONCILED_WITH_TOLERANCE, rows());
  RunAnalysis.ClientLatencies client = latencies();
  EngineAccount engine = account();
  public List<ObjectiveResult> objectives = objectives();
  List<PhaseAnalysis> phases = List.of(SampleLater.phase());
  public Interpretation interpretation = SampleLater.interpretation();
  public List<Decomposition> decompositions = List.of(waterfall());
  List<Comparison> comparisons = comparisons();
  Timeline timeline = SampleTimeline.of("engine 0");
  TraceJoin traces = TraceJoin.absent("the run took no traces");
  public SessionAccount sessions = SampleLater.sessions(0);

  /** The whole account of an analysis for a terminal. */
  public static String console(RunAnalysis analysis, boolean colour) {
    return Shown.console(analysis, FirstRules.section(analysis), colour);
  }

  /** Every file of an analysis. */
  static List<Path> writeAll(RunAnalysis analysis, Path folder) throws IOException {
    return Reports.writeAll(analysis, FirstRules.section(analysis), folder);
  }

  public static RunAnalysis of() {
    return new SampleAnalysis().build();
  }

  public RunAnalysis build() {
    return new RunAnalysis(
        RunAnalysis.CURRENT_FORMAT,
        run,
        findings,
        counts(failure, failed),
        client,
        engine,
        reconciliation,
        comparisons,
        objectives,
        timeline,
        harness(),
        decompositions,
        stalls(),
        SampleLater.load(judged),
        sessions,
        phases,
        interpretation,
        traces,
        SampleLater.surroundings());
  }

  SampleAnalysis ownedBy(String name) {
    timeline = SampleTimeline.of(name);
    return this;
  }

  SampleAnalysis over(Timeline tracks) {
    timeline = tracks;
    return this;
  }

  public SampleAnalysis withRun(RunFacts facts) {
    run = facts;
    return this;
  }

  public SampleAnalysis oneSided(String why) {
    engine = new EngineAccount(false, why, Map.of(), Map.of(), Map.of(), 0, 0, Map.of());
    reconciliation = new Reconciliation(Verdict.NOT_CHECKED, List.of());
    comparisons = List.of();
    return this;
  }

  public static RunFacts facts(
      String scenario, String model, State state, String detail, Manifest.Source source) {
    return new RunFacts(
        "20261121-014203-" + scenario,
        scenario,
        source,
        state,
        detail,
        false,
        false,
        model,
        List.of("http://127.0.0.1:40123"),
        7,
        Map.of("gpu", "none", "commit", "9c6b3e1"),
        Map.of("tally", "0.1.0", "jvm", "21.0.5", "gatling", "3.15.1"),
        Map.of("cores", "2", "os", "Linux"),
        "2026-11-21T01:42:03Z",
        "2026-11-21T01:43:05Z",
        61.8,
        "");
  }

  private static List<Finding> findings() {
    return List.of(
        new Finding(
            Finding.Code.FAILURES,
            Finding.Severity.WARNING,
            "The engine preempted 66 times: its KV cache was full while requests were running.",
            List.of(
                "vllm:num_preemptions_total rose by 66",
                "vllm:kv_cache_usage_perc reached 1 in 18 of 61 scrapes"),
            "Admit fewer requests at once, or give the engine more KV blocks."),
        new Finding(
            Finding.Code.PERCENTILES_ROUNDED,
            Finding.Severity.NOTE,
            "240 requests carry no P99: it needs 368.",
            List.of(),
            ""));
  }

  private static RunAnalysis.Counts counts(String failure, long failed) {
    return new RunAnalysis.Counts(
        240, 240, Figure.of(0), 240, 240 - failed,
        Map.of("ok", 240 - failed, failure, failed),
        Figure.of(61440), Figure.of(30720), 30718, Figure.of(2), 0, Figure.of(14),
        Figure.of(3.885), Figure.of(497.1));
  }

  private static final Figure NO_THINKING = Figure.missing("no thinking");

  private static RunAnalysis.ClientLatencies latencies() {
    return new RunAnalysis.ClientLatencies(
        SampleDistributions.client(240, 0.2839, 2.213, 0.118, 0.941, 1.42, 1.98),
        SampleDistributions.client(240, 0.2835, 2.212, 0.118, 0.940, 1.42, 1.98),
        SampleDistributions.client(240, 0.2821, 2.210, 0.117, 0.938, 1.42, 1.98),
        SampleDistributions.client(238, 2.571, 7.91, 2.21, 4.40, 4.93, 6.80),
        SampleDistributions.client(238, 2.570, 7.91, 2.21, 4.40, 4.93, 6.80),
        SampleDistributions.client(238, 2.569, 7.91, 2.21, 4.40, 4.93, 6.80),
        SampleDistributions.client(238, 0.0180, 0.071, 0.0168, 0.0213, 0.0262, 0.0561),
        SampleDistributions.client(30478, 0.0179, 5.65, 0.0163, 0.0221, 0.0291, 0.0713),
        SampleDistributions.client(30480, 0.0179, 5.65, 0.0163, 0.0221, 0.0291, 0.0713),
        SampleDistributions.client(238, 0.2112, 5.65, 0.0412, 0.512, 0.874, 4.90),
        2,
        new Thinking(
            0, 0, new SampleSet().distribution(),
            NO_THINKING, NO_THINKING, NO_THINKING, NO_THINKING, 0));
  }

  private static EngineAccount account() {
    return new EngineAccount(
        true,
        "",
        SampleDistributions.engine(),
        Map.of("vllm:num_preemptions_total", 66.0, "vllm:generation_tokens_total", 30720.0),
        Map.of(
            "vllm:num_requests_waiting", new GaugeRange(0, 3.9, 13, 0),
            "vllm:num_requests_running", new GaugeRange(0, 10.4, 16, 0),
            "vllm:kv_cache_usage_perc", new GaugeRange(0, 0.61, 1, 0)),
        61,
        1,
        Map.of());
  }

  private static List<Row> rows() {
    return List.of(
        row(Id.R1, "finished: length", 238, 240, 2, "vllm:request_success_total"),
        row(Id.R2, "requests with a first token", 240, 240, 2, "vllm:time_to_first_token_seconds"),
        row(Id.R3, "prompt tokens", 61440, 61440, 512, "vllm:prompt_tokens_total"),
        row(Id.R4, "output tokens", 30720, 30720, 256, "vllm:generation_tokens_total"),
        row(Id.R5, "output tokens after the first", 30480, 30480, 0,
            "vllm:inter_token_latency_seconds"),
        new Row(Id.R6, "finished, in every histogram", Figure.of(240),
            Figure.missing("family absent"), 0, 0, Status.NOT_CHECKED,
            "vllm:e2e_request_latency_seconds", Figure.missing("family absent")));
  }

  public static Row row(
      Id id, String what, double client, double engine, double high, String from) {
    double difference = engine - client;
    Status status = difference == 0 ? Status.EXACT
        : difference > 0 && difference <= high ? Status.WITHIN_TOLERANCE : Status.DIFFERS;
    return new Row(id, what, Figure.of(client), Figure.of(engine), 0, high, status, from,
        Figure.of(difference));
  }

  private static List<ObjectiveResult> objectives() {
    return List.of(
        new ObjectiveResult(new Objective(Objective.Metric.TTFT, 1, 0.95, ""), 212, 240,
            Figure.of(0.8444), Figure.of(0.9126), Judgement.Verdict.MISSED,
            Strength.SURE, Figure.of(0.8833),
            evidence(1.42, 1.12, 1.98)),
        new ObjectiveResult(new Objective(Objective.Metric.LARGEST_GAP, 0.5, 0.9, ""), 214, 240,
            Figure.of(0.8541), Figure.of(0.9207), Judgement.Verdict.MISSED,
            Strength.TOO_CLOSE, Figure.of(0.8917),
            new ObjectiveEvidence(Figure.of(0.51), Figure.of(0.32), Figure.of(0.88),
                Figure.of(131), Figure.of(5200),
                "slow requests come in bursts: 240 count as 131 independent ones")),
        new ObjectiveResult(new Objective(Objective.Metric.ITL, 0.1, 0.99, ""), 30301, 30478,
            Figure.of(0.9934), Figure.of(0.9949), Judgement.Verdict.MET, Strength.SURE,
            Figure.of(0.9942),
            evidence(0.0712, 0.0671, 0.0804)));
  }

  private static ObjectiveEvidence evidence(double percentile, double low, double high) {
    return new ObjectiveEvidence(Figure.of(percentile), Figure.of(low), Figure.of(high),
        Figure.of(131), Figure.missing("it is sure"), "");
  }

  private static List<Comparison> comparisons() {
    return List.of(
        new Comparison(Latency.TTFT, Figure.of(0.2821), Figure.of(0.2791), Figure.of(0.003),
            List.of(
                new ComparedPercentile(0.5, Figure.of(0.117), Figure.of(0.1), Figure.of(0.25)),
                new ComparedPercentile(0.9, Figure.of(0.938), Figure.of(0.75), Figure.of(1)),
                new ComparedPercentile(0.95, Figure.of(1.42), Figure.of(1), Figure.of(2.5)),
                new ComparedPercentile(0.99, Figure.missing("n=240, need 368"),
                    Figure.missing("n=240, need 368"), Figure.missing("n=240, need 368"))),
            Comparison.Verdict.EXPLAINED,
            "A constant overhead of 2.1 to 3.8 ms explains every bucket.",
            gap()),
        new Comparison(Latency.ITL, Figure.of(0.0179), Figure.of(0.0179), Figure.of(0.0000213),
            List.of(), Comparison.Verdict.NOT_COMPARABLE, "2 chunks carried several tokens.",
            GapAnalysis.absent("only for TTFT and E2E")));
  }

  private static GapAnalysis gap() {
    return new GapAnalysis(
        true, "",
        List.of(new GapAnalysis.Edge(0.25, 168, 166, 2, Figure.of(0.0021), Figure.of(0.0061))),
        Interval.of(0.003, 0.0021, 0.0038), Figure.of(0.0038), List.of(),
        Figure.of(0.008), Figure.of(0.31), Interval.of(0.003, 0.0027, 0.0033));
  }

  private static RunAnalysis.HarnessHealth harness() {
    return new RunAnalysis.HarnessHealth(
        SampleDistributions.client(240, 0.00021, 0.0041, 0.00018, 0.00031, 0.00044, 0.0019),
        SampleDistributions.tiny(0, "n=0, need 1"),
        SampleDistributions.client(11_900, 0.00012, 0.0062, 0.00008, 0.00021, 0.0004, 0.0011),
        false,
        SampleDistributions.tiny(0, "n=0, need 1"),
        3, 0.0121, 0, Figure.of(0.41),
        new ClientLimit(
            ClientLimit.Verdict.ROOM_FOR_TWICE, "The client was not the limit.", Figure.of(2),
            Figure.of(0.46), Figure.of(0.9), "its P99 lateness", Figure.of(0.0019), 0.02,
            Figure.of(12)));
  }

  private static Decomposition waterfall() {
    return new Decomposition(
        Decomposition.Whole.TTFT, true, "", Interval.of(0.2839, 0.241, 0.327),
        List.of(
            part(WaitPart.LATENESS, 0.0004), part(WaitPart.CONNECT, 0.0006),
            part(WaitPart.WRITE, 0.0008),
            part(WaitPart.OUTSIDE, 0.003), part(WaitPart.API_SERVER, 0.0117),
            part(WaitPart.QUEUE, 0.1603),
            part(WaitPart.PREFILL, 0.1071)),
        Stamp.NONE);
  }

  private static Decomposition.Part part(WaitPart name, double mean) {
    return new Decomposition.Part(
        name, Interval.of(mean, mean * 0.85, mean * 1.15),
        "vllm:request_" + name.code() + "_seconds");
  }

  private static StallAnalysis stalls() {
    return new StallAnalysis(
        true, "", Figure.of(0.1), 71, 3, Figure.of(66),
        List.of(
            new StallAnalysis.Lag(0, Figure.of(0.72)), new StallAnalysis.Lag(1, Figure.of(0.55))),
        Figure.of(0.72), Figure.of(0.018),
        List.of(
            new StallAnalysis.Offset(-1, Interval.of(0.7, 0.3, 1.1)),
            new StallAnalysis.Offset(0, Interval.of(4.7, 3.6, 5.9)),
            new StallAnalysis.Offset(1, Interval.of(1.0, 0.5, 1.6))),
        Figure.of(0.4), Figure.of(0.51), Figure.of(58), Figure.of(19.4), Figure.of(0.000003),
        StallAnalysis.Verdict.RELATED,
        "Preemptions account for 58 of 71 stalls where 19.4 were expected by chance.");
  }
}
