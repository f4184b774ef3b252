package tallystick.scenario;

import java.util.List;
import java.util.Locale;

/**
 * A service level objective: at least {@code share} of the judged things stay within the threshold.
 *
 * @param metric what is judged; {@code ITL} judges gaps, {@code SESSION_TIME} and {@code
 *     SESSION_TIME_WITHOUT_TOOLS} judge sessions, every other metric judges requests
 * @param thresholdSeconds the largest good value, in seconds; in tokens for {@code
 *     THINKING_TOKENS}, which are counted as seconds are; 1 for {@code ALL}, whose value is the
 *     largest part of a limit that a request uses
 * @param share the share that must be good, above 0 and below 1
 * @param requestClass the class it judges; empty judges every class
 * @param limits what a request must keep all together, or a session with each of its requests where
 *     one of them is of sessions; empty unless the metric is {@code ALL}
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
    /** Of a whole session: its first start to the end of its last answer. */
    SESSION_TIME,
    /** The same less the time in which its tools ran. */
    SESSION_TIME_WITHOUT_TOOLS,
    ITL,
    /** Several limits that one request must keep all together. */
    ALL;

    /** As a scenario names it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is one limit of a request or a session: several can be asked together. */
    public boolean isLimit() {
      return this != ITL && this != ALL;
    }

    /** Whether it judges a whole session: a user's requests that follow each other. */
    public boolean isOfSession() {
      return this == SESSION_TIME || this == SESSION_TIME_WITHOUT_TOOLS;
    }

    /** Whether an answer tells it that came whole, and not token by token. */
    public boolean isOfWholeAnswer() {
      return this == E2E || this == THINKING_TOKENS || isOfSession();
    }

    /** Whether it is a time, and not a count of tokens. */
    public boolean isTime() {
      return this != THINKING_TOKENS;
    }

    /** Whether it waits from a start, and not between tokens. */
    public boolean isFromStart() {
      return this == TTFT || this == ANSWER_TTFT || this == E2E || isOfSession();
    }
  }

  /**
   * One of several limits that a request or a session must keep all together.
   *
   * @param metric what is judged
   * @param thresholdSeconds the largest good value, in seconds or tokens
   */
  public record Limit(Metric metric, double thresholdSeconds) {
    public Limit {
      if (!metric.isLimit()) {
        throw new IllegalArgumentException("no limit: " + metric);
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

  /** Whether it judges sessions: one of its limits is of them. */
  public boolean judgesSessions() {
    return metric.isOfSession() || limits.stream().anyMatch(one -> one.metric().isOfSession());
  }

  /** What it judges, in words. */
  public String things() {
    return metric == Metric.ITL ? "gaps" : judgesSessions() ? "sessions" : "requests";
  }

  private static void requirePositive(double thresholdSeconds) {
    if (!(thresholdSeconds > 0) || Double.isInfinite(thresholdSeconds)) {
      throw new IllegalArgumentException("threshold must be > 0, was " + thresholdSeconds);
    }
  }
}
