package tallystick.answer;

import java.util.Locale;

/** What a text says beside its words: a judgement, or whose account it is. Never said alone. */
public enum Tone {
  PLAIN,
  GOOD,
  CAUTION,
  BAD,
  MUTED,
  CLIENT,
  ENGINE;

  /** Its name on a page: a class, and the colour of that class. */
  public String css() {
    return name().toLowerCase(Locale.ROOT);
  }
}
