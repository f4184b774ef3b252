package tallystick.cli.exit;

import tallystick.answer.AnswerStatus;

/** What the process tells its caller. */
public enum ExitCode {
  /** Done and good. */
  GOOD(0),
  /** A result that fails: an objective is violated. */
  RESULT_FAILS(1),
  /** The user's mistake. */
  USER_MISTAKE(2),
  /** The world's failure: target down, disk full. */
  WORLD_FAILED(3),
  /** The measurement cannot be trusted. */
  NOT_TRUSTED(4),
  /** The data cannot decide; more would. */
  TOO_CLOSE(5),
  /** Our bug. */
  BUG(70),
  /** Somebody pressed Ctrl-C. */
  INTERRUPTED(130);

  /** No crash gives it: 1 is also what Java ends with when it cannot start. */
  private static final int FAILS_INSIDE = 11;

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** The code of an answer. */
  public static ExitCode of(AnswerStatus outcome) {
    return switch (outcome) {
      case GOOD -> GOOD;
      case FAILS -> RESULT_FAILS;
      case MISTAKE -> USER_MISTAKE;
      case NOT_TRUSTED -> NOT_TRUSTED;
      case TOO_CLOSE -> TOO_CLOSE;
      case WORLD_FAILED -> WORLD_FAILED;
    };
  }

  /** What the process ends with. */
  public int number() {
    return number;
  }

  /**
   * What Java leaves with.
   *
   * @param isWaitedFor whether the script {@code tally} waits for it, which turns it into the code
   *     that was given
   */
  public static int leaving(int code, boolean isWaitedFor) {
    return isWaitedFor && code == RESULT_FAILS.number ? FAILS_INSIDE : code;
  }
}
