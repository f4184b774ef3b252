package tallystick.report.screen;

/**
 * The terminal that a first screen is shown on.
 *
 * @param colour whether ANSI colour is wanted; no fact is told by colour alone
 * @param columns no line is wider, but one with a long word of a command; held to 80 … 120, beyond
 *     which lines are hard to read
 */
public record Terminal(boolean colour, int columns) {
  /** What every terminal has; files are written for it. */
  public static final int USUAL_COLUMNS = 80;

  static final int MOST_COLUMNS = 120; // an upper bound

  /** Without colour, of the usual width. */
  public static final Terminal PLAIN = new Terminal(false, USUAL_COLUMNS);

  public Terminal {
    columns = Math.clamp(columns, USUAL_COLUMNS, MOST_COLUMNS);
  }
}
