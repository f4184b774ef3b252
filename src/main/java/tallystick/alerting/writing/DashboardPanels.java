package tallystick.alerting.writing;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.writing.BoardPanel.Query;
import tallystick.runrecord.ClientMetric;
import tallystick.runrecord.MetricConcept;

/** The panels of the production dashboard: what users feel first, then why. */
record DashboardPanels(DerivedAlerts derived, SignalQuery board) {
  private static final String RANGE = "$__rate_interval";

  /** When the client's panels show anything. */
  private static final String LOAD_TEST =
      "The client is there while tally run has --metrics-port or sends OTLP. ";

  static DashboardPanels of(DerivedAlerts derived) {
    return new DashboardPanels(derived, BoardPanel.query(derived));
  }

  /** The panels in reading order. */
  List<BoardPanel> all() {
    List<BoardPanel> objective = new SloPanels(derived, board).all();
    return Stream.of(objective, served(), asked(), gpus(), besideTheClient())
        .flatMap(List::stream)
        .toList();
  }

  private List<BoardPanel> served() {
    return List.of(
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
        BoardPanel.of(
                "Waiting and running requests", "short",
                gauge("sum", MetricConcept.WAITING, "waiting"),
                gauge("sum", MetricConcept.RUNNING, "running"))
            .above(thresholds(Signal.WAITING_MEAN))
            .answeredBy("VLLMEngineStuck"),
        BoardPanel.of(
                "Preemptions", "reqps", counter(MetricConcept.PREEMPTIONS, "preemptions/s"))
            .answeredBy("VLLMPreemptionRelatedDegradation"),
        BoardPanel.of(
                "KV-cache usage", "percentunit",
                gauge("max", MetricConcept.KV_CACHE_USAGE, "usage"))
            .above(thresholds(Signal.KV_MEAN))
            .answeredBy("VLLMPreemptionRelatedDegradation"));
  }

  private List<BoardPanel> asked() {
    return List.of(
        BoardPanel.of(
            "Tokens per second", "short",
            counter(MetricConcept.PROMPT_TOKENS, "prompt tokens/s"),
            counter(MetricConcept.GENERATION_TOKENS, "output tokens/s")),
        BoardPanel.of(
            "Prompt and output length", "short",
            quantile("0.5", MetricConcept.REQUEST_PROMPT_TOKENS, "prompt P50"),
            quantile("0.95", MetricConcept.REQUEST_PROMPT_TOKENS, "prompt P95"),
            quantile("0.5", MetricConcept.REQUEST_GENERATION_TOKENS, "output P50"),
            quantile("0.95", MetricConcept.REQUEST_GENERATION_TOKENS, "output P95")),
        // A floor of 1 under the rate of queries would falsify it below one token a second.
        BoardPanel.of(
            "Prefix-cache hit ratio", "percentunit",
            line(
                SignalQuery.ratio(
                    board.counter("rate", MetricConcept.PREFIX_HITS, RANGE),
                    board.counter("rate", MetricConcept.PREFIX_QUERIES, RANGE)),
                "hit ratio")));
  }

  private List<BoardPanel> besideTheClient() {
    return List.of(
        beside("Time to first token: client and engine", MetricConcept.TTFT,
            ClientMetric.FIRST_TOKEN),
        beside("Time between tokens: client and engine", MetricConcept.ITL,
            ClientMetric.CHUNK_GAP),
        BoardPanel.of(
                "Requests in flight at the client", "short",
                List.of(
                    Query.of("sum by (run) (tally_requests_in_flight)", "{{run}}"),
                    Query.of(
                        "sum by (outcome) (rate(" + ClientMetric.ENDED.text()
                            + "{outcome!=\"ok\"}[" + RANGE + "]))",
                        "{{outcome}}/s")))
            .noted(LOAD_TEST));
  }

