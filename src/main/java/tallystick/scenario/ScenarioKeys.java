package tallystick.scenario;

import static tallystick.scenario.ValueType.FLAG;
import static tallystick.scenario.ValueType.INNER_SHARE;
import static tallystick.scenario.ValueType.MUST;
import static tallystick.scenario.ValueType.NOTHING;
import static tallystick.scenario.ValueType.TEXT;
import static tallystick.scenario.ValueType.TIME;
import static tallystick.scenario.ValueType.TIME_OR_ZERO;
import static tallystick.scenario.ValueType.choice;
import static tallystick.scenario.ValueType.either;
import static tallystick.scenario.ValueType.key;
import static tallystick.scenario.ValueType.listOf;
import static tallystick.scenario.ValueType.value;
import static tallystick.scenario.ValueType.whole;
import static tallystick.scenario.ValueType.words;

import java.util.List;
import tallystick.reach.SecretPlace;
import tallystick.scenario.ValueType.Fields;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.Names;
import tallystick.scenario.ValueType.Rule;
import tallystick.scenario.ValueType.Shared;
import tallystick.scenario.ValueType.Text;

/**
 * Every key of a scenario with its type, bounds, example and description; the tables of
 * {@link WorkloadKeys}, {@link ObjectiveKeys} and {@link ServerKeys} are parts of it.
 */
final class ScenarioKeys {
  /** One part of a host's name. */
  private static final String HOST = "[\\w-]{1,63}";

  private static final Shared VARIABLE =
      new Shared(
          "variable", new Text(SecretPlace.ENV_NAME, ""), "VLLM_API_KEY",
          "Name of a variable of the environment.");
  static final Shared SECRET_PLACE =
      new Shared(
          "secret_place",
          Keys.of(
              key("env", VARIABLE, "TEAM_KEY", NOTHING, "The variable that holds the value."),
              key("file", TEXT, "key.txt", NOTHING, "The file that holds the value."))
              .ofWhichOne(),
          "", "A variable of the environment, or a file, that holds a secret.");
  private static final Shared TEXTS_OR_PLACES =
      new Shared(
          "texts_or_places", new Names(".+", either(TEXT, SECRET_PLACE)), "",
          "Names with their values; a secret is not written out, but where it is kept.");

  static final Keys REQUEST =
      Keys.of(
              key("ignore_eos", FLAG, "false", value("true"),
                  "Whether answers have exactly max_tokens tokens. Where a server answers"
                      + " otherwise, the finding answer_lengths says so."),
              key("same_prompts", FLAG, "true", value("false"),
                  "Whether every run sends the same prompts: without the run's nonce a prefix"
                      + " cache knows them."),
              key("continuous_usage", FLAG, "false", value("true"),
                  "Whether the server is asked for usage in every chunk, which tells its tokens."),
              key("usage", FLAG, "false", value("true"),
                  "Whether the server is asked to count tokens at all (stream_options); without it"
                      + " tokens are known only where each chunk tells them."),
              key("stream", FLAG, "false", value("true"),
                  "Whether answers come token by token. Without it a run tells E2E and tokens"
                      + " alone: when a whole answer's tokens were made, nobody outside knows."),
              key("token_limit", choice("", "max_tokens", "max_completion_tokens"),
                  "max_completion_tokens", value("max_tokens"),
                  "The field that bounds an answer; some servers take only the newer one."),
              key("extra_body", new Fields(), "{temperature: 0.7}", words("none"),
                  "Fields added to each body."),
              key("headers", TEXTS_OR_PLACES, "{X-Team: search}", words("none"),
                  "Headers added to each request, and to the request for metrics as the API key"
                      + " is. None that the client writes itself: X-Request-Id, traceparent, Host,"
                      + " Accept…, Content-…, Connection and its like."),
              key("url_parameters", TEXTS_OR_PLACES, "{api-version: 2024-06-01}", words("none"),
                  "Parameters added to the URL of each request."),
              key("api_key_env", VARIABLE, "VLLM_API_KEY", words("no key"),
                  "Variable of the environment that holds the API key. It goes to the target, and"
                      + " to its metrics at the same host and port where no TALLY_METRICS_…"
                      + " variable is set."),
              key("api_key_file", TEXT, "key.txt", words("no key"),
                  "File that holds the API key, in place of api_key_env."),
              key("ca_file", TEXT, "ca.pem", words("none"),
                  "PEM file of certificates to trust besides the usual ones."),
              key("http2", FLAG, "true", value("false"),
                  "Whether HTTP/2 is offered to https servers, each request on a connection of its"
                      + " own. What was spoken is in the record."))
          .with(Rule.notBoth("api_key_env", "api_key_file"));

