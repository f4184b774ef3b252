package tallystick.alerting.rules;

import java.util.List;

/**
 * What an alert promises the users of the server it watches.
 *
 * @param isSilent whether it is silent while users are well; otherwise it promises nothing of them
 * @param firesAlways whether it fires whenever they suffer
 * @param rangeMillis how far back its condition looks: as long it may remember what is over
 * @param burdens any of them lasting, it fires; lighter suffering it cannot see
 */
public record AlertExpectation(
    boolean isSilent, boolean firesAlways, long rangeMillis, List<SufferingPredicate> burdens) {
  /** No promise about users: it watches for something else. */
  public static final AlertExpectation NONE =
      new AlertExpectation(false, false, 0, List.of());

  /** Some histograms count a request when it is finished, not at its first token. */
  public static final long ON_THEIR_WAY_MILLIS = 60_000;

  public AlertExpectation {
    burdens = List.copyOf(burdens);
  }

  static AlertExpectation silent(long rangeMillis) {
    return new AlertExpectation(true, false, rangeMillis, List.of());
  }

  /** Silent while users are well, and fires under these burdens; lighter ones it may miss. */
  static AlertExpectation silentAndFires(long rangeMillis, List<SufferingPredicate> burdens) {
    return new AlertExpectation(true, false, rangeMillis, burdens);
  }

  /** Silent while users are well, and fires whenever they suffer and under this burden. */
  static AlertExpectation silentAndFiresAlways(long rangeMillis, SufferingPredicate burden) {
    return new AlertExpectation(true, true, rangeMillis, List.of(burden));
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
