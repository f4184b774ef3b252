package tallystick.answer;

/** What an answer comes to, for a pipeline that only looks at the exit code. */
public enum AnswerStatus {
  /** Done, and good. */
  GOOD(Tone.GOOD),
  /** A result that fails: an objective is missed, a candidate is worse. */
  FAILS(Tone.BAD),
  /** What was asked cannot be answered as it was asked. */
  MISTAKE(Tone.PLAIN),
  /** The measurement cannot be trusted. */
  NOT_TRUSTED(Tone.BAD),
  /** The data cannot decide; more would. */
  TOO_CLOSE(Tone.CAUTION),
  /** The world did not play along: a server is down, a disk is full. */
  WORLD_FAILED(Tone.BAD);

  private final Tone tone;

  AnswerStatus(Tone tone) {
    this.tone = tone;
  }

  /** How its verdict is to be read. */
  public Tone tone() {
    return tone;
  }
}
