package tallystick.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The rules of {@code stop_when}. */
public enum StopRule {
  /** Too large a share of the latest requests failed. */
  ERROR_SHARE,
  /** The latest requests waited too long for their first token. */
  TTFT,
  /** Too many requests wait in the engines. */
  WAITING,
  /** The time is over, which is an end as planned. */
  DURATION;

  private static final String SECTION = "stop_when ";

  /** Its key in a scenario. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What stands in the record where this rule has ended a run. */
  public String words(String why) {
    return SECTION + key() + ": " + why;
  }

  /** The rule that has ended a run, by the words in its record; empty where none has. */
  public static Optional<StopRule> in(String words) {
    return Arrays.stream(values())
        .filter(rule -> words.startsWith(rule.words("")))
        .findFirst();
  }
}