  private static final Keys WARMUP =
      Keys.of(
              key("requests", whole(0, 1_000_000), "16", words("no limit"),
                  "Requests before the measured ones; 0 for none. The last session is cut."),
              key("duration", TIME_OR_ZERO, "10s", words("no limit"),
                  "Time before the measured window, with which its sessions end; 0s for none."))
          .shaped("{requests: N} or {duration: TIME}")
          .with(Rule.atLeastOneOf(List.of("requests", "duration")));
  private static final Keys STOP_WHEN =
      Keys.of(
          key("error_share", INNER_SHARE, "0.5", words("never"),
              "Share of failed requests among the last 20 that ends the run."),
          key("ttft", TIME, "30s", words("never"),
              "Median time to the first token of the last 20 requests that ends the run; it counts"
                  + " from the planned start."),
          key("waiting", whole(1, 10_000_000), "500", words("never"),
              "Requests waiting in the engine that end the run."),
          key("duration", TIME, "10m", words("never"),
              "The most that the measured window may last."));

  /** The keys of the file's first level. */
  static final Keys FIRST_LEVEL =
      Keys.of(
              key("name", TEXT, "steady-chat", words("the file's name"), "Name of the run."),
              key("target", ServerKeys.TARGET, "http://127.0.0.1:8000",
                  words("the embedded, simulated engine"),
                  "The server under test: its URL without /v1, or more about it."),
              key("targets", listOf(ServerKeys.TARGET), "[http://127.0.0.1:8000]",
                  words("target alone"),
                  "Several servers, in place of target. Requests take turns by weight; the turns"
                      + " of a conversation stay on one."),
              key("targets_file", TEXT, "engines.json", words("target alone"),
                  "File in Prometheus' file_sd form that lists the engines behind the target; read"
                      + " again while the run lasts."),
              key("targets_srv", new Text(HOST + "(\\." + HOST + ")+\\.?", "such a name"),
                  "_http._tcp.vllm.default.svc", words("target alone"),
                  "Name whose SRV records list the engines behind the target; asked again while"
                      + " the run lasts."),
              key("targets_dns",
                  new Text(
                      "(" + HOST + "(\\." + HOST + ")*|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?",
                      "such a name"),
                  "10.96.0.10:53", words("the system's"),
                  "Address of the DNS server that is asked for targets_srv."),
              key("model", TEXT, "Qwen/Qwen3-8B", words("the first that the server lists"),
                  "Model name sent with each request."),
              key("endpoint", choice("endpoint", "completions", "chat/completions", "responses"),
                  "chat/completions", value("chat/completions"),
                  "Which of the API's ways requests go; responses sends a conversation whole each"
                      + " turn and stores nothing, unless conversation.by_response_id is true."),
              key("workload", WorkloadKeys.WORKLOAD,
                  "{rate: 4, prompt_tokens: 256, output_tokens: 64}", MUST,
                  "What is sent, and when."),
              key("duration", TIME, "60s",
                  words("requests must be there, except with steps or a trace"),
                  "Length of the measured window. It ends by duration or requests, whichever is"
                      + " reached first."),
              key("requests", whole(1, 10_000_000), "500",
                  words("duration must be there, except with steps or a trace"),
                  "Measured requests. The session that reaches the number is sent whole, so there"
                      + " may be more; none begins after it."),
              key("warmup", WARMUP, "{requests: 16}", value("{requests: 16}"),
                  "What comes before the measured window and is discarded. A changing rate is"
                      + " warmed up at its mean."),
              key("seed", whole(Long.MIN_VALUE, Long.MAX_VALUE), "1", value("1"),
                  "Seed of every random choice: one seed gives one plan, on every machine."),
              key("objectives", listOf(ObjectiveKeys.OBJECTIVE), ObjectiveKeys.EXAMPLE,
                  words("none"),
                  "What the run is judged by."),
              // An engine takes some 50 ms to answer, and its server answers nobody else meanwhile.
              key("scrape_interval", new ValueType.Time("50ms"), "1s", value("1s"),
                  "Time between two scrapes."),
              key("timeout", TIME, "120s", value("120s"),
                  "A request that is still open after this is given up."),
              key("request", REQUEST, "{ignore_eos: false}",
                  value("{}", "as its keys say"),
                  "How requests are built."),
              key("engine", new Names(".+", TEXT), "{num_gpu_blocks_override: 140}",
                  words("its defaults"),
                  "Flags of the embedded engine, named as vLLM names them; tally engine --help"
                      + " lists all."),
              key("stop_when", STOP_WHEN, "{error_share: 0.5}", value("{}", "never"),
                  "What ends the run before its time: nothing new is sent, users who think or wait"
                      + " leave, and requests in flight end."),
              key("labels", new Names(ServerKeys.LABEL, TEXT), "{gpu: H100}", words("none"),
                  "Words of your own that are kept with the run; also --label."),
              key("exporters", listOf(ServerKeys.EXPORTER), ServerKeys.EXPORTERS, words("none"),
                  "Other endpoints with Prometheus metrics, scraped beside the targets: GPUs,"
                      + " hosts, gateways."))
          .with(Rule.notBoth("target", "targets"))
          .with(Rule.notBoth("targets_file", "targets_srv"));

  private ScenarioKeys() {}
}
