package tallystick.answer.words;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How this program is called where it runs: texts say {@code ./tally}, as in a clone; where it was
 * installed its launcher says what was typed.
 */
public final class ProgramName {
  /** As its launcher says; empty in a clone. */
  public static final String TYPED = System.getenv().getOrDefault("TALLY_COMMAND", "");

  private static final Pattern OF_A_CLONE = Pattern.compile("(?<![\\p{L}\\p{Nd}./])\\./tally ");

  private ProgramName() {}

  /** A text whose commands can be typed here. */
  public static String in(CharSequence text) {
    return in(text, TYPED);
  }

  /** A text whose commands begin with a name; empty in a clone. */
  public static String in(CharSequence text, String name) {
    return name.isEmpty()
        ? text.toString()
        : OF_A_CLONE.matcher(text).replaceAll(Matcher.quoteReplacement(name + " "));
  }
}
