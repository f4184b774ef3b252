package tallystick.scenario;

/** How long a user thinks. */
public sealed interface ThinkTime {
  /** The mean. */
  default long meanNanos() {
    return switch (this) {
      case Fixed fixed -> fixed.nanos();
      case Uniform uniform -> (uniform.leastNanos() + uniform.mostNanos()) / 2;
      case Exponential exponential -> exponential.meanNanos();
    };
  }

  /** Always the same. */
  record Fixed(long nanos) implements ThinkTime {}

  /** Equally often every time between two ends. */
  record Uniform(long leastNanos, long mostNanos) implements ThinkTime {}

  /** Exponential with a mean. */
  record Exponential(long meanNanos) implements ThinkTime {}
}
