package tallystick.alerting;

/** A rule file that cannot be used, with the place; the user's mistake. */
public final class RuleFileException extends RuntimeException {
  /**
   * A fault in a rule file.
   *
   * @param file as the user named it
   * @param line from 1
   * @param fault what is wrong
   */
  public RuleFileException(String file, int line, String fault) {
    super(file + ":" + line + ": " + fault);
  }
}
