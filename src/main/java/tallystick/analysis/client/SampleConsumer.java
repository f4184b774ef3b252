package tallystick.analysis.client;

/** Takes what a request brought to be judged: a gap, or the request's own figure. */
public interface SampleConsumer {
  /**
   * One thing to judge.
   *
   * @param nanos how long it took; {@link ObjectiveReading#NEVER_CAME} for a failed request
   * @param atNanos when it was seen, after the run's origin
   * @param unfinished whether nobody can tell how much longer it took: the client left
   */
  void take(long nanos, long atNanos, boolean unfinished);
}
