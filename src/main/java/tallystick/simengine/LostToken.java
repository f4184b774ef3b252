package tallystick.simengine;

/**
 * A fault that loses one token between engine and client: the engine has counted it, the client
 * never gets it. Tests use it to show that a ledger notices.
 */
final class LostToken {
  private long untilLost;

  /**
   * Loses one token.
   *
   * @param position which one of all tokens generated, from 1; 0 means none
   */
  LostToken(long position) {
    this.untilLost = position;
  }

  /** Whether the next token is the one to lose. */
  boolean isNext() {
    if (untilLost == 0) {
      return false;
    }
    untilLost--;
    return untilLost == 0;
  }
}
