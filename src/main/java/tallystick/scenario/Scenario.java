package tallystick.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.reach.ApiAccess;

/**
 * What a user asks for, without mistakes.
 *
 * @param name for example {@code steady-chat}; the file's name unless the scenario has its own
 * @param targets servers under test; empty means the embedded engine
 * @param model model name; empty means the first one the server lists
 * @param endpoint API the requests go to
 * @param workload what is sent and when
 * @param extent when the measured window ends
 * @param warmup the discarded requests before it
 * @param seed seed of every random choice
 * @param objectives what the run is judged by; may be empty
 * @param limits intervals and bounds
 * @param request how requests are built
 * @param access how the servers are reached
 * @param stop when the run ends before its time
 * @param engine flags of the embedded engine, by vLLM's names: {@code num_gpu_blocks_override: 140}
 * @param labels the user's own labels
 * @param exporters endpoints scraped beside the targets; may be empty
 */
public record Scenario(
    String name,
    List<Target> targets,
    String model,
    Endpoint endpoint,
    Workload workload,
    Extent extent,
    Extent warmup,
    long seed,
    List<Objective> objectives,
    Limits limits,
    RequestForm request,
    Access access,
    StopRules stop,
    Map<String, String> engine,
    Map<String, String> labels,
    List<Exporter> exporters) {

  /**
   * Where a stretch of load ends: at the first bound that is reached.
   *
   * @param durationNanos time after which nothing starts; 0 means no such bound
   * @param requests number of requests; 0 means no such bound
   */
  public record Extent(long durationNanos, int requests) {
    /** No load at all. */
    public static final Extent NOTHING = new Extent(0, 0);

    public Extent {
      if (durationNanos < 0 || requests < 0) {
        throw new IllegalArgumentException(
            "extent must be >= 0, was " + durationNanos + " ns and " + requests + " requests");
      }
    }

    /** Whether it bounds anything; an unbounded warm-up is none. */
    public boolean isBounded() {
      return durationNanos > 0 || requests > 0;
    }
  }

  /**
   * Intervals and bounds.
   *
   * @param scrapeIntervalNanos time between two scrapes of a target
   * @param requestTimeoutNanos a request still open after this is given up
   */
  public record Limits(long scrapeIntervalNanos, long requestTimeoutNanos) {}

  /**
   * How requests are built.
   *
   * @param ignoreEos whether output length is exactly {@code max_tokens}
   * @param samePrompts whether the run nonce is left out, so that a repeat sends equal prompts
   * @param continuousUsage whether each chunk is asked to carry usage, which tells its tokens
   * @param extraBody JSON object text whose fields are added to every request body
   * @param headers extra request headers, never credentials
   * @param tokenLimit the field that bounds an answer
   * @param withoutUsage whether no usage is asked for at all
   * @param withoutStream whether answers come whole, and not token by token; written where so, that
   *     a plan of before is the same plan
   */
  public record RequestForm(
      boolean ignoreEos,
      boolean samePrompts,
      boolean continuousUsage,
      String extraBody,
      Map<String, String> headers,
      TokenLimit tokenLimit,
      boolean withoutUsage,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      boolean withoutStream) {
    /** The usual fields of a body. */
    public RequestForm(
        boolean ignoreEos,
        boolean samePrompts,
        boolean continuousUsage,
        String extraBody,
        Map<String, String> headers) {
      this(
          ignoreEos, samePrompts, continuousUsage, extraBody, headers, TokenLimit.MAX_TOKENS,
          false, false);
    }

    public RequestForm {
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
      // A plan that was written without this field has the usual one.
      tokenLimit = tokenLimit == null ? TokenLimit.MAX_TOKENS : tokenLimit;
    }
  }

  /**
   * How the servers are reached. The key itself is nowhere in a scenario, a plan or a record.
   *
   * @param apiKeyEnv environment variable that holds the API key; empty where there is none
   * @param apiKeyFile file that holds the API key; empty where there is none
   * @param caFile PEM file of certificates to trust besides the usual ones; empty where there is
   *     none
   * @param engines where the engines behind the target are listed
   * @param urlParameters added to the URL of each request, as they are
   * @param secrets where what else is secret is kept
   * @param http2 whether HTTP/2 is offered over TLS
   * @param path of requests below a target; empty for the endpoint's own
   */
  public record Access(
      String apiKeyEnv,
      String apiKeyFile,
      String caFile,
      TargetList engines,
      Map<String, String> urlParameters,
      SecretPlaces secrets,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      boolean http2,
      @JsonInclude(JsonInclude.Include.NON_EMPTY)
      String path) {
    /** No key, usual certificates. */
    public static final Access PLAIN =
        new Access("", "", "", TargetList.NONE, Map.of(), SecretPlaces.NONE, false, "");

    public Access {
      // A plan that was written without these fields has none.
      engines = engines == null ? TargetList.NONE : engines;
      urlParameters =
          urlParameters == null
              ? Map.of()
              : Collections.unmodifiableMap(new LinkedHashMap<>(urlParameters));
      secrets = secrets == null ? SecretPlaces.NONE : secrets;
      path = path == null ? "" : path;
    }

    /** Where requests to an endpoint go, below a target. */
    public String pathOf(Endpoint endpoint) {
      return path.isEmpty() ? endpoint.path() : path;
    }

    /**
     * What the load target is shown, read from where it is.
     *
     * @param apiKey empty for none
     * @param environment the process's variables
     * @throws IllegalArgumentException if a secret is not where the scenario says; its message says
     *     what to do
     */
    public ApiAccess shown(String apiKey, Map<String, String> environment) {
      Map<String, String> parameters = new LinkedHashMap<>(urlParameters);
      parameters.putAll(secrets.urlParameters(environment));
      return new ApiAccess(
          apiKey, secrets.headers(environment), parameters, secrets.all(environment));
    }
  }

  /**
   * When a run ends before its time, safely: nothing new starts, what is open is waited for.
   *
   * @param errorShare share of failed requests among the last {@value #RECENT}; 0 means never
   * @param ttftNanos median TTFT from the intended start of the last {@value #RECENT} requests with
   *     a first token; 0 means never
   * @param waiting requests waiting in the engines together; 0 means never
   * @param durationNanos time since the origin of the measured window; 0 means never
   */
  public record StopRules(double errorShare, long ttftNanos, int waiting, long durationNanos) {
    /** How many of the latest requests are looked at; with fewer no rule of theirs applies. */
    public static final int RECENT = 20;

    /** The run takes its time. */
    public static final StopRules NEVER = new StopRules(0, 0, 0, 0);
  }

  public Scenario {
    targets = List.copyOf(targets);
    objectives = List.copyOf(objectives);
    exporters = List.copyOf(exporters);
    engine = Collections.unmodifiableMap(new LinkedHashMap<>(engine));
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    if (!extent.isBounded()) {
      throw new IllegalArgumentException("a scenario needs a duration or a number of requests");
    }
  }
}
