package tallystick.alerting.writing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.EngineNames;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.runrecord.MetricConcept;

/** The panels of the production dashboard: what users feel first, then why. */
final class DashboardPanels {
  static final String FILTER = "cluster=~\"$cluster\",model_name=~\"$model\"";
  private static final String FILTERED = "{" + FILTER + "}";
  private static final String RANGE = "[$__rate_interval]";

  private final DerivedAlerts derived;
  private final EngineNames names;

  DashboardPanels(DerivedAlerts derived) {
    this.derived = derived;
    this.names = derived.query().names();
  }

  /**
   * One panel.
   *
   * @param unit Grafana's name of the unit
   * @param thresholds drawn as lines, ascending
   * @param alert whose entry of the runbook belongs to it
   * @param note what a reader must know
   */
  record Panel(
      Kind kind,
      String title,
      String unit,
      List<Query> queries,
      List<Double> thresholds,
      Optional<String> alert,
      String note) {
    /** How it is drawn. */
    enum Kind {
      /** Over time. */
      LINES,
      /** One number, good above its threshold. */
      STAT
    }

    private static Panel of(String title, String unit, List<Query> queries) {
      return new Panel(Kind.LINES, title, unit, queries, List.of(), Optional.empty(), "");
    }

    private Panel answeredBy(String name) {
      return new Panel(kind, title, unit, queries, thresholds, Optional.of(name), note);
    }
  }

  /**
   * One line of a panel.
   *
   * @param countAxis whether it is a number of requests, drawn on the right
   */
  record Query(String expression, String legend, boolean countAxis) {
    static Query of(String expression, String legend) {
      return new Query(expression, legend, false);
    }
  }

  /** The panels in reading order. */
  List<Panel> all() {
    List<Panel> panels = new ArrayList<>(new SloPanels(derived).all());
    panels.addAll(
        List.of(
            boundary().answeredBy("VLLMAvailabilityBudgetBurnPage"),
            latency("Time to first token", MetricConcept.TTFT, true, Signal.TTFT_P95)
                .answeredBy("VLLMHighTTFT"),
            latency("Inter-token latency", MetricConcept.ITL, true, Signal.ITL_P99)
                .answeredBy("VLLMHighITL"),
            latency("Time per output token", MetricConcept.TPOT, false, Signal.TPOT_P95)
                .answeredBy("VLLMHighTPOT"),
            latency("End-to-end latency in the engine", MetricConcept.E2E, false, Signal.BAD_RATIO),
            latency("Queue time", MetricConcept.QUEUE_TIME, false, Signal.QUEUE_P95)
                .answeredBy("VLLMQueueTimeHigh"),
            panel("Waiting and running requests", "short", waiting(), Signal.WAITING_MEAN)
                .answeredBy("VLLMEngineStuck"),
            Panel.of("Preemptions", "reqps", preemptions())
                .answeredBy("VLLMPreemptionRelatedDegradation"),
            panel("KV-cache usage", "percentunit", kvCache(), Signal.KV_MEAN)
                .answeredBy("VLLMPreemptionRelatedDegradation")));
    panels.addAll(
        List.of(
            Panel.of("Tokens per second", "short", tokens()),
            Panel.of("Prompt and output length", "short", lengths()),
            Panel.of("Prefix-cache hit ratio", "percentunit", prefix()),
            Panel.of("GPU utilisation and throttling", "short", gpuLoad()),
            Panel.of("GPU memory, power and clocks", "short", gpuState()),
            Panel.of("GPU errors", "short", gpuErrors())));
    return panels;
  }

  /** Requests that never reached the engine are in no engine metric. */
  private Panel boundary() {
    String family = names.family(MetricConcept.HTTP_REQUESTS).orElse("http_requests_total");
    String all = family + "{handler=~\"/v1/.*\"}";
    String bad = family + "{handler=~\"/v1/.*\",status!~\"2..|2xx\"}";
    String total = "sum(rate(" + all + RANGE + "))";
    return Panel.of(
        "Incoming requests and errors at the HTTP boundary",
        "reqps",
        List.of(
            Query.of(total, "requests/s"),
            Query.of("sum by (status) (rate(" + bad + RANGE + "))", "{{status}}"),
            Query.of(
                "sum(rate(" + bad + RANGE + ")) / (" + total + " > 0)", "error ratio")));
  }

