package tallystick.answer;

/**
 * A word that judges what stands beside it.
 *
 * @param tone how grave it is
 * @param word the word itself; empty for no mark
 */
public record Mark(Tone tone, String word) {
  public static final Mark NONE = new Mark(Tone.PLAIN, "");

  public boolean isShown() {
    return !word.isEmpty();
  }
}
