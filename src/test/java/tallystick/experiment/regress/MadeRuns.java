package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.result.WaitPart;

/** Runs with figures made up for a test. */
public final class MadeRuns {
  private MadeRuns() {}

  /** Runs under seeds 1, 2, … whose TTFT P95 is so many seconds; TPOT is a tenth of it. */
  public static List<ComparedRun> of(double... ttft) {
    List<ComparedRun> runs = new ArrayList<>();
    for (int i = 0; i < ttft.length; i++) {
      runs.add(run(i + 1, ttft[i], Map.of(), List.of()));
    }
    return runs;
  }

  /** The same run under another load. */
  static ComparedRun with(ComparedRun run, ComparedRun.Load load) {
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(), run.missing(),
        run.ttft(), run.e2e(), load, run.likeness(), run.settings(), run.engine(), run.doubts());
  }

  /** The same run with that share of so many requests good; ten are sent per second. */
  public static ComparedRun good(ComparedRun run, double share, long requests) {
    Map<ComparedMetric, Double> metrics = new EnumMap<>(run.metrics());
    metrics.put(ComparedMetric.GOOD_SHARE, share);
    metrics.put(ComparedMetric.GOODPUT, 10 * share);
    ComparedRun.Load load = run.load();
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), metrics, run.missing(),
        run.ttft(), run.e2e(),
        new ComparedRun.Load(
            load.closedLoop(), requests, load.offeredPerSecond(), load.ratePerSecond(),
            load.promptTokens(), load.answerTokens(), load.answerSpread(), load.schedule(),
            load.shape()),
        run.likeness(), run.settings(), run.engine(), run.doubts());
  }

  /** The same run with every request failed by the server. */
  public static ComparedRun failed(ComparedRun run) {
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), Map.of(),
        new EnumMap<>(
            Map.of(
                ComparedMetric.COMPLETED, ComparedRun.ZERO, ComparedMetric.GOODPUT,
                ComparedRun.ZERO, ComparedMetric.GOOD_SHARE, ComparedRun.ZERO)),
        Map.of(), Map.of(), run.load(), run.likeness(), run.settings(), run.engine(),
        List.of(new ComparedRun.Doubt(ComparedRun.NOTHING_DONE, "No request ended well.")));
  }

  public static ComparedRun run(
      long seed, double ttft, Map<String, String> unlike, List<ComparedRun.Doubt> doubts) {
    Map<ComparedMetric, Double> metrics = new EnumMap<>(ComparedMetric.class);
    for (ComparedMetric metric : ComparedMetric.values()) {
      metrics.put(metric, metric.isBetterHigh() ? 1 : ttft / 10);
    }
    metrics.put(ComparedMetric.TTFT_P95, ttft);
    Map<String, String> likeness = new TreeMap<>(Map.of("engine kind", "virtual", "machine", "m"));
    likeness.putAll(unlike);
    return new ComparedRun(
        "run-" + seed, "made", "2026-01-01T00:00:00Z", seed, metrics, Map.of(),
        new EnumMap<>(Map.of(WaitPart.WHOLE, ttft / 2, WaitPart.QUEUE, ttft / 2)),
        new EnumMap<>(WaitPart.class),
        new ComparedRun.Load(
            false, 500, 10, 10, 100, 50, 25, "schedule " + seed, new ComparedRun.Shape(40, 1)),
        likeness,
        Map.of("version engine", ttft > 1 ? "2" : "1"), Map.of("prefix-cache hits", 0.0), doubts);
  }
}
