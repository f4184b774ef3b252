package tallystick.scenario;

/** How long a user thinks. */
public sealed interface ThinkTime {
  /** Always the same. */
  record Fixed(long nanos) implements ThinkTime {}

  /** Equally often every time between two ends. */
  record Uniform(long leastNanos, long mostNanos) implements ThinkTime {}

  /** Exponential with a mean. */
  record Exponential(long meanNanos) implements ThinkTime {}
}
