package tallystick.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

/** What an engine would expose; observe as the engine does, then scrape. */
public final class Exposition {
  private static final double[] TTFT = {
    .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };
  private static final double[] ITL = {.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1};
  private static final double[] LATENCY = {.3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30};

  private final Map<Series, Double> values =
      new TreeMap<>(Comparator.comparing(Series::name).thenComparing(s -> s.labels().toString()));
  private final String prefix;
  private final Map<String, String> owner;

  public Exposition() {
    this("vllm:", "0");
  }

  public Exposition(String prefix, String engine) {
    this(prefix, engine, "tiny");
  }

  public Exposition(String prefix, String engine, String model) {
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

  public Exposition count(String name, double more) {
    return add(name, owner, Series.Type.COUNTER, more);
  }

  public Exposition success(String reason, double more) {
    Map<String, String> labels = new HashMap<>(owner);
    labels.put("finished_reason", reason);
    return add("request_success_total", labels, Series.Type.COUNTER, more);
  }

  public Exposition gauge(String name, double value) {
    values.put(Series.of(prefix + name, owner, Series.Type.GAUGE), value);
    return this;
  }

  /** One observation; NaN only creates the family. */
  public Exposition observe(String family, double value) {
    return observe(family, value, Double.isNaN(value) ? 0 : 1);
  }

  /** The same observation several times. */
  public Exposition observe(String family, double value, int times) {
    for (double edge : edges(family)) {
      bucket(family, Double.toString(edge), value <= edge ? times : 0);
    }
    bucket(family, "+Inf", times);
    add(family + "_sum", owner, Series.Type.HISTOGRAM, times == 0 ? 0 : value * times);
    return add(family + "_count", owner, Series.Type.HISTOGRAM, times);
  }

  /** Everything a good request of the builder's shape leaves in an engine. */
  public Exposition serve(RequestRow row, double overhead) {
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
    Map<Long, Integer> gaps = new TreeMap<>();
    for (int i = 1; i < row.chunks().size(); i++) {
      gaps.merge(
          row.chunks().arrivalNanos()[i] - row.chunks().arrivalNanos()[i - 1], 1, Integer::sum);
    }
    gaps.forEach((gap, times) -> observe("inter_token_latency_seconds", gap / 1e9, times));
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
