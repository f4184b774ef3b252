package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
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

  /** What a probe shows. */
  ProbeResult play(Probe probe) {
    Map<String, String> flags = new HashMap<>(engine);
    flags.put("seed", Long.toString(probe.seed()));
    EngineSettings settings = EngineSettings.ofFlags(flags);
    List<RequestRow> rows =
        VirtualReplay.of(
            probe.users() > 0 ? closedLoop(probe) : schedule(probe), settings, WAY_NANOS);
    return result(probe, rows, settings);
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

  private ProbeResult result(Probe probe, List<RequestRow> rows, EngineSettings settings) {
    double from = probe.settleSeconds();
    double end = probe.loadSeconds();
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
            -1, -1, -1, 0, 0, 0, 0, 0, used.size());
    // A closed loop ends when those in it at its end have been answered.
    double ended =
        probe.users() > 0 ? end + probe.users() * probe.measuredSeconds() / completed : lastEnd;
    return new ProbeResult(
        probe, ended + 4, used.size(), used.stream().filter(one -> one <= 1).count(), load,
        ProbeResult.Trust.TRUSTED, "",
        MadeProbes.figures(
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
}