  private Panel latency(String title, MetricConcept concept, boolean both, Signal signal) {
    List<Query> queries = new ArrayList<>();
    names
        .family(concept)
        .ifPresent(
            family -> {
              queries.add(Query.of(quantile("0.95", family), "P95 {{model_name}}"));
              if (both) {
                queries.add(Query.of(quantile("0.99", family), "P99 {{model_name}}"));
              }
              queries.add(
                  new Query(
                      "sum by (model_name) (increase(" + family + "_count" + FILTERED + "[5m]))",
                      "observations in 5m {{model_name}}",
                      true));
            });
    return panel(title, "s", queries, signal);
  }

  private static String quantile(String level, String family) {
    return "histogram_quantile(%s, sum by (le, model_name) (rate(%s_bucket%s%s)))"
        .formatted(level, family, FILTERED, RANGE);
  }

  private List<Query> waiting() {
    return both(
        gauge("sum", MetricConcept.WAITING, "waiting"),
        gauge("sum", MetricConcept.RUNNING, "running"));
  }

  private List<Query> preemptions() {
    return counter(MetricConcept.PREEMPTIONS, "preemptions/s");
  }

  private List<Query> kvCache() {
    return gauge("max", MetricConcept.KV_CACHE_USAGE, "usage");
  }

  private List<Query> tokens() {
    return both(
        counter(MetricConcept.PROMPT_TOKENS, "prompt tokens/s"),
        counter(MetricConcept.GENERATION_TOKENS, "output tokens/s"));
  }

  private List<Query> lengths() {
    return both(
        length(MetricConcept.REQUEST_PROMPT_TOKENS, "prompt"),
        length(MetricConcept.REQUEST_GENERATION_TOKENS, "output"));
  }

  private List<Query> length(MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(
            family ->
                List.of(
                    Query.of(quantile("0.5", family), what + " P50 {{model_name}}"),
                    Query.of(quantile("0.95", family), what + " P95 {{model_name}}")))
        .orElse(List.of());
  }

  /** A floor of 1 under the rate of queries would falsify the ratio below one token a second. */
  private List<Query> prefix() {
    Optional<String> hits = names.family(MetricConcept.PREFIX_HITS);
    Optional<String> queries = names.family(MetricConcept.PREFIX_QUERIES);
    if (hits.isEmpty() || queries.isEmpty()) {
      return List.of();
    }
    return List.of(
        Query.of(
            rate(hits.get()) + " / (" + rate(queries.get()) + " > 0)",
            "hit ratio {{model_name}}"));
  }

  private static List<Query> gpuLoad() {
    return List.of(
        Query.of("avg by (gpu) (DCGM_FI_DEV_GPU_UTIL)", "utilisation % GPU {{gpu}}"),
        Query.of(
            "sum by (gpu) (rate(DCGM_FI_DEV_POWER_VIOLATION" + RANGE + "))",
            "throttled by power GPU {{gpu}}"),
        Query.of(
            "sum by (gpu) (rate(DCGM_FI_DEV_THERMAL_VIOLATION" + RANGE + "))",
            "throttled by heat GPU {{gpu}}"));
  }

  private static List<Query> gpuState() {
    return List.of(
        Query.of("sum by (gpu) (DCGM_FI_DEV_FB_USED)", "memory MiB GPU {{gpu}}"),
        Query.of("sum by (gpu) (DCGM_FI_DEV_POWER_USAGE)", "power W GPU {{gpu}}"),
        Query.of("avg by (gpu) (DCGM_FI_DEV_SM_CLOCK)", "clock MHz GPU {{gpu}}"));
  }

  private static List<Query> gpuErrors() {
    return List.of(Query.of("max by (gpu) (DCGM_FI_DEV_XID_ERRORS)", "last XID GPU {{gpu}}"));
  }

  private List<Query> counter(MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(family -> List.of(Query.of(rate(family), what + " {{model_name}}")))
        .orElse(List.of());
  }

  private static String rate(String family) {
    return "sum by (model_name) (rate(" + family + FILTERED + RANGE + "))";
  }

  private List<Query> gauge(String across, MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(
            family ->
                List.of(
                    Query.of(
                        across + " by (model_name) (" + family + FILTERED + ")",
                        what + " {{model_name}}")))
        .orElse(List.of());
  }

  private static List<Query> both(List<Query> first, List<Query> second) {
    List<Query> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  private Panel panel(String title, String unit, List<Query> queries, Signal signal) {
    boolean sameScale = signal != Signal.BAD_RATIO;
    List<Double> thresholds =
        derived.derived(signal).stream()
            .filter(any -> sameScale)
            .map(SignalOutcome.Derived::threshold)
            .toList();
    return new Panel(
        Panel.Kind.LINES, title, unit, queries, thresholds, Optional.empty(), "");
  }
}
