package tallystick.experiment.regress;

/**
 * What each look at the pairs may cost. There is one after every pair from the third on, and none
 * depends on how many pairs are asked for, so pairs that are added later change no level.
 */
final class Looks {
  /** Fewer pairs let a verdict hang on one run. */
  static final int FIRST = 3;

  /**
   * How seldom equal engines may look so at one look: with the margins, at the noise of a real
   * engine, 1 % over the looks at five pairs.
   */
  private static final double LEVEL = 0.004;

  /** From here on each look costs less, so that any number of them costs little more. */
  private static final int EVEN = 5;

  private Looks() {}

  /** The level of each question of the look after so many pairs. */
  static double level(int pairs) {
    double share = Math.min(1, (double) EVEN / pairs);
    return LEVEL * share * share;
  }

  /** What that look costs: the times together ask one question, and single metrics another. */
  static double inAll(int pairs) {
    return 2 * level(pairs);
  }
}
