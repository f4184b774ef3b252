package tallystick.scenario;

import static tallystick.scenario.ValueType.AT_LEAST_0;
import static tallystick.scenario.ValueType.MUST;
import static tallystick.scenario.ValueType.NOTHING;
import static tallystick.scenario.ValueType.TEXT;
import static tallystick.scenario.ValueType.choice;
import static tallystick.scenario.ValueType.either;
import static tallystick.scenario.ValueType.key;
import static tallystick.scenario.ValueType.listOf;
import static tallystick.scenario.ValueType.value;
import static tallystick.scenario.ValueType.words;

import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.Names;
import tallystick.scenario.ValueType.Shared;
import tallystick.scenario.ValueType.Text;

/** The keys of the servers: the targets, and what is scraped beside them. */
final class ServerKeys {
  static final String EXPORTERS = "[{name: gpu, url: http://10.0.0.7:9400/metrics}]";
  private static final Text METRIC_NAME = new Text("[a-zA-Z_:][a-zA-Z0-9_:]*", "a metric name");
  private static final String FAMILY = "http_requests_total";

  /** Form of a label's name, as Prometheus has it. */
  static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";

  static final Shared URL =
      new Shared(
          "url", new Text("[hH][tT][tT][pP][sS]?://.*", ""), "target: http://127.0.0.1:8000",
          "An http or https address.");

  static final Shared TARGET =
      new Shared(
          "target",
          either(
              URL,
              Keys.of(
                  key("url", URL, "http://127.0.0.1:8000", MUST, "The server, without /v1."),
                  key("metrics_url", URL, "http://127.0.0.1:8000/metrics",
                      words("/metrics of the url; none for a gateway"),
                      "Where its metrics are, or the query API of a store that scrapes it."),
                  key("weight", AT_LEAST_0, "1", words("1; 0 for a prefill engine"),
                      "Its part of the requests beside the other targets' weights."),
                  key("role", choice("role", "prefill", "decode", "gateway"), "prefill",
                      words("an engine that does both"),
                      "A prefill engine computes prompts, a decode engine answers; a router"
                          + " asks both. A gateway passes requests on to targets of their own"
                          + " and is not scraped."))),
          "", "A server, by its URL or with more about it.");

  private static final Shared METRIC =
      new Shared(
          "metric",
          either(
              METRIC_NAME,
              Keys.of(
                  key("name", METRIC_NAME, "envoy_cluster_upstream_rq_total", MUST,
                      "Name of the metric as it is exposed."),
                  key("labels", new Names(LABEL, either(TEXT, listOf(TEXT))),
                      "{code: [\"500\", \"503\"]}", words("all series"),
                      "Label values that count, each one value or a list."),
                  key("by", new Text(LABEL, "a label name"), "code", words("not told apart"),
                      "Label that tells statuses apart: 200 and 204 become 2xx. Of requests"
                          + " and errors only."),
                  key("unit", choice("", "s", "ms", "us"), "ms", value("s"),
                      "Unit that a time is counted in. Of ttft, itl and e2e only."))),
          "", "A metric by its name alone, or with its labels and unit.");

  /** What a metric may mean. */
  static final Keys METRICS =
      Keys.of(
              key("requests", METRIC, FAMILY, NOTHING,
                  "Counter of requests, with or without _total."),
              key("errors", METRIC, FAMILY, NOTHING,
                  "Counter of failed requests, with or without _total."),
              key("prompt_tokens", METRIC, FAMILY, NOTHING,
                  "Counter of prompt tokens, or a histogram whose sum counts."),
              key("output_tokens", METRIC, FAMILY, NOTHING,
                  "Counter of output tokens, or a histogram whose sum counts."),
              key("ttft", METRIC, FAMILY, NOTHING,
                  "Histogram or summary of the time to the first token, by its name without"
                      + " _bucket."),
              key("itl", METRIC, FAMILY, NOTHING,
                  "Histogram or summary of the gaps between tokens, by its name without _bucket."),
              key("e2e", METRIC, FAMILY, NOTHING,
                  "Histogram or summary of whole requests, by its name without _bucket."),
              key("in_flight", METRIC, FAMILY, NOTHING, "Gauge of requests under way."))
          .shaped("meanings and metric names");

  static final Shared EXPORTER =
      new Shared(
          "exporter",
          Keys.of(
                  key("name",
                      new Text(
                          "[A-Za-z0-9][A-Za-z0-9_.-]*", "a name of letters, digits, _ . and -"),
                      "gpu", MUST,
                      "What the report calls it; not client, server or engine. Its credentials"
                          + " are environment variables that end in it:"
                          + " TALLY_METRICS_TOKEN_GPU for gpu, TALLY_METRICS_USER_NODE_1 for"
                          + " node-1."),
                  key("url", URL, "http://10.0.0.7:9400/metrics", MUST,
                      "Its metrics; or the query API of a Prometheus that scrapes it, with"
                          + " labels that select it: http://prometheus:9090/api/v1/query"
                          + "?job=dcgm&instance=10.0.0.7:9400."),
                  key("labels", new Names(LABEL, TEXT), "{gpu: \"0\"}", words("all series"),
                      "Only series with these label values are read by the analysis, for"
                          + " example the engine's own GPU."),
                  key("metrics", METRICS,
                      "{requests: envoy_cluster_upstream_rq_total}", words("known names only"),
                      "What metrics mean whose names are not known here."))
              .shaped("keys and values"),
          "", "One more endpoint with Prometheus metrics.");

  private ServerKeys() {}
}
