package tallystick.experiment.tune;

/**
 * Where a cell stands after the blocks.
 *
 * @param kind what can be said
 * @param chance share of resamples in which it is on the front; -1 where nobody knows
 * @param why which other setting beats it, or which data are missing
 */
record ConfigurationStatus(Kind kind, double chance, String why) {

  /** What can be said. */
  enum Kind {
    ON_FRONT("best", "yes"),
    OFF_FRONT("off", "no"),
    FAILS_OBJECTIVE("fails", "no: fails"),
    OPEN("too close"),
    /** The engine runs with the settings of another cell. */
    SAME("same"),
    NOT_STARTED("no start"),
    /** The engine ends under the load, twice. */
    DIED("died"),
    /** Its profile predicts that it is worse; nobody measured it. */
    LEFT_OUT("predicted worse", "left out");

    private final String code;
    private final String words;

    Kind(String words) {
      this(words, words);
    }

    Kind(String code, String words) {
      this.code = code;
      this.words = words;
    }

    /** Its word in {@code tune.json}. */
    String code() {
      return code;
    }

    /** Whether it is among the best, on a screen. */
    String words() {
      return words;
    }
  }

  /** Whether it is out of the race. */
  boolean isOut() {
    return kind != Kind.ON_FRONT && kind != Kind.OPEN;
  }

  static ConfigurationStatus unknown(String why) {
    return new ConfigurationStatus(Kind.OPEN, -1, why);
  }
}
