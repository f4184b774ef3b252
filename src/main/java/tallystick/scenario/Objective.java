package tallystick.scenario;

/**
 * A service level objective: at least {@code share} of the judged things stay within the threshold.
 *
 * @param metric what is judged; {@code ITL} judges gaps, every other metric judges requests
 * @param thresholdSeconds the largest good value, in seconds
 * @param share the share that must be good, above 0 and below 1
 * @param requestClass the class it judges; empty judges every class
 */
public record Objective(
    Metric metric, double thresholdSeconds, double share, String requestClass) {

  /** The client-side quantities an objective can judge. */
  public enum Metric {
    TTFT,
    TPOT,
    LARGEST_GAP,
    E2E,
    ITL
  }

  public Objective {
    if (!(thresholdSeconds > 0)) {
      throw new IllegalArgumentException("threshold must be > 0, was " + thresholdSeconds);
    }
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("share must be between 0 and 1, was " + share);
    }
  }
}
