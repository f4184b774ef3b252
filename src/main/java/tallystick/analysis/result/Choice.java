package tallystick.analysis.result;

import java.util.Locale;

/** One of a closed choice: an enum constant whose code programs read in {@code analysis.json}. */
public interface Choice {
  /** The constant's name. */
  String name();

  /** The word in {@code analysis.json}. */
  default String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The code as people write it. */
  default String words() {
    return code().replace('_', ' ');
  }
}
