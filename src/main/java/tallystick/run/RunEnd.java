package tallystick.run;

/**
 * How the load process ended.
 *
 * @param kind in one word
 * @param detail for a reader; may be empty
 */
public record RunEnd(Kind kind, String detail) {

  /** The ways a load process ends. */
  public enum Kind {
    /** The record is closed and whole. */
    COMPLETED,
    /** The record is closed early because somebody asked for it. */
    INTERRUPTED,
    /** The record is closed early because a rule of the scenario held. */
    STOPPED,
    /** A target was not idle before the run; nothing was sent. */
    TARGET_BUSY,
    /** A shard was not up in time for the common start; its load was not sent. */
    LATE,
    /** A target's metrics could not be read before the window; its load was not sent. */
    METRICS_LOST,
    /** A target refuses requests as they are written; the load was not sent. */
    REFUSED,
    /** The record could not be written. */
    DISK_FAILED,
    /** The process died; the record is readable up to its last whole line. */
    CRASHED
  }
}
