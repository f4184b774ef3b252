package tallystick.analysis.result;

/** A mark on what is said of both sides. */
public enum Stamp implements Choice {
  /** Nothing is to be said. */
  NONE {
    @Override
    public String code() {
      return "";
    }
  },
  /** The ledger says that the two accounts do not agree. */
  UNRECONCILED;

  /** A text under this stamp. */
  public String on(String text) {
    return this == NONE ? text : code() + ": " + text;
  }
}
