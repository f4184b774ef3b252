package tallystick.alerting.writing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.EngineNames;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.runrecord.ClientMetric;
import tallystick.runrecord.MetricConcept;

/** The panels of the production dashboard: what users feel first, then why. */
final class DashboardPanels {
  private static final String FILTERED = "{" + BoardPanel.FILTER + "}";
  private static final String RANGE = "[$__rate_interval]";

  /** When the client's panels show anything. */
  private static final String LOAD_TEST =
      "The client is there while tally run has --metrics-port or sends OTLP. ";

  private final DerivedAlerts derived;
  private final EngineNames names;

  DashboardPanels(DerivedAlerts derived) {
    this.derived = derived;
    this.names = derived.query().names();
  }

  /** The panels in reading order. */
  List<BoardPanel> all() {
    List<BoardPanel> panels = new ArrayList<>(new SloPanels(derived).all());
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
            BoardPanel.of("Preemptions", "reqps", preemptions())
                .answeredBy("VLLMPreemptionRelatedDegradation"),
            panel("KV-cache usage", "percentunit", kvCache(), Signal.KV_MEAN)
                .answeredBy("VLLMPreemptionRelatedDegradation")));
    panels.addAll(
        List.of(
            BoardPanel.of("Tokens per second", "short", tokens()),
            BoardPanel.of("Prompt and output length", "short", lengths()),
            BoardPanel.of("Prefix-cache hit ratio", "percentunit", prefix()),
            BoardPanel.of("GPU utilisation and throttling", "short", gpuLoad()),
            BoardPanel.of("GPU memory, power and clocks", "short", gpuState()),
            BoardPanel.of("GPU errors", "short", gpuErrors())));
    panels.addAll(
        List.of(
            beside("Time to first token: client and engine", MetricConcept.TTFT,
                ClientMetric.FIRST_TOKEN),
            beside("Time between tokens: client and engine", MetricConcept.ITL,
                ClientMetric.CHUNK_GAP),
            new BoardPanel(
                BoardPanel.Kind.LINES, "Requests in flight at the client", "short",
                List.of(
                    BoardPanel.Query.of("sum by (run) (tally_requests_in_flight)", "{{run}}"),
                    BoardPanel.Query.of(
                        "sum by (outcome) (rate(" + ClientMetric.ENDED.text()
                            + "{outcome!=\"ok\"}" + RANGE + "))",
                        "{{outcome}}/s")),
                List.of(), Optional.empty(), LOAD_TEST)));
    return panels;
  }

  /** The same percentile of both sides, read from the same buckets. */
  private BoardPanel beside(String title, MetricConcept concept, ClientMetric client) {
    List<BoardPanel.Query> queries = new ArrayList<>();
    names.family(concept).ifPresent(
        family ->
            queries.add(
                BoardPanel.Query.of(quantile("0.95", family), "engine P95 {{model_name}}")));
    queries.add(
        BoardPanel.Query.of(
            "histogram_quantile(0.95, sum by (le) (rate(" + client.text() + "_bucket"
                + (client == ClientMetric.FIRST_TOKEN ? "{from=\"started\"}" : "") + RANGE
                + ")))",
            "client P95"));
    return new BoardPanel(
        BoardPanel.Kind.LINES, title, "s", queries, List.of(), Optional.empty(), LOAD_TEST);
  }

  /** Requests that never reached the engine are in no engine metric. */
  private BoardPanel boundary() {
    String family = names.family(MetricConcept.HTTP_REQUESTS).orElse("http_requests_total");
    String all = family + "{handler=~\"/v1/.*\"}";
    String bad = family + "{handler=~\"/v1/.*\",status!~\"2..|2xx\"}";
    String total = "sum(rate(" + all + RANGE + "))";
    return BoardPanel.of(
        "Incoming requests and errors at the HTTP boundary",
        "reqps",
        List.of(
            BoardPanel.Query.of(total, "requests/s"),
            BoardPanel.Query.of("sum by (status) (rate(" + bad + RANGE + "))", "{{status}}"),
            BoardPanel.Query.of(
                "sum(rate(" + bad + RANGE + ")) / (" + total + " > 0)", "error ratio")));
  }

  private BoardPanel latency(String title, MetricConcept concept, boolean both, Signal signal) {
    List<BoardPanel.Query> queries = new ArrayList<>();
    names
        .family(concept)
        .ifPresent(
            family -> {
              queries.add(BoardPanel.Query.of(quantile("0.95", family), "P95 {{model_name}}"));
              if (both) {
                queries.add(BoardPanel.Query.of(quantile("0.99", family), "P99 {{model_name}}"));
              }
              queries.add(
                  new BoardPanel.Query(
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

  private List<BoardPanel.Query> waiting() {
    return both(
        gauge("sum", MetricConcept.WAITING, "waiting"),
        gauge("sum", MetricConcept.RUNNING, "running"));
  }

  private List<BoardPanel.Query> preemptions() {
    return counter(MetricConcept.PREEMPTIONS, "preemptions/s");
  }

  private List<BoardPanel.Query> kvCache() {
    return gauge("max", MetricConcept.KV_CACHE_USAGE, "usage");
  }

  private List<BoardPanel.Query> tokens() {
    return both(
        counter(MetricConcept.PROMPT_TOKENS, "prompt tokens/s"),
        counter(MetricConcept.GENERATION_TOKENS, "output tokens/s"));
  }

  private List<BoardPanel.Query> lengths() {
    return both(
        length(MetricConcept.REQUEST_PROMPT_TOKENS, "prompt"),
        length(MetricConcept.REQUEST_GENERATION_TOKENS, "output"));
  }

  private List<BoardPanel.Query> length(MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(
            family ->
                List.of(
                    BoardPanel.Query.of(quantile("0.5", family), what + " P50 {{model_name}}"),
                    BoardPanel.Query.of(quantile("0.95", family), what + " P95 {{model_name}}")))
        .orElse(List.of());
  }

  /** A floor of 1 under the rate of queries would falsify the ratio below one token a second. */
  private List<BoardPanel.Query> prefix() {
    Optional<String> hits = names.family(MetricConcept.PREFIX_HITS);
    Optional<String> queries = names.family(MetricConcept.PREFIX_QUERIES);
    if (hits.isEmpty() || queries.isEmpty()) {
      return List.of();
    }
    return List.of(
        BoardPanel.Query.of(
            rate(hits.get()) + " / (" + rate(queries.get()) + " > 0)",
            "hit ratio {{model_name}}"));
  }

  private static List<BoardPanel.Query> gpuLoad() {
    return List.of(
        BoardPanel.Query.of("avg by (gpu) (DCGM_FI_DEV_GPU_UTIL)", "utilisation % GPU {{gpu}}"),
        BoardPanel.Query.of(
            "sum by (gpu) (rate(DCGM_FI_DEV_POWER_VIOLATION" + RANGE + "))",
            "throttled by power GPU {{gpu}}"),
        BoardPanel.Query.of(
            "sum by (gpu) (rate(DCGM_FI_DEV_THERMAL_VIOLATION" + RANGE + "))",
            "throttled by heat GPU {{gpu}}"));
  }

  private static List<BoardPanel.Query> gpuState() {
    return List.of(
        BoardPanel.Query.of("sum by (gpu) (DCGM_FI_DEV_FB_USED)", "memory MiB GPU {{gpu}}"),
        BoardPanel.Query.of("sum by (gpu) (DCGM_FI_DEV_POWER_USAGE)", "power W GPU {{gpu}}"),
        BoardPanel.Query.of("avg by (gpu) (DCGM_FI_DEV_SM_CLOCK)", "clock MHz GPU {{gpu}}"));
  }

  private static List<BoardPanel.Query> gpuErrors() {
    return List.of(
        BoardPanel.Query.of("max by (gpu) (DCGM_FI_DEV_XID_ERRORS)", "last XID GPU {{gpu}}"));
  }

  private List<BoardPanel.Query> counter(MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(family -> List.of(BoardPanel.Query.of(rate(family), what + " {{model_name}}")))
        .orElse(List.of());
  }

  private static String rate(String family) {
    return "sum by (model_name) (rate(" + family + FILTERED + RANGE + "))";
  }

  private List<BoardPanel.Query> gauge(String across, MetricConcept concept, String what) {
    return names
        .family(concept)
        .map(
            family ->
                List.of(
                    BoardPanel.Query.of(
                        across + " by (model_name) (" + family + FILTERED + ")",
                        what + " {{model_name}}")))
        .orElse(List.of());
  }

  private static List<BoardPanel.Query> both(
      List<BoardPanel.Query> first, List<BoardPanel.Query> second) {
    List<BoardPanel.Query> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  private BoardPanel panel(
      String title, String unit, List<BoardPanel.Query> queries, Signal signal) {
    boolean sameScale = signal != Signal.BAD_RATIO;
    List<Double> thresholds =
        derived.derived(signal).stream()
            .filter(any -> sameScale)
            .map(SignalOutcome.Derived::threshold)
            .toList();
    return new BoardPanel(
        BoardPanel.Kind.LINES, title, unit, queries, thresholds, Optional.empty(), "");
  }
}
