package tallystick.scrape;

/**
 * One thing a checkup has to say of a target.
 *
 * @param level how much it matters
 * @param subject what it is about, one or two words
 * @param text a sentence for a reader, with the way on where there is one
 */
public record Remark(Level level, String subject, String text) {

  /** How much a remark matters. */
  public enum Level {
    /** As it should be. */
    GOOD,
    /** Worth knowing; figures are not wrong for it. */
    NOTE,
    /** Some figures or checks will be missing or weak. */
    WARNING,
    /** A run against this target could not be trusted. */
    UNTRUSTED,
    /** The engine's half cannot be recorded at all. */
    FAILED
  }

  static Remark good(String subject, String text) {
    return new Remark(Level.GOOD, subject, text);
  }

  static Remark note(String subject, String text) {
    return new Remark(Level.NOTE, subject, text);
  }

  static Remark warning(String subject, String text) {
    return new Remark(Level.WARNING, subject, text);
  }

  static Remark untrusted(String subject, String text) {
    return new Remark(Level.UNTRUSTED, subject, text);
  }

  static Remark failed(String subject, String text) {
    return new Remark(Level.FAILED, subject, text);
  }
}
