package tallystick.alerting.rules;

import java.util.List;

/**
 * What an alert promises the users of the server it watches.
 *
 * @param claim whether it promises anything
 * @param rangeMillis how far back its condition looks: as long it may remember what is over
 * @param burdens any of them lasting, it fires; lighter suffering it cannot see
 */
public record AlertExpectation(Claim claim, long rangeMillis, List<SufferingPredicate> burdens) {
  /** No promise about users: it watches for something else. */
  public static final AlertExpectation NONE = new AlertExpectation(Claim.NONE, 0, List.of());

  /** Some histograms count a request when it is finished, not at its first token. */
  public static final long ON_THEIR_WAY_MILLIS = 60_000;

  public AlertExpectation {
    burdens = List.copyOf(burdens);
  }

  /** How much is promised. */
  public enum Claim {
    /** Nothing about users. */
    NONE,
    /** Silent while users are well. */
    SILENT,
    /** Silent while users are well, and fires whenever they suffer. */
    SILENT_AND_FIRES
  }

  static AlertExpectation silent(long rangeMillis) {
    return new AlertExpectation(Claim.SILENT, rangeMillis, List.of());
  }

  /** Silent while users are well, and fires under these burdens; lighter ones it may miss. */
  static AlertExpectation silentAndFires(long rangeMillis, List<SufferingPredicate> burdens) {
    return new AlertExpectation(Claim.SILENT, rangeMillis, burdens);
  }

  /** Silent while users are well, and fires whenever they suffer and under this burden. */
  static AlertExpectation silentAndFiresAlways(long rangeMillis, SufferingPredicate burden) {
    return new AlertExpectation(Claim.SILENT_AND_FIRES, rangeMillis, List.of(burden));
  }

  public boolean firesAlways() {
    return claim == Claim.SILENT_AND_FIRES;
  }

  public boolean isSilent() {
    return claim != Claim.NONE;
  }

  /** From the begin of suffering to the firing: range, {@code for}, an evaluation and a scrape. */
  public long delayMillis(long holdMillis, long intervalMillis) {
    return rangeMillis + leastMillis(holdMillis, intervalMillis);
  }

  /** From the first sight of a burden to the firing. */
  public static long burdenDelayMillis(long holdMillis, long intervalMillis) {
    return leastMillis(holdMillis, intervalMillis) + ON_THEIR_WAY_MILLIS;
  }

  /** Suffering that is shorter is not promised to be found: {@code for} may outlast it. */
  public static long leastMillis(long holdMillis, long intervalMillis) {
    return holdMillis + 2 * intervalMillis;
  }

  /** From the end of suffering to silence: range, keep_firing_for, an evaluation and a scrape. */
  public long settleMillis(long keepMillis, long intervalMillis) {
    return rangeMillis + keepMillis + 2 * intervalMillis;
  }
}
