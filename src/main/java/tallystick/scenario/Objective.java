package tallystick.scenario;

import java.util.List;
import java.util.Locale;

/**
 * A service level objective: at least {@code share} of the judged things stay within the threshold.
 *
 * @param metric what is judged; {@code ITL} judges gaps, every other metric judges requests
 * @param thresholdSeconds the largest good value, in seconds; in tokens for {@code
 *     THINKING_TOKENS}, which are counted as seconds are; 1 for {@code ALL}, whose value is the
 *     largest part of a limit that a request uses
 * @param share the share that must be good, above 0 and below 1
 * @param requestClass the class it judges; empty judges every class
 * @param limits what a request must keep all together; empty unless the metric is {@code ALL}
 */
public record Objective(
    Metric metric, double thresholdSeconds, double share, String requestClass, List<Limit> limits) {

  /** The client-side quantities an objective can judge. */
  public enum Metric {
    TTFT,
    /** To the first token of the answer itself, behind all thinking. */
    ANSWER_TTFT,
    /** Output tokens of the thinking before the answer; a count, and no time. */
    THINKING_TOKENS,
    TPOT,
    LARGEST_GAP,
    E2E,
    ITL,
    /** Several limits that one request must keep all together. */
    ALL;

    /** As a scenario names it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it judges a request by one limit, so that several of them can be asked of it. */
    public boolean isOfRequest() {
      return this != ITL && this != ALL;
    }

    /** Whether an answer tells it that came whole, and not token by token. */
    public boolean isOfWholeAnswer() {
      return this == E2E || this == THINKING_TOKENS;
    }

    /** Whether it is a time, and not a count of tokens. */
    public boolean isTime() {
      return this != THINKING_TOKENS;
    }

    /** Whether it waits from the start of the request, and not between tokens. */
    public boolean isFromStart() {
      return this == TTFT || this == ANSWER_TTFT || this == E2E;
    }
  }

  /**
   * One of several limits that a request must keep all together.
   *
   * @param metric what is judged of the request
   * @param thresholdSeconds the largest good value, in seconds or tokens
   */
  public record Limit(Metric metric, double thresholdSeconds) {
    public Limit {
      if (!metric.isOfRequest()) {
        throw new IllegalArgumentException("no limit of a request: " + metric);
      }
      requirePositive(thresholdSeconds);
    }
  }

  public Objective {
    requirePositive(thresholdSeconds);
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("share must be between 0 and 1, was " + share);
    }
    // A plan that was written before there were joint objectives names no limits.
    limits = limits == null ? List.of() : List.copyOf(limits);
    if ((metric == Metric.ALL) == limits.isEmpty()) {
      throw new IllegalArgumentException("limits belong to ALL, were " + limits);
    }
  }

  /** An objective on one metric. */
  public Objective(Metric metric, double thresholdSeconds, double share, String requestClass) {
    this(metric, thresholdSeconds, share, requestClass, List.of());
  }

  /** An objective that asks each request to keep every limit. */
  public static Objective ofAll(List<Limit> limits, double share, String requestClass) {
    return new Objective(Metric.ALL, 1, share, requestClass, limits);
  }

  /** Its limits, each as an objective on one metric; itself if it has one metric. */
  public List<Objective> parts() {
    return limits.isEmpty()
        ? List.of(this)
        : limits.stream()
            .map(one -> new Objective(one.metric(), one.thresholdSeconds(), share, requestClass))
            .toList();
  }

  private static void requirePositive(double thresholdSeconds) {
    if (!(thresholdSeconds > 0) || Double.isInfinite(thresholdSeconds)) {
      throw new IllegalArgumentException("threshold must be > 0, was " + thresholdSeconds);
    }
  }
}
