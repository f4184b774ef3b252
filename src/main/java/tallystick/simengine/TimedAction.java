package tallystick.simengine;

/**
 * Something that is to happen.
 *
 * @param atNanos when, after the engine's start
 * @param order which comes first at equal times
 */
record TimedAction(long atNanos, long order, Runnable action)
    implements Comparable<TimedAction> {
  @Override
  public int compareTo(TimedAction other) {
    int byTime = Long.compare(atNanos, other.atNanos);
    return byTime != 0 ? byTime : Long.compare(order, other.order);
  }
}
