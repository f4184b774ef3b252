package tallystick.promql;

/**
 * One time an alert fired, from the evaluation that made it fire to the one that resolved it.
 *
 * @param alert name of the rule
 * @param labels the alert's labels
 * @param activeMillis first evaluation of the unbroken stretch: when it became pending
 * @param firedMillis evaluation at which it began to fire
 * @param resolvedMillis evaluation at which it no longer fired; {@link #STILL} if it never ended
 */
public record Firing(
    String alert, Labels labels, long activeMillis, long firedMillis, long resolvedMillis) {
  /** An alert that fired until the end of what was evaluated. */
  public static final long STILL = Long.MAX_VALUE;

  /** Whether it fired at a moment. */
  public boolean covers(long atMillis) {
    return firedMillis <= atMillis && atMillis < resolvedMillis;
  }
}
