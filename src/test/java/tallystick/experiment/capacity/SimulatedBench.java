package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import tallystick.experiment.JointObjective;
import tallystick.experiment.fit.MeasuredRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualReplay;

/** Probes played on the simulated engine in virtual time, without a record: fast. */
record SimulatedBench(
    double ttftSeconds, double tpotSeconds, int promptTokens, int outputTokens,
    Map<String, String> engine) {
  private static final double SECOND = 1e9;
  private static final long WAY_NANOS = 100_000;

  /** Requests that its engine runs at once; 0 where nobody tells. */
  int sequences() {
    return Integer.parseInt(engine.getOrDefault("max-num-seqs", "0"));
  }

  /** What a probe shows, where a share of the requests may be bad. */
  ProbeResult play(Probe probe, double badShare) {
    return play(probe, badShare, 1);
  }

  /**
   * The same on an engine whose every step takes so many times as long.
   *
   * @param slowness 1 for the engine as it is
   */
  ProbeResult play(Probe probe, double badShare, double slowness) {
    Map<String, String> flags = new HashMap<>(engine);
    flags.put("seed", Long.toString(probe.seed()));
    EngineSettings settings = EngineSettings.ofFlags(flags);
    settings = settings.with(settings.profile().times(slowness));
    List<RequestRow> rows =
        VirtualReplay.of(
            probe.users() > 0 ? closedLoop(probe) : schedule(probe), settings, WAY_NANOS);
    JointObjective objective =
        JointObjective.of(
            List.of(
                Objective.ofAll(
                    List.of(
                        new Objective.Limit(Objective.Metric.TTFT, ttftSeconds),
                        new Objective.Limit(Objective.Metric.TPOT, tpotSeconds)),
                    1 - badShare, "")),
            OptionalDouble.empty());
    return result(probe, rows, settings, objective);
  }

  private List<RequestRow> schedule(Probe probe) {
    SplittableRandom random = new SplittableRandom(probe.seed());
    List<RequestRow> rows = new ArrayList<>();
    double at = 0;
    while (true) {
      at += -Math.log(1 - random.nextDouble()) / probe.perSecond();
      if (at >= probe.loadSeconds()) {
        return rows;
      }
      int output = length(outputTokens, random);
      rows.add(
          row(
              rows.size(), rows.size(), (long) (at * SECOND), length(promptTokens, random),
              output));
    }
  }

  /** Every user has more requests than any engine here ends while the loop counts. */
  private List<RequestRow> closedLoop(Probe probe) {
    SplittableRandom random = new SplittableRandom(probe.seed());
    List<RequestRow> rows = new ArrayList<>();
    for (int i = 0; i < Math.max(1500, 4 * probe.users()); i++) {
      int output = length(outputTokens, random);
      rows.add(row(i, i % probe.users(), 0, length(promptTokens, random), output));
    }
    return rows;
  }

  private static RequestRow row(int index, int user, long at, int prompt, int output) {
    return new RequestRow(
        index, "main", "default", user, 0, "r" + index, prompt, output,
        new RequestRow.Times(at, at, -1, -1, at, at, at, at, -1), RequestRow.Chunks.NONE,
        new RequestRow.Usage(prompt, output, 0),
        new RequestRow.Ending(Outcome.OK, 200, "length", ""),
        RequestRow.EngineTimings.NONE);
  }

  private static int length(int median, SplittableRandom random) {
    double drawn = median * Math.exp(0.5 * random.nextGaussian());
    return (int) Math.max(8, Math.min(6 * median, drawn));
  }

  private ProbeResult result(
      Probe probe, List<RequestRow> rows, EngineSettings settings, JointObjective objective) {
    double from = probe.settleSeconds();
    double end = probe.loadSeconds();
    List<ArrivedRequest> arrivals = new ArrayList<>();
    List<Double> used = new ArrayList<>();
    double inFlight = 0;
    double firstHalf = 0;
    double completed = 0;
    double lastEnd = 0;
    long early = 0;
    long goodEarly = 0;
    for (RequestRow row : rows) {
      double started = row.times().started() / SECOND;
      double last = row.chunks().arrivalNanos()[row.chunks().size() - 1] / SECOND;
      arrivals.add(
          new ArrivedRequest(
              started, 0, "", row.promptTokens(), 0, row.usage().completionTokens()));
      if (started >= from) {
        used.add(used(row));
        boolean isEarly = started < (from + end) / 2;
        early += isEarly ? 1 : 0;
        goodEarly += isEarly && used.getLast() <= 1 ? 1 : 0;
      }
      inFlight += Math.max(0, Math.min(end, last) - Math.max(from, started));
      firstHalf += Math.max(0, Math.min((from + end) / 2, last) - Math.max(from, started));
      completed += last >= from && last < end ? 1 : 0;
      lastEnd = Math.max(lastEnd, last);
    }
    boolean isPiling = inFlight - firstHalf > 1.5 * firstHalf;
    ProbeResult.Load load =
        new ProbeResult.Load(
            inFlight / (end - from), completed / probe.measuredSeconds(), isPiling, 0,
            probe.users() > 0
                ? Math.min(settings.scheduler().maxNumSeqs(), probe.users())
                : -1,
            -1, -1, -1, 0, 0, 0, 0);
    // A closed loop ends when those in it at its end have been answered.
    double ended =
        probe.users() > 0 ? end + probe.users() * probe.measuredSeconds() / completed : lastEnd;
    return new ProbeResult(
        probe, ended + 4, used.size(), used.stream().filter(one -> one <= 1).count(), load,
        ProbeResult.Trust.TRUSTED, "",
        crowding(probe, rows, settings, arrivals, used, objective),
        new ProbeFigures(
            ProbeFigures.Percentiles.UNKNOWN, ProbeFigures.Percentiles.UNKNOWN, -1, -1, -1,
            List.of(), new ProbeFigures.Kept("first half", goodEarly, early)));
  }

  private double used(RequestRow row) {
    long[] at = row.chunks().arrivalNanos();
    double ttft = (at[0] - row.times().started()) / SECOND;
    double tpot =
        (at[at.length - 1] - at[0]) / SECOND / Math.max(1, row.usage().completionTokens() - 1);
    return Math.max(ttft / ttftSeconds, tpot / tpotSeconds);
  }

  private static ArrivalBurstinessCorrection crowding(
      Probe probe, List<RequestRow> rows, EngineSettings settings, List<ArrivedRequest> arrivals,
      List<Double> used, JointObjective objective) {
    if (!probe.isLong()) {
      return ArrivalBurstinessCorrection.UNKNOWN;
    }
    Map<String, String> flags =
        Map.of(
            "max-num-seqs", Integer.toString(settings.scheduler().maxNumSeqs()),
            "num-gpu-blocks-override", Integer.toString(settings.scheduler().numGpuBlocks()));
    MeasuredRun run = new MeasuredRun("probe", Map.of(), List.of(), List.of(rows), flags);
    InferredEngineModel probed = InferredEngineModel.of(run, 0).orElseThrow();
    return ArrivalBurstinessCorrection.of(
        new ArrivalBurstinessCorrection.Played(
            probe, arrivals, used.stream().mapToDouble(one -> one).toArray(), probed, 1,
            objective));
  }
}
