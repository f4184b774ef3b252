package tallystick.scenario;

import static tallystick.scenario.ScenarioKey.key;
import static tallystick.scenario.ScenarioKey.required;
import static tallystick.scenario.ValueType.either;
import static tallystick.scenario.ValueType.listOf;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tallystick.reach.SecretPlace;
import tallystick.scenario.KeySection.Rule;
import tallystick.scenario.ValueType.Fields;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.Names;
import tallystick.scenario.ValueType.Shared;
import tallystick.scenario.ValueType.Text;
import tallystick.scenario.ValueType.Whole;

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
          new Keys(
              KeySection.of(
                  key("env", VARIABLE, "TEAM_KEY", "The variable that holds the value."),
                  key("file", ValueType.TEXT, "key.txt", "The file that holds the value."))
                  .ofWhichOne()),
          "", "A variable of the environment, or a file, that holds a secret.");
  private static final Shared TEXTS_OR_PLACES =
      new Shared(
          "texts_or_places", new Names(".+", either(ValueType.TEXT, SECRET_PLACE)), "",
          "Names with their values; a secret is not written out, but where it is kept.");

  static final KeySection REQUEST =
      KeySection.of(
              key(
                      "ignore_eos", ValueType.FLAG, "false",
                      "Whether answers run to their full length. Where a server answers otherwise,"
                          + " the finding answer_lengths says so.")
                  .orElse("true"),
              key(
                      "same_prompts", ValueType.FLAG, "true",
                      "Whether every run sends the same prompts: without the run's nonce a prefix"
                          + " cache knows them.")
                  .orElse("false"),
              key(
                      "continuous_usage", ValueType.FLAG, "false",
                      "Whether the server is asked to count tokens in every chunk.")
                  .orElse("true"),
              key(
                      "usage", ValueType.FLAG, "false",
                      "Whether the server is asked to count tokens at all (stream_options); without"
                          + " it tokens are known only where each chunk tells them.")
                  .orElse("true"),
              key(
                      "token_limit",
                      new ValueType.Choice(
                          "", Arrays.stream(TokenLimit.values()).map(TokenLimit::field).toList()),
                      "max_completion_tokens",
                      "The field that bounds an answer; some servers take only the newer one.")
                  .orElse("max_tokens"),
              key(
                      "extra_body", new Fields(), "{temperature: 0.7}",
                      "Fields added to each body.")
                  .otherwise("none"),
              key(
                      "headers", TEXTS_OR_PLACES, "{X-Team: search}",
                      "Headers added to each request, and to the request for metrics as the API key"
                          + " is; none that the client writes itself.")
                  .otherwise("none"),
              key(
                      "url_parameters", TEXTS_OR_PLACES, "{api-version: 2024-06-01}",
                      "Parameters added to the URL of each request.")
                  .otherwise("none"),
              key(
                      "api_key_env", VARIABLE, "VLLM_API_KEY",
                      "Variable of the environment that holds the API key. It goes to the target,"
                          + " and to its metrics at the same host and port where no"
                          + " TALLY_METRICS_… variable is set.")
                  .otherwise("no key"),
              key(
                      "api_key_file", ValueType.TEXT, "key.txt",
                      "File that holds the API key, in place of api_key_env.")
                  .otherwise("no key"),
              key(
                      "ca_file", ValueType.TEXT, "ca.pem",
                      "PEM file of certificates to trust besides the usual ones.")
                  .otherwise("none"))
          .with(Rule.notBoth("api_key_env", "api_key_file"));

  private static final KeySection WARMUP =
      KeySection.of(
              key(
                      "requests", new Whole(0, 1_000_000), "16",
                      "Requests before the measured ones; 0 for none.")
                  .otherwise("no limit"),
              key(
                      "duration", ValueType.TIME_OR_ZERO, "10s",
                      "Time before the measured window; 0s for none.")
                  .otherwise("no limit"))
          .shaped("{requests: N} or {duration: TIME}")
          .with(Rule.atLeastOneOf(List.of("requests", "duration")));
  private static final KeySection STOP_WHEN =
      KeySection.of(
          key(
                  "error_share", ValueType.INNER_SHARE, "0.5",
                  "Share of failed requests among the last 20 that ends the run.")
              .otherwise("never"),
          key(
                  "ttft", ValueType.TIME, "30s",
                  "Median time to the first token of the last 20 requests that ends the run; it"
                      + " counts from the planned start.")
              .otherwise("never"),
          key(
                  "waiting", new Whole(1, 10_000_000), "500",
                  "Requests waiting in the engine that end the run.")
              .otherwise("never"),
          key(
                  "duration", ValueType.TIME, "10m",
                  "The most that the run may last.")
              .otherwise("never"));

  /** The keys of the file's first level. */
  static final KeySection FIRST_LEVEL =
      KeySection.of(
              key("name", ValueType.TEXT, "steady-chat", "Name of the run.")
                  .otherwise("the file's name"),
              key(
                      "target", ServerKeys.TARGET, "http://127.0.0.1:8000",
                      "The server under test: its URL without /v1, or more about it.")
                  .otherwise("the embedded, simulated engine"),
              key(
                      "targets", listOf(ServerKeys.TARGET), "[http://127.0.0.1:8000]",
                      "Several servers, in place of target. Requests take turns by weight; the"
                          + " turns of a conversation stay on one.")
                  .otherwise("target alone"),
              key(
                      "targets_file", ValueType.TEXT, "engines.json",
                      "File in Prometheus' file_sd form that lists the engines behind the target;"
                          + " read again while the run lasts.")
                  .otherwise("target alone"),
              key(
                      "targets_srv", new Text(HOST + "(\\." + HOST + ")+\\.?", "such a name"),
                      "_http._tcp.vllm.default.svc",
                      "Name whose SRV records list the engines behind the target; asked again while"
                          + " the run lasts.")
                  .otherwise("target alone"),
              key(
                      "targets_dns",
                      new Text(
                          "(" + HOST + "(\\." + HOST + ")*|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?",
                          "such a name"),
                      "10.96.0.10:53",
                      "Address of the DNS server that is asked for targets_srv.")
                  .otherwise("the system's"),
              key("model", ValueType.TEXT, "Qwen/Qwen3-8B", "Model name sent with each request.")
                  .otherwise("the first that the server lists"),
              key(
                      "endpoint",
                      new ValueType.Choice(
                          "endpoint",
                          Stream.of(Endpoint.values()).map(Endpoint::word).toList()),
                      "chat/completions", "Which of the API's two ways requests go.")
                  .orElse("chat/completions"),
              required(
                  "workload", new Keys(WorkloadKeys.WORKLOAD),
                  "{rate: 4, prompt_tokens: 256, output_tokens: 64}", "What is sent, and when."),
              key(
                      "duration", ValueType.TIME, "60s",
                      "Length of the measured window. It ends by duration or requests, whichever is"
                          + " reached first.")
                  .otherwise("requests must be there, except with steps or a trace"),
              key(
                      "requests", new Whole(1, 10_000_000), "500",
                      "Most measured requests.")
                  .otherwise("duration must be there, except with steps or a trace"),
              key(
                      "warmup", new Keys(WARMUP), "{requests: 16}",
                      "What comes before the measured window and is discarded. A changing rate is"
                          + " warmed up at its mean.")
                  .orElse("{requests: 16}"),
              key(
                      "seed", new Whole(Long.MIN_VALUE, Long.MAX_VALUE), "1",
                      "Seed of every random choice: one seed gives one plan, on every machine.")
                  .orElse("1"),
              key(
                      "objectives", listOf(ObjectiveKeys.OBJECTIVE), ObjectiveKeys.EXAMPLE,
                      "What the run is judged by.")
                  .otherwise("none"),
              // An engine takes some 50 ms to answer, and its server answers nobody else meanwhile.
              key("scrape_interval", new ValueType.Time("50ms"), "1s", "Time between two scrapes.")
                  .orElse("1s"),
              key(
                      "timeout", ValueType.TIME, "120s",
                      "A request that is still open after this is given up.")
                  .orElse("120s"),
              key("request", new Keys(REQUEST), "{ignore_eos: false}", "How requests are built.")
                  .orElse("{}"),
              key(
                      "engine", new Names(".+", ValueType.TEXT), "{num_gpu_blocks_override: 140}",
                      "Flags of the embedded engine, named as vLLM names them; tally engine --help"
                          + " lists all.")
                  .otherwise("its defaults"),
              key(
                      "stop_when", new Keys(STOP_WHEN), "{error_share: 0.5}",
                      "What ends the run before its time.")
                  .orElse("{}"),
              key(
                      "labels", new Names(ServerKeys.LABEL, ValueType.TEXT), "{gpu: H100}",
                      "Words of your own that are kept with the run; also --label.")
                  .otherwise("none"),
              key(
                      "exporters", listOf(ServerKeys.EXPORTER), ServerKeys.EXPORTERS,
                      "Other endpoints with Prometheus metrics, scraped beside the targets: GPUs,"
                          + " hosts, gateways.")
                  .otherwise("none"))
          .with(Rule.notBoth("target", "targets"))
          .with(Rule.notBoth("targets_file", "targets_srv"));

  private ScenarioKeys() {}
}
