package tallystick.alerting.rules;

/**
 * What an alert promises the users of the server it watches.
 *
 * @param claim whether it promises anything
 * @param rangeMillis how far back its condition looks: as long it may remember what is over
 */
public record Promise(Claim claim, long rangeMillis) {
  /** No promise about users: it watches for something else. */
  static final Promise NONE = new Promise(Claim.NONE, 0);

  /** How much is promised. */
  public enum Claim {
    /** Nothing about users. */
    NONE,
    /** Silent while users are well. */
    SILENT,
    /** Silent while users are well, and fires when they suffer. */
    SILENT_AND_FIRES
  }

  static Promise silent(long rangeMillis) {
    return new Promise(Claim.SILENT, rangeMillis);
  }

  static Promise silentAndFires(long rangeMillis) {
    return new Promise(Claim.SILENT_AND_FIRES, rangeMillis);
  }

  boolean fires() {
    return claim == Claim.SILENT_AND_FIRES;
  }

  boolean isSilent() {
    return claim != Claim.NONE;
  }

  /** From the begin of suffering to the firing: range, {@code for}, an evaluation and a scrape. */
  long delayMillis(long holdMillis, long intervalMillis) {
    return rangeMillis + leastMillis(holdMillis, intervalMillis);
  }

  /** Suffering that is shorter is not promised to be found: {@code for} may outlast it. */
  static long leastMillis(long holdMillis, long intervalMillis) {
    return holdMillis + 2 * intervalMillis;
  }

  /** From the end of suffering to silence: range, keep_firing_for, an evaluation and a scrape. */
  long settleMillis(long keepMillis, long intervalMillis) {
    return rangeMillis + keepMillis + 2 * intervalMillis;
  }
}
