package tallystick.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tallystick.runrecord.PromptForm;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.SpanRow;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Exporter;
import tallystick.scenario.Objective;
import tallystick.scenario.Scenario.Access;
import tallystick.scenario.Scenario.StopRules;
import tallystick.scenario.Target;

/** A run record in memory, built by hand; times in seconds after the run's origin. */
final class MemoryRun implements RunRows {
  static final long SECOND = 1_000_000_000L;

  final List<RequestRow> requests = new ArrayList<>();
  final List<ScrapeRow> scrapes = new ArrayList<>();
  final List<Exporter> exporters = new ArrayList<>();
  final List<ScrapeRow> exporterScrapes = new ArrayList<>();
  final List<HarnessRow> harness = new ArrayList<>();
  final List<SpanRow> spans = new ArrayList<>();
  final List<Objective> objectives = new ArrayList<>();
  final List<Phase> phases = new ArrayList<>();
  final List<Target> targets = new ArrayList<>();
  final Map<Integer, Integer> choices = new HashMap<>();
  final List<String> faults = new ArrayList<>();
  LoopShape loop = LoopShape.OPEN;
  Manifest.Source source = Manifest.Source.REAL;
  Manifest.Ending.State state = Manifest.Ending.State.COMPLETED;
  Manifest.Clock clock = new Manifest.Clock(1_700_000_000L * SECOND, 0, 0);
  boolean samePrompts;
  String extraBody = "";
  long planned = -1;
  double scrapeIntervalSeconds = 1;
  int concurrency;

  MemoryRun() {
    targets.add(Target.at("http://127.0.0.1:8000"));
    phases.add(new Phase("main", false, 0, 60 * SECOND, 1));
  }

  /** Marks of a whole run whose window goes from {@code from} to {@code to}. */
  MemoryRun window(double from, double to) {
    mark(from - 1, Mark.Kind.QUIET_BEFORE_WINDOW);
    mark(from, Mark.Kind.WINDOW_ORIGIN);
    mark(to, Mark.Kind.WINDOW_DRAINED);
    mark(to + 3, Mark.Kind.QUIET_AFTER_WINDOW);
    return this;
  }

  MemoryRun mark(double at, Mark.Kind kind) {
    harness.add(new Mark(nanos(at), kind, ""));
    return this;
  }

  /** A scrape with whatever this exposition holds at the moment. */
  MemoryRun scrape(double at, Exposition exposition) {
    return scrape(0, at, exposition);
  }

  MemoryRun scrape(int target, double at, Exposition exposition) {
    scrapes.add(
        new ScrapeRow(target, nanos(at), nanos(at) + 1_000_000, exposition.samples(), ""));
    return this;
  }

  MemoryRun exporterScrape(int exporter, double at, List<Sample> samples) {
    exporterScrapes.add(new ScrapeRow(exporter, nanos(at), nanos(at) + 1_000_000, samples, ""));
    return this;
  }

  MemoryRun failedScrape(double at) {
    scrapes.add(new ScrapeRow(0, nanos(at), nanos(at) + 1_000_000, List.of(), "timed out"));
    return this;
  }

  static long nanos(double seconds) {
    return Math.round(seconds * SECOND);
  }

  RunAnalysis analyze() {
    requests.sort(Comparator.comparingLong(row -> row.times().ended()));
    scrapes.sort(Comparator.comparingLong(ScrapeRow::startedNanos));
    harness.sort(Comparator.comparingLong(HarnessRow::atNanos));
    return Analyzer.analyze(this);
  }

  @Override
  public Manifest manifest() {
    return new Manifest(
        1, "run-1", "test", source, 7, "nonce", "tiny", targets, Map.of(), Map.of(), Map.of(),
        clock, new Manifest.Ending(state, "", requests.size(), scrapes.size(), 0),
        PromptForm.UNKNOWN);
  }

  @Override
  public Settings settings() {
    return new Settings(
        "test", 7, Endpoint.COMPLETIONS, "tiny", targets, loop, concurrency, phases, objectives,
        new Settings.Timing(60 * SECOND, nanos(scrapeIntervalSeconds), 60 * SECOND),
        new Settings.RequestOptions(true, samePrompts, true, extraBody, Map.of()), Map.of(),
        List.of(), Access.PLAIN, StopRules.NEVER, exporters);
  }

