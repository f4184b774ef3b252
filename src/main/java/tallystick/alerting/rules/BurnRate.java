package tallystick.alerting.rules;

import java.util.List;
import tallystick.alerting.derivation.BadEventGuard;

/**
 * One pair of windows of a multi-window, multi-burn-rate alert; SRE workbook, table 5-8, and the
 * third pair of Sloth's google-30d. Shorter short windows resolve sooner, miss light episodes and
 * open more tickets: with 5 minutes for every budget, in virtual time, the page found 68 of 102
 * episodes and there were 47 tickets instead of 13.
 *
 * @param longRange the window that decides
 * @param shortRange the window that ends the alert soon after the burn
 * @param factor how many times the budget's even pace
 */
public record BurnRate(String longRange, String shortRange, double factor) {
  public static final List<BurnRate> PAGES =
      List.of(new BurnRate("1h", "5m", 14.4), new BurnRate("6h", "30m", 6));
  static final List<BurnRate> TICKETS =
      List.of(new BurnRate("1d", "2h", 3), new BurnRate("3d", "6h", 1));
  private static final double MOST_RATIO = 0.5; // a share never exceeds 1

  /**
   * The pair with a factor that can fire: a share of bad events never exceeds 1, so the threshold
   * is kept at or below one half.
   */
  public BurnRate usable(double target) {
    double most = MOST_RATIO / (1 - target);
    boolean fires = factor * (1 - target) < 1;
    return fires ? this : new BurnRate(longRange, shortRange, Math.min(factor, most));
  }

  /** The share of bad events above which it fires. */
  public double ratio(double target) {
    return factor * (1 - target);
  }

  /** Bad events the long window must hold. */
  int leastBadEvents(double target) {
    return BadEventGuard.leastBadEvents(target, factor);
  }
}
