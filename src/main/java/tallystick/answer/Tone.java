package tallystick.answer;

/** What a text says beside its words: a judgement, or whose account it is. Never said alone. */
public enum Tone {
  PLAIN,
  GOOD,
  CAUTION,
  BAD,
  MUTED,
  CLIENT,
  ENGINE
}