  @Override
  public long plannedRequests() {
    return planned >= 0 ? planned : requests.size();
  }

  @Override
  public int choices(int requestIndex) {
    return choices.getOrDefault(requestIndex, 1);
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
  public void eachExporterScrape(Consumer<ScrapeRow> reader) {
    exporterScrapes.forEach(reader);
  }

  @Override
  public void eachHarness(Consumer<HarnessRow> reader) {
    harness.forEach(reader);
  }

  @Override
  public void eachSpan(Consumer<SpanRow> reader) {
    spans.forEach(reader);
  }

  @Override
  public List<String> faults() {
    return faults;
  }

  /** One request, built step by step; a good one of four tokens unless told otherwise. */
  static final class RequestBuilder {
    private final int index;
    private String phase = "main";
    private double intended;
    private double lateness;
    private double ttft = 0.1;
    private double[] gaps = {0.01, 0.01, 0.01};
    private int[] tokens = {};
    private Outcome outcome = Outcome.OK;
    private int status = 200;
    private String finish = "length";
    private int promptTokens = 10;
    private int maxTokens = 4;
    private int usagePrompt = 10;
    private int usageCompletion = 4;
    private boolean streamed = true;

    RequestBuilder(int index, double intended) {
      this.index = index;
      this.intended = intended;
    }

    RequestBuilder phase(String name) {
      phase = name;
      return this;
    }

    RequestBuilder late(double seconds) {
      lateness = seconds;
      return this;
    }

    RequestBuilder ttft(double seconds) {
      ttft = seconds;
      return this;
    }

    RequestBuilder gaps(double... seconds) {
      gaps = seconds;
      return this;
    }

    RequestBuilder tokens(int... perChunk) {
      tokens = perChunk;
      return this;
    }

    RequestBuilder usage(int prompt, int completion) {
      usagePrompt = prompt;
      usageCompletion = completion;
      return this;
    }

    RequestBuilder noUsage() {
      return usage(RequestRow.UNKNOWN, RequestRow.UNKNOWN);
    }

    RequestBuilder planned(int prompt, int max) {
      promptTokens = prompt;
      maxTokens = max;
      return this;
    }

    RequestBuilder finish(String reason) {
      finish = reason;
      return this;
    }

    RequestBuilder outcome(Outcome how, int httpStatus) {
      outcome = how;
      status = httpStatus;
      finish = "";
      return this;
    }

    RequestBuilder silent() {
      streamed = false;
      return noUsage();
    }

    RequestRow build() {
      long start = nanos(intended + lateness);
      long written = start + 100_000;
      long[] arrivals = new long[streamed ? gaps.length + 1 : 0];
      int[] perChunk = new int[arrivals.length];
      for (int i = 0; i < arrivals.length; i++) {
        arrivals[i] = i == 0 ? start + nanos(ttft) : arrivals[i - 1] + nanos(gaps[i - 1]);
        perChunk[i] = i < tokens.length ? tokens[i] : 1;
      }
      long end = streamed ? arrivals[arrivals.length - 1] + 500_000 : start + nanos(ttft);
      return new RequestRow(
          index, phase, "default", index, 0, "id-" + index, promptTokens, maxTokens,
          new RequestRow.Times(
              nanos(intended), start, RequestRow.NEVER, RequestRow.NEVER, written, end - 400_000,
              end - 300_000, end),
          new RequestRow.Chunks(arrivals, perChunk, 0),
          new RequestRow.Usage(usagePrompt, usageCompletion, RequestRow.UNKNOWN),
          new RequestRow.Ending(outcome, status, finish, ""),
          RequestRow.EngineTimings.NONE);
    }
  }

  static RequestBuilder request(int index, double intended) {
    return new RequestBuilder(index, intended);
  }

  /** What an engine would expose; observe as the engine does, then scrape. */
  static final class Exposition {
    private static final double[] TTFT = {
      .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
    };
    private static final double[] ITL = {.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1};
    private static final double[] LATENCY = {.3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30};

    private final Map<Series, Double> values =
        new TreeMap<>(Comparator.comparing(Series::name).thenComparing(s -> s.labels().toString()));
    private final String prefix;
    private final Map<String, String> owner;

    Exposition() {
      this("vllm:", "0");
    }

    Exposition(String prefix, String engine) {
      this(prefix, engine, "tiny");
    }

    Exposition(String prefix, String engine, String model) {
      this.prefix = prefix;
      this.owner = Map.of("model_name", model, "engine", engine);
      for (String name : List.of("prompt_tokens_total", "generation_tokens_total",
          "num_preemptions_total")) {
        count(name, 0);
      }
      success("stop", 0).success("length", 0).success("abort", 0);
      for (String family : List.of("time_to_first_token_seconds",
          "inter_token_latency_seconds", "request_time_per_output_token_seconds",
          "e2e_request_latency_seconds", "request_queue_time_seconds",
          "request_prefill_time_seconds", "request_decode_time_seconds",
          "request_prompt_tokens")) {
        observe(family, Double.NaN);
      }
      gauge("num_requests_running", 0).gauge("num_requests_waiting", 0);
      gauge("kv_cache_usage_perc", 0);
    }

    Exposition count(String name, double more) {
      return add(name, owner, Series.Type.COUNTER, more);
    }

    Exposition success(String reason, double more) {
      Map<String, String> labels = new HashMap<>(owner);
      labels.put("finished_reason", reason);
      return add("request_success_total", labels, Series.Type.COUNTER, more);
    }

    Exposition gauge(String name, double value) {
      values.put(Series.of(prefix + name, owner, Series.Type.GAUGE), value);
      return this;
    }

    /** One observation; NaN only creates the family. */
    Exposition observe(String family, double value) {
      return observe(family, value, Double.isNaN(value) ? 0 : 1);
    }

    /** The same observation several times. */
    Exposition observe(String family, double value, int times) {
      for (double edge : edges(family)) {
        bucket(family, Double.toString(edge), value <= edge ? times : 0);
      }
      bucket(family, "+Inf", times);
      add(family + "_sum", owner, Series.Type.HISTOGRAM, times == 0 ? 0 : value * times);
      return add(family + "_count", owner, Series.Type.HISTOGRAM, times);
    }

    /** Everything a good request of the builder's shape leaves in an engine. */
    Exposition serve(RequestRow row, double overhead) {
      long written = row.times().written();
      double ttft = (row.firstTokenNanos() - written) / 1e9 - overhead;
      double e2e = (row.lastTokenNanos() - written) / 1e9 - overhead;
      int tokens = row.usage().completionTokens();
      count("prompt_tokens_total", row.usage().promptTokens());
      count("generation_tokens_total", tokens);
      success(row.ending().finishReason(), 1);
      observe("time_to_first_token_seconds", ttft);
      observe("e2e_request_latency_seconds", e2e);
      observe("request_queue_time_seconds", ttft * 0.25);
      observe("request_prefill_time_seconds", ttft * 0.5);
      observe("request_decode_time_seconds", e2e - ttft);
      observe("request_prompt_tokens", row.usage().promptTokens());
      observe("request_time_per_output_token_seconds", (e2e - ttft) / Math.max(1, tokens - 1));
      for (int i = 1; i < row.chunks().size(); i++) {
        long gap = row.chunks().arrivalNanos()[i] - row.chunks().arrivalNanos()[i - 1];
        observe("inter_token_latency_seconds", gap / 1e9);
      }
      return this;
    }

    Exposition put(Series series, double value) {
      values.put(series, value);
      return this;
    }

    List<Sample> samples() {
      List<Sample> samples = new ArrayList<>();
      values.forEach((series, value) -> samples.add(new Sample(series, value)));
      return samples;
    }

    private static double[] edges(String family) {
      if (family.startsWith("time_to_first")) {
        return TTFT;
      }
      boolean step = family.startsWith("inter_token") || family.contains("per_output");
      return step ? ITL : LATENCY;
    }

    private void bucket(String family, String edge, double more) {
      Map<String, String> labels = new HashMap<>(owner);
      labels.put("le", edge);
      add(family + "_bucket", labels, Series.Type.HISTOGRAM, more);
    }

    private Exposition add(
        String name, Map<String, String> labels, Series.Type type, double more) {
      values.merge(Series.of(prefix + name, labels, type), more, Double::sum);
      return this;
    }
  }
}