  /** The same percentile of both sides, read from the same buckets. */
  private BoardPanel beside(String title, MetricConcept concept, ClientMetric client) {
    String from = client == ClientMetric.FIRST_TOKEN ? "{from=\"started\"}" : "";
    String buckets = client.text() + "_bucket" + from + "[" + RANGE + "]";
    return BoardPanel.of(
            title, "s", quantile("0.95", concept, "engine P95"),
            List.of(
                Query.of(
                    "histogram_quantile(0.95, sum by (le) (rate(" + buckets + ")))",
                    "client P95")))
        .noted(LOAD_TEST);
  }

  /** Requests that never reached the engine are in no engine metric. */
  private BoardPanel boundary() {
    String family =
        board.names().family(MetricConcept.HTTP_REQUESTS).orElse("http_requests_total");
    String bad = family + "{handler=~\"/v1/.*\",status!~\"2..|2xx\"}[" + RANGE + "]";
    String total = "sum(rate(" + family + "{handler=~\"/v1/.*\"}[" + RANGE + "]))";
    return BoardPanel.of(
        "Incoming requests and errors at the HTTP boundary",
        "reqps",
        List.of(
            Query.of(total, "requests/s"),
            Query.of("sum by (status) (rate(" + bad + "))", "{{status}}"),
            Query.of("sum(rate(" + bad + ")) / (" + total + " > 0)", "error ratio")));
  }

  private BoardPanel latency(String title, MetricConcept concept, boolean both, Signal signal) {
    List<Query> count =
        board.names().family(concept).stream()
            .map(family -> board.scoped(family + "_count"))
            .map(
                events ->
                    new Query(
                        "sum by (model_name) (increase(" + events + "[5m]))",
                        "observations in 5m {{model_name}}", true))
            .toList();
    return BoardPanel.of(
            title, "s", quantile("0.95", concept, "P95"),
            both ? quantile("0.99", concept, "P99") : List.of(), count)
        .above(thresholds(signal));
  }

  private static List<BoardPanel> gpus() {
    return List.of(
        BoardPanel.of(
            "GPU utilisation and throttling", "short",
            List.of(
                Query.of("avg by (gpu) (DCGM_FI_DEV_GPU_UTIL)", "utilisation % GPU {{gpu}}"),
                Query.of(
                    "sum by (gpu) (rate(DCGM_FI_DEV_POWER_VIOLATION[" + RANGE + "]))",
                    "throttled by power GPU {{gpu}}"),
                Query.of(
                    "sum by (gpu) (rate(DCGM_FI_DEV_THERMAL_VIOLATION[" + RANGE + "]))",
                    "throttled by heat GPU {{gpu}}"))),
        BoardPanel.of(
            "GPU memory, power and clocks", "short",
            List.of(
                Query.of("sum by (gpu) (DCGM_FI_DEV_FB_USED)", "memory MiB GPU {{gpu}}"),
                Query.of("sum by (gpu) (DCGM_FI_DEV_POWER_USAGE)", "power W GPU {{gpu}}"),
                Query.of("avg by (gpu) (DCGM_FI_DEV_SM_CLOCK)", "clock MHz GPU {{gpu}}"))),
        BoardPanel.of(
            "GPU errors", "short",
            List.of(Query.of("max by (gpu) (DCGM_FI_DEV_XID_ERRORS)", "last XID GPU {{gpu}}"))));
  }

  private List<Query> quantile(String level, MetricConcept concept, String what) {
    return line(board.quantile(level, concept, RANGE), what);
  }

  private List<Query> counter(MetricConcept concept, String what) {
    return line(board.counter("rate", concept, RANGE), what);
  }

  private List<Query> gauge(String across, MetricConcept concept, String what) {
    return line(
        board.names()
            .family(concept)
            .map(family -> across + " by (model_name) (" + board.scoped(family) + ")"),
        what);
  }

  /** A line for each model; none where the engine does not expose what it needs. */
  private static List<Query> line(Optional<String> expression, String what) {
    return expression.map(text -> Query.of(text, what + " {{model_name}}")).stream().toList();
  }

  /** Those on the scale of the signal's own panel: a share is none of seconds. */
  private List<Double> thresholds(Signal signal) {
    return derived.derived(signal).stream()
        .filter(any -> signal != Signal.BAD_RATIO)
        .map(SignalOutcome.Derived::threshold)
        .toList();
  }
}
