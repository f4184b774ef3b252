package tallystick.experiment.regress;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tallystick.analysis.result.WaitPart;

/**
 * What one run contributes to a comparison: its figures, no rows. Small enough to commit.
 *
 * @param runId the run's name
 * @param scenario its scenario's name
 * @param startedUtc when it began
 * @param seed of its schedule
 * @param metrics the figures it carries; a metric it cannot carry is absent
 * @param missing why the others are absent
 * @param ttft mean TTFT taken apart, the whole included; empty where the sides do not tell
 * @param e2e mean E2E taken apart
 * @param load what was asked of the engine
 * @param likeness what must be equal for runs to be comparable
 * @param settings what may differ, and is then told: versions, engine settings
 * @param engine figures of the engine beside them
 * @param doubts why its figures cannot be compared; empty where they can
 */
public record ComparedRun(
    String runId,
    String scenario,
    String startedUtc,
    long seed,
    Map<ComparedMetric, Double> metrics,
    Map<ComparedMetric, String> missing,
    Map<WaitPart, Double> ttft,
    Map<WaitPart, Double> e2e,
    Load load,
    Map<String, String> likeness,
    Map<String, String> settings,
    Map<String, Double> engine,
    List<Doubt> doubts) {
  public ComparedRun {
    // A file that people can edit may lack anything.
    told("run_id", runId);
    toldAll("missing", missing);
    toldAll("ttft", ttft);
    toldAll("e2e", e2e);
    told("load", load);
    toldAll("likeness", likeness);
    toldAll("settings", settings);
    toldAll("engine", engine);
    told("doubts", doubts).forEach(doubt -> told("doubts", doubt));
    toldAll("metrics", metrics).forEach(ComparedRun::requireRatio);
  }

  /** The doubt that forbids no comparison: it tells what a wait can still say. */
  public static final String OVERLOADED = "overloaded";

  /** The doubt of a run in which the server failed every request. */
  static final String NOTHING_DONE = "nothing done";

  /** The doubt that tells of the client, not of the engine. */
  static final String SATURATED = "saturated";

  /**
   * The figure of how long good answers came out, as a share of their own max_tokens: which of them
   * were good does not move it where all are as long as was asked.
   */
  static final String OF_ALLOWED = "answer tokens of max_tokens";
  static final String PREFIX_HITS = "prefix-cache hits";
  static final String KV_CACHE = "KV cache, most";

  /** Figures of the engine that are shares. */
  static final Set<String> SHARES = Set.of(OF_ALLOWED, PREFIX_HITS, KV_CACHE);

  /** Why a metric is missing that is there, but has no ratio to anything. */
  public static final String ZERO = "it is 0, so there is no ratio";

  /** The setting that tells which requests are good. */
  static final String LIMITS = "limits of a good request";

  private static <T> T told(String name, T value) {
    if (value == null) {
      throw new IllegalArgumentException("a run there does not tell its " + name);
    }
    return value;
  }

  private static <K, V> Map<K, V> toldAll(String name, Map<K, V> all) {
    told(name, all).values().forEach(value -> told(name, value));
    return all;
  }

  private static void requireRatio(ComparedMetric metric, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          metric.words() + " must be above 0, was " + value);
    }
  }

  /** A figure; a share may be 0. */
  Optional<Double> figure(ComparedMetric metric) {
    return metric.isShare() && ZERO.equals(missing.get(metric))
        ? Optional.of(0.0)
        : Optional.ofNullable(metrics.get(metric));
  }

  /** Whether requests piled up. */
  public boolean looksOverloaded() {
    return doubts.stream().anyMatch(doubt -> doubt.key().equals(OVERLOADED));
  }

  /** Whether the server failed every request. */
  boolean isNothingDone() {
    return doubts.stream().anyMatch(doubt -> doubt.key().equals(NOTHING_DONE));
  }

  /** What else than the load spoiled it first. */
  public Optional<Doubt> spoiledBy() {
    return doubts.stream().filter(doubt -> !doubt.key().equals(OVERLOADED)).findFirst();
  }

  /** Whether nothing spoiled it but its own client, which was late. */
  boolean isOnlyLate() {
    return !doubts.isEmpty() && doubts.stream().allMatch(doubt -> doubt.key().equals(SATURATED));
  }

  /**
   * What was asked.
   *
   * @param closedLoop whether the engine's own pace set the rate
   * @param requests measured ones; of conversations their first ones, as in all that follows
   * @param offeredPerSecond requests begun per second; 0 where nobody knows
   * @param ratePerSecond the scenario's one rate; 0 where it changes with time, or there is none
   * @param promptTokens mean planned length
   * @param answerTokens mean length asked for
   * @param answerSpread standard deviation of the length asked for
   * @param schedule hash of every request's class and lengths, later turns' too
   * @param shape how lengths and arrivals scatter
   */
  public record Load(
      boolean closedLoop,
      long requests,
      double offeredPerSecond,
      double ratePerSecond,
      double promptTokens,
      double answerTokens,
      double answerSpread,
      String schedule,
      Shape shape) {
    public Load {
      told("schedule", schedule);
      // A baseline that was saved without it does not tell.
      shape = shape == null ? Shape.UNKNOWN : shape;
    }
  }

  /**
   * How the load scatters; not a number where nobody knows.
   *
   * @param promptSpread standard deviation of the planned prompt length
   * @param gapVariation standard deviation of the time between two intended starts over its mean: 1
   *     for Poisson arrivals, 0 for a constant rate
   * @param answerScatter by how much a good answer's length differs from the usual share of its
   *     max_tokens, over the mean of those (standard deviation): 0 where no answer ends early
   */
  public record Shape(double promptSpread, double gapVariation, Double answerScatter) {
    static final Shape UNKNOWN = new Shape(Double.NaN, Double.NaN);

    public Shape {
      // A baseline that was saved without it does not tell.
      answerScatter = answerScatter == null ? Double.NaN : answerScatter;
    }

    Shape(double promptSpread, double gapVariation) {
      this(promptSpread, gapVariation, Double.NaN);
    }
  }

  /**
   * Why a run cannot be compared.
   *
   * @param key which rule it breaks, for example {@code overloaded}
   * @param text one sentence
   */
  public record Doubt(String key, String text) {
    public Doubt {
      told("doubts", key);
      told("doubts", text);
    }
  }
}
