package tallystick.report;

import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Circumstance;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.EngineDistribution.Bracket;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.Goodput;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interpretation.SignalName;
import tallystick.analysis.result.Interpretation.State;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.analysis.result.SessionAccount;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;
import tallystick.scenario.Exporter.Quantity;
import tallystick.scenario.Objective;

/** Made-up results of the later stages of the analysis. */
public final class SampleLater {
  private SampleLater() {}

  static LoadAccount load(long judged) {
    return new LoadAccount(
        Figure.of(4.0), Figure.of(4.0), Figure.of(3.9),
        Map.of("200", 238L, "none", 2L),
        Map.of("length", 240.0, "stop", 0.0, "abort", 0.0),
        Figure.of(497.1), Figure.of(497.1), Figure.of(994.2),
        Figure.of(0.0031),
        new LoadAccount.ExternalCache(
            Figure.of(0.6), Figure.of(0.0125), Figure.missing("no observations")),
        Figure.of(0.275),
        Figure.missing("no speculative decoding"), List.of(), Figure.of(11.2),
        Map.of("capacity", 13.0, "deferred", 0.0),
        List.of(
            new LoadAccount.ShapeRow("prompt tokens", Figure.of(256), Figure.of(256),
                List.of(new Bracket(0.5, Figure.of(200), Figure.of(500))),
                "vllm:request_prompt_tokens"),
            new LoadAccount.ShapeRow("output tokens", Figure.of(128), Figure.of(128),
                List.of(new Bracket(0.5, Figure.of(100), Figure.of(200))),
                "vllm:request_generation_tokens")),
        replicas(),
        new Goodput(
            List.of(new Objective(Objective.Metric.TTFT, 1, 0.95, "")),
            new Goodput.Kept(233, judged, Figure.of(3.88), Figure.of(483)),
            new Goodput.Kept(234, 240, Figure.of(3.9), Figure.of(485.1))));
  }

  private static ReplicaAccount replicas() {
    return new ReplicaAccount(
        List.of(replica("engine 0", 0.4, 12190), replica("engine 1", 0.6, 18288)), Figure.of(1.2));
  }

  private static ReplicaAccount.Replica replica(String name, double share, double tokens) {
    return new ReplicaAccount.Replica(
        name, Figure.of(0.5), Figure.of(share), Figure.of(Math.rint(240 * share)),
        Figure.of(61440 * share), Figure.of(tokens), Figure.of(33), Figure.of(0.284),
        Figure.of(4.5), Figure.of(0.5), Figure.of(0.97));
  }

  public static PhaseAnalysis phase() {
    return new PhaseAnalysis(
        "main", 0, 60, Figure.of(4), false, 240, 238,
        SampleDistributions.client(240, 0.2839, 2.213, 0.118, 0.941, 1.42, 1.98),
        SampleDistributions.client(238, 2.571, 7.91, 2.21, 4.40, 4.93, 6.80),
        SampleDistributions.client(238, 0.2112, 5.65, 0.0412, 0.512, 0.874, 4.90),
        SampleDistributions.client(30478, 0.0179, 5.65, 0.0163, 0.0221, 0.0291, 0.0713),
        new PhaseAnalysis.SteadyState(
            PhaseAnalysis.SteadyState.Verdict.NO_STEADY_STATE, Figure.missing("cut at the limit"),
            Figure.missing("cut at the limit"), Interval.missing("not computed"),
            "TTFT found no level it stayed at."),
        new PhaseAnalysis.Overload(
            PhaseAnalysis.Overload.Verdict.NO_GROWTH_SEEN, Figure.of(0.02), Figure.of(0.31),
            Figure.of(0.1), "Requests in flight did not grow over the phase."),
        List.of(
            new PhaseAnalysis.ChangePoint(24.5, 0.071, 0.93, 0.005),
            new PhaseAnalysis.ChangePoint(44.1, 0.93, 0.074, 0.005)),
        List.of(),
        new PhaseAnalysis.PhaseGoodput(233, 240, Figure.of(0.9708), Figure.of(3.88)));
  }

  /** A minute at a rate, with one objective. */
  public static PhaseAnalysis step(
      String name, double rate, Judgement judged,
      PhaseAnalysis.PhaseGoodput goodput) {
    return step(name, rate, false, judged, goodput);
  }

  /** The same, as a part of a ramp or as a step. */
  public static PhaseAnalysis step(
      String name, double rate, boolean isOfRamp, Judgement judged,
      PhaseAnalysis.PhaseGoodput goodput) {
    PhaseAnalysis like = phase();
    Figure none = Figure.missing("not asked");
    ObjectiveResult result =
        new ObjectiveResult(
            new Objective(Objective.Metric.TTFT, 0.5, 0.95, ""), 1, 1, none, none,
            judged.verdict(), judged.strength(), none,
            new ObjectiveEvidence(none, none, none, none, none, ""));
    return new PhaseAnalysis(
        name, 0, 60, Figure.of(rate), isOfRamp, 1, 1, like.ttft(), like.e2e(), like.largestGaps(),
        like.chunkGaps(), like.steady(), like.overload(), like.changes(), List.of(result),
        goodput);
  }

