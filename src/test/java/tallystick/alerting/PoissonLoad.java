package tallystick.alerting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MemoryRun;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Objective;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualRequest;

/** Poisson load on the simulated engine in virtual time, kept as a record in memory. */
final class PoissonLoad {
  private static final long SECOND = 1_000_000_000L;

  private final Shape shape;
  private final MemoryRun run = new MemoryRun();

  /**
   * What to run.
   *
   * @param rates requests per second of each step
   * @param stepSeconds length of each step
   * @param scrapeSeconds time between scrapes
   */
  record Shape(
      String runId,
      String mix,
      long seed,
      int promptTokens,
      int outputTokens,
      double[] rates,
      int stepSeconds,
      int scrapeSeconds,
      Map<String, String> engine) {
    boolean keepsEveryChunk() {
      return stepSeconds < 3600;
    }
  }

  private PoissonLoad(Shape shape) {
    this.shape = shape;
    run.runId = shape.runId();
    run.seed = shape.seed();
    run.source = Manifest.Source.VIRTUAL;
    run.clock = new Manifest.Clock(0, 0, 0);
    run.scrapeIntervalSeconds = shape.scrapeSeconds();
    run.labels.put("mix", shape.mix());
    run.versions.put("engine", EngineSettings.VERSION);
    run.phases.clear();
    run.objectives.add(new Objective(Objective.Metric.TTFT, 1, 0.99, ""));
    run.harness.add(new HarnessRow.Mark(0, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
  }

  /** Runs to the end of the last request. */
  static MemoryRun of(Shape shape) {
    PoissonLoad load = new PoissonLoad(shape);
    load.go();
    return load.run;
  }

  private void go() {
    VirtualEngine engine = new VirtualEngine(EngineSettings.ofFlags(shape.engine()), 0);
    SplittableRandom random = new SplittableRandom(shape.seed());
    long end = 0;
    for (int step = 0; step < shape.rates().length; step++) {
      long start = end;
      end = start + shape.stepSeconds() * SECOND;
      run.phases.add(new Phase("step-" + step, false, start, end, shape.rates()[step]));
      double at = start;
      while (true) {
        at += -Math.log(1 - random.nextDouble()) / shape.rates()[step] * SECOND;
        if (at >= end) {
          break;
        }
        plan(engine, (long) at, "step-" + step, random);
      }
    }
    List<Series> series = new ArrayList<>();
    engine.series().forEach(s -> series.add(Series.of(s.name(), s.labels(), type(s.type()))));
    for (long at = 0; at <= end; at += shape.scrapeSeconds() * SECOND) {
      long now = at;
      engine.at(now, () -> scrape(engine, series, now));
    }
    engine.run();
    run.requests.sort(Comparator.comparingLong(row -> row.times().ended()));
  }

  private static Series.Type type(String word) {
    return Series.Type.valueOf(word.toUpperCase(java.util.Locale.ROOT));
  }

  private void scrape(VirtualEngine engine, List<Series> series, long now) {
    double[] values = engine.sample();
    List<Sample> samples = new ArrayList<>(values.length);
    for (int i = 0; i < values.length; i++) {
      samples.add(new Sample(series.get(i), values[i]));
    }
    run.scrapes.add(new ScrapeRow(0, now, now + 1_000_000, samples, ""));
  }

  private void plan(VirtualEngine engine, long at, String phase, SplittableRandom random) {
    int prompt = 1 + (int) (shape.promptTokens() * (0.5 + random.nextDouble()));
    int output = 1 + (int) (shape.outputTokens() * (0.5 + random.nextDouble()));
    int[] tokens = new int[prompt];
    Arrays.setAll(tokens, i -> random.nextInt(3, 1000));
    engine.at(
        at,
        () ->
            engine.submit(
                new VirtualRequest(tokens, output, 1), new Taker(at, phase, prompt, output)));
  }

  private final class Taker implements VirtualRequest.Observer {
    private final long at;
    private final String phase;
    private final int prompt;
    private final int output;
    private final long[] arrivals;
    private int size;

    private Taker(long at, String phase, int prompt, int output) {
      this.at = at;
      this.phase = phase;
      this.prompt = prompt;
      this.output = output;
      this.arrivals = new long[shape.keepsEveryChunk() ? output : 2];
    }

    @Override
    public void tokens(long nanos, int choice, int[] tokenIds) {
      // A day of load would not fit into memory; its first and last tokens do.
      arrivals[Math.min(size, arrivals.length - 1)] = nanos;
      size = Math.min(size + 1, arrivals.length);
    }

    @Override
    public void ended(long nanos, int choice, VirtualRequest.Ending ending) {
      long[] times = Arrays.copyOf(arrivals, size);
      int[] ones = new int[size];
      Arrays.fill(ones, 1);
      run.requests.add(
          new RequestRow(
              run.requests.size(), phase, "default", 0, 0, "r" + run.requests.size(), prompt,
              output,
              new RequestRow.Times(at, at, -1, -1, at, at, times[0], nanos, RequestRow.NEVER),
              new RequestRow.Chunks(times, ones, 0),
              new RequestRow.Usage(prompt, ending.generatedTokens(), 0),
              new RequestRow.Ending(Outcome.OK, 200, ending.finishReason(), ""),
              RequestRow.EngineTimings.NONE));
    }
  }
}
