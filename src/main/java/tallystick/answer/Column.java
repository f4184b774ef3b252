package tallystick.answer;

/**
 * One column of a table.
 *
 * @param spare a narrow terminal leaves out the column with the highest first; 0 is never left out
 */
public record Column(String head, Kind kind, int spare) {
  /** From this rank on a column is for terminals that are wider than the usual 80 columns. */
  public static final int WIDE = 10;

  /** What its cells hold. */
  public enum Kind {
    /** Part of the row's name. */
    NAME,
    WORDS,
    /** Words that a narrow terminal shows below the row, before any column is left out. */
    SENTENCE,
    NUMBER
  }

  public static Column name(String head) {
    return new Column(head, Kind.NAME, 0);
  }

  public static Column words(String head) {
    return new Column(head, Kind.WORDS, 0);
  }

  public static Column sentence(String head) {
    return new Column(head, Kind.SENTENCE, 0);
  }

  public static Column number(String head) {
    return new Column(head, Kind.NUMBER, 0);
  }

  /** The same, left out where it does not fit; the highest rank goes first. */
  public Column spare(int rank) {
    return new Column(head, kind, rank);
  }

  public boolean isNumber() {
    return kind == Kind.NUMBER;
  }
}