  static Interpretation interpretation() {
    return new Interpretation(
        true, "", "the run's own seconds 0 to 22", "seconds 24 to 44",
        List.of(
            new Change(
                Latency.TTFT, changed(WaitPart.WHOLE, 0.071, 0.93, 1),
                List.of(
                    changed(WaitPart.QUEUE, 0.01, 0.81, 0.931),
                    changed(WaitPart.PREFILL, 0.061, 0.12, 0.069)))),
        List.of(
            new Contrast(Circumstance.OFFERED_RATE, Figure.of(2.1), Figure.of(7.4)),
            new Contrast(
                Circumstance.PREEMPTIONS_PER_REQUEST, Figure.of(0), Figure.of(0.275))),
        List.of(
            signal(SignalName.CLIENT_TTFT, State.HIGH, 9.1),
            signal(SignalName.ENGINE_TTFT, State.HIGH, 9.0),
            signal(SignalName.QUEUE, State.HIGH, 14.2),
            signal(SignalName.CLIENT_ITL, State.HIGH, 2.9),
            new Interpretation.Signal(SignalName.ENGINE_ITL, State.UNKNOWN,
                Interval.missing("n=40, need 72"), List.of())),
        List.of(
            new Interpretation.Direction(
                Interpretation.DirectionCode.SATURATION,
                "a working set that does not fit the KV cache",
                List.of(
                    new Interpretation.Grown(
                        Latency.TTFT, WaitPart.QUEUE, Interval.of(0.8, 0.6, 1), 0.931)),
                List.of("0.275 preemptions per finished request", "KV usage at 100 %"),
                List.of("Throughput fell by only 15 %."),
                List.of("Admit fewer requests at once and measure again.",
                    "Compare prompt and output lengths with the healthy period."),
                "preemptions-increase")),
        Stamp.NONE);
  }

  private static Change.Part changed(WaitPart name, double before, double now, double share) {
    double rise = now - before;
    return new Change.Part(
        name, Figure.of(before), Figure.of(now), Interval.of(rise, rise * 0.8, rise * 1.2),
        Figure.of(share), true);
  }

  private static Interpretation.Signal signal(SignalName name, State state, double ratio) {
    return new Interpretation.Signal(
        name, state, Interval.of(ratio, ratio * 0.8, ratio * 1.3),
        List.of("P95 ratio to the reference"));
  }

  /** So many sessions of two turns, all completed. */
  public static SessionAccount sessions(long count) {
    return new SessionAccount(
        count, count, count, 0, 0, 0, 2 * count, 0,
        SampleDistributions.client(count, 9.1, 21, 8.4, 13, 15.2, 20),
        SampleDistributions.client(count, 7.2, 15, 6.4, 9, 11.2, 14),
        SampleDistributions.client(count, 5.2, 12, 4.9, 8, 9.3, 11), 0,
        Figure.of(1200), count, count, Figure.of(1100),
        count == 0 ? List.of() : List.of(turn(1, 1, count, 0.2), turn(2, 0, count, 0.1)));
  }

  private static SessionAccount.Turn turn(int first, int last, long count, double ttft) {
    return new SessionAccount.Turn(
        first, last, count,
        SampleDistributions.client(count, ttft, 4 * ttft, ttft, 2 * ttft, 3 * ttft, 4 * ttft),
        SampleDistributions.client(count, 2.571, 7.91, 2.21, 4.40, 4.93, 6.80),
        SampleDistributions.client(count, 2.581, 7.92, 2.22, 4.41, 4.94, 6.81),
        Figure.of(256 * first), Figure.of(first - 1.0));
  }

  static ExporterAccount surroundings() {
    GaugeRange power = new GaugeRange(480, 512.4, 530, 521);
    return new ExporterAccount(
        List.of(
            point("client", 40, 0.0421),
            point("gateway", 40, 0.0402),
            point("engine", 40, 0.0317)),
        List.of(
            new ExporterAccount.PointOrder(
                Quantity.TTFT,
                List.of("client", "gateway", "engine"),
                List.of(0.0421, 0.0402, 0.0317),
                ExporterAccount.PointOrder.Verdict.HOLDS,
                "")),
        List.of(
            new ExporterAccount.Gpu(
                "gpu",
                "GPU 0 of node-a",
                "NVIDIA H200",
                Map.of("power_watts", power),
                Figure.of(512),
                Figure.of(15_372),
                Map.of("power", Figure.missing("its counter began anew")),
                Figure.of(0),
                List.of(),
                false)),
        new ExporterAccount.GpuEnergy(
            Figure.of(15_372), Figure.of(1.921), Figure.missing("no power was seen under load")),
        List.of(
            new ExporterAccount.Host(
                "node", 16, Figure.of(0.42), Map.of(), Figure.of(1e6), Figure.of(2e6))),
        List.of(
            new ExporterAccount.ExporterScrapes(
                "gpu", "http://127.0.0.1:9400/metrics", 14, 13, 31, 0, 1)));
  }

  private static ExporterAccount.MeasuringPoint point(String name, long requests, double ttft) {
    return new ExporterAccount.MeasuringPoint(
        name,
        Map.of(Quantity.REQUESTS, Figure.of(requests)),
        Map.of("2xx", (double) requests),
        Map.of(Quantity.TTFT, new ExporterAccount.Observed(requests, Figure.of(ttft))),
        Map.of());
  }
}
