package tallystick.answer;

/** What an answer comes to, for a pipeline that only looks at the exit code. */
public enum Outcome {
  /** Done, and good. */
  GOOD,
  /** A result that fails: an objective is missed, a candidate is worse. */
  FAILS,
  /** What was asked cannot be answered as it was asked. */
  MISTAKE,
  /** The measurement cannot be trusted. */
  NOT_TRUSTED,
  /** The data cannot decide; more would. */
  NOT_PROVEN,
  /** The world did not play along: a server is down, a disk is full. */
  WORLD_FAILED
}
