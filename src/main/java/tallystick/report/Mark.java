package tallystick.report;

/**
 * A word that judges what stands beside it.
 *
 * @param tone how grave it is
 * @param word the word itself; empty for no mark
 */
record Mark(Tone tone, String word) {
  static final Mark NONE = new Mark(Tone.PLAIN, "");

  boolean isShown() {
    return !word.isEmpty();
  }
}
