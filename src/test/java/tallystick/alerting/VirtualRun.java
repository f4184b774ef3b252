package tallystick.alerting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import tallystick.runrecord.PromptForm;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Objective;
import tallystick.scenario.Target;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;
import tallystick.simengine.VirtualRequest;

/** Poisson load on the simulated engine in virtual time, kept as the rows of a record. */
public final class VirtualRun implements RunRows {
  private static final long SECOND = 1_000_000_000L;

  private final Shape shape;
  private final List<Phase> phases = new ArrayList<>();
  private final List<RequestRow> requests = new ArrayList<>();
  private final List<ScrapeRow> scrapes = new ArrayList<>();

  /**
   * What to run.
   *
   * @param rates requests per second of each step
   * @param stepSeconds length of each step
   * @param scrapeSeconds time between scrapes
   */
  public record Shape(
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

  private VirtualRun(Shape shape) {
    this.shape = shape;
  }

  /** Runs to the end of the last request. */
  public static VirtualRun of(Shape shape) {
    VirtualRun run = new VirtualRun(shape);
    run.go();
    return run;
  }

  private void go() {
    VirtualEngine engine = new VirtualEngine(EngineSettings.ofFlags(shape.engine()), 0);
    SplittableRandom random = new SplittableRandom(shape.seed());
    long end = 0;
    for (int step = 0; step < shape.rates().length; step++) {
      long start = end;
      end = start + shape.stepSeconds() * SECOND;
      phases.add(new Phase("step-" + step, false, start, end, shape.rates()[step]));
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
    requests.sort(java.util.Comparator.comparingLong(row -> row.times().ended()));
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
    scrapes.add(new ScrapeRow(0, now, now + 1_000_000, samples, ""));
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
      requests.add(
          new RequestRow(
              requests.size(), phase, "default", 0, 0, "r" + requests.size(), prompt, output,
              new RequestRow.Times(at, at, -1, -1, at, at, times[0], nanos),
              new RequestRow.Chunks(times, ones, 0),
              new RequestRow.Usage(prompt, ending.generatedTokens(), 0),
              new RequestRow.Ending(Outcome.OK, 200, ending.finishReason(), ""),
              RequestRow.EngineTimings.NONE));
    }
  }

  @Override
  public Manifest manifest() {
    return new Manifest(
        1, shape.runId(), "virtual", Manifest.Source.VIRTUAL, shape.seed(), "", "tiny",
        List.of(Target.at("http://virtual:8000")), Map.of("mix", shape.mix()),
        Map.of("engine", EngineSettings.VERSION), Map.of(),
        new Manifest.Clock(0, 0, 0),
        new Manifest.Ending(
            Manifest.Ending.State.COMPLETED, "", requests.size(), scrapes.size(), 0),
            PromptForm.UNKNOWN);
  }

  @Override
  public Settings settings() {
    return new Settings(
        "virtual", shape.seed(), Endpoint.COMPLETIONS, "tiny",
        List.of(Target.at("http://virtual:8000")), LoopShape.OPEN, 0, phases,
        List.of(new Objective(Objective.Metric.TTFT, 1, 0.99, "")),
        new Settings.Timing(
            phases.getLast().endNanos(), shape.scrapeSeconds() * SECOND, 600 * SECOND),
        new Settings.RequestOptions(true, false, false, "{}", Map.of()),
        Map.of("mix", shape.mix()));
  }

  @Override
  public long plannedRequests() {
    return requests.size();
  }

  @Override
  public void eachRequest(Consumer<RequestRow> reader) {
    requests.forEach(reader);
  }

  @Override
  public void eachScrape(Consumer<ScrapeRow> reader) {
    scrapes.forEach(reader);
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {
    reader.accept(new HarnessRow.Mark(0, HarnessRow.Mark.Kind.WINDOW_ORIGIN, ""));
  }

  @Override
  public List<String> faults() {
    return List.of();
  }
}
