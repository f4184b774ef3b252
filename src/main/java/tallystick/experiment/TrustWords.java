package tallystick.experiment;

import java.util.regex.Pattern;
import tallystick.answer.Mark;
import tallystick.answer.Tone;

/** How far the runs of an experiment can be trusted, in words that all experiments share. */
public final class TrustWords {
  /** What the trust in figures of a simulated engine ends with. */
  public static final String SIMULATED = "; simulated: these figures are not a real server's";

  private static final Pattern SIMULATOR = Pattern.compile("simulated|tallystick\\.sim");

  private TrustWords() {}

  /**
   * Whether client and engine counts match in the runs that an answer is made of.
   *
   * @param partly in how many of them the engine does not tell all that would be compared
   */
  public static String compared(long partly, long runs) {
    return partly == 0
        ? "client and engine counts match"
        : "client and engine could not be compared in full"
            + (partly == runs ? "" : " in " + partly + " of them");
  }

  /** The same by the words for an engine; nothing where a real one may have run. */
  public static String simulated(String engine) {
    return SIMULATOR.matcher(engine).find() ? SIMULATED : "";
  }

  /** What was measured on an engine, marked where that is simulated. */
  public static Mark subject(String measured, String engine) {
    return new Mark(
        simulated(engine).isEmpty() ? Tone.PLAIN : Tone.CAUTION, measured + " on " + engine);
  }
}
