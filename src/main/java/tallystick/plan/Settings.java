package tallystick.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Exporter;
import tallystick.scenario.Objective;
import tallystick.scenario.Scenario.Access;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.Scenario.StopRules;
import tallystick.scenario.Target;

/**
 * Everything of a plan except its requests.
 *
 * @param scenario the scenario's name
 * @param seed seed of every random choice in the plan
 * @param endpoint API the requests go to
 * @param model model name; empty means the first one the server lists
 * @param targets servers under test; empty means the embedded engine
 * @param loop open or closed
 * @param concurrency users of a closed loop, or the cap on requests in flight of an open one; 0
 *     means no cap
 * @param phases in order of time, the warm-up first
 * @param objectives what the run is judged by; may be empty
 * @param timing durations of the run
 * @param options how requests are built
 * @param labels the user's own labels
 * @param classes what each class of requests says for itself; see {@link #classOf}
 * @param access how the servers are reached; names where a key is, never the key
 * @param stop when the run ends before its time
 * @param exporters endpoints scraped beside the targets; may be empty
 */
public record Settings(
    String scenario,
    long seed,
    Endpoint endpoint,
    String model,
    List<Target> targets,
    LoopShape loop,
    int concurrency,
    List<Phase> phases,
    List<Objective> objectives,
    Timing timing,
    RequestForm options,
    Map<String, String> labels,
    List<ClassSettings> classes,
    Access access,
    StopRules stop,
    List<Exporter> exporters) {

  /**
   * Durations, in nanoseconds.
   *
   * @param durationNanos length of the measured window; arrivals stop at its end; {@link
   *     #UNBOUNDED_NANOS} for a closed loop that ends with its last request
   * @param scrapeIntervalNanos time between two scrapes of a target
   * @param requestTimeoutNanos a request still open after this is given up
   * @param warmupEndsSessions whether the warm-up's sessions end with its time; written, as what
   *     follows, only where it is so, that a plan of before is the same plan
   * @param thinkNanos mean pause of a closed loop's users before what they send next
   * @param requests how many end an open loop at a rate; 0 where a time does
   */
  public record Timing(
      long durationNanos,
      long scrapeIntervalNanos,
      long requestTimeoutNanos,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      boolean warmupEndsSessions,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      long thinkNanos,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      int requests) {
    /** A length nobody knows: far beyond every run, and safe to add to a time. */
    public static final long UNBOUNDED_NANOS = Long.MAX_VALUE / 4;

    public Timing(long durationNanos, long scrapeIntervalNanos, long requestTimeoutNanos) {
      this(durationNanos, scrapeIntervalNanos, requestTimeoutNanos, false, 0, 0);
    }

    /** Whether the length of the measured window is known before the run. */
    public boolean isBounded() {
      return durationNanos < UNBOUNDED_NANOS;
    }
  }

  /**
   * What a class of requests says for itself.
   *
   * @param name its name, as in {@link PlannedRequest#requestClass}
   * @param weight share of the arrivals relative to the other classes
   * @param model model name; empty means the plan's
   * @param extraBody JSON object text whose fields are added to every request body of the class,
   *     the scenario's own included
   * @param byResponseId whether a later turn names the answer before it in the place of its history
   */
  public record ClassSettings(
      String name, double weight, String model, String extraBody,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT)
      boolean byResponseId) {}

  /** What a class says for itself; the scenario's options where the class is not listed. */
  public ClassSettings classOf(String requestClass) {
    return classes.stream()
        .filter(settings -> settings.name().equals(requestClass))
        .findFirst()
        .orElseGet(() -> new ClassSettings(requestClass, 1, "", options.extraBody(), false));
  }

  /** How long new requests are taken in the warm-up, or in the measured window; nanoseconds. */
  public long windowNanos(boolean ofWarmup) {
    return ofWarmup
        ? phases.stream()
            .filter(Phase::warmup)
            .mapToLong(Phase::endNanos)
            .max()
            .orElse(Timing.UNBOUNDED_NANOS)
        : timing.durationNanos();
  }

  /** The same for one of several machines: its share of the users, and what it scrapes beside. */
  Settings part(int itsConcurrency, List<Exporter> itsExporters) {
    return new Settings(
        scenario, seed, endpoint, model, targets, loop, itsConcurrency, phases, objectives, timing,
        options, labels, classes, access, stop, itsExporters);
  }

  public Settings {
    Objects.requireNonNull(loop, "settings need a loop");
    Objects.requireNonNull(timing, "settings need timing");
    Objects.requireNonNull(options, "settings need options");
    targets = List.copyOf(targets);
    phases = List.copyOf(phases);
    objectives = List.copyOf(objectives);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    // A record that was written without these fields has the plain ones.
    classes = classes == null ? List.of() : List.copyOf(classes);
    access = access == null ? Access.PLAIN : access;
    stop = stop == null ? StopRules.NEVER : stop;
    exporters = exporters == null ? List.of() : List.copyOf(exporters);
  }
}
