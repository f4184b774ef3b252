package tallystick.answer.words;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** A change as a share of what was before, in per cent. */
public final class PercentText {
  /** Less is written as no change: with one decimal it would read 0. */
  private static final double LEAST_TOLD = 0.0005;

  /** From here on one decimal would round to 10, and whole numbers are enough. */
  private static final double WHOLE_FROM = 0.0995;

  private PercentText() {}

  /** {@code +4.8 %}; whole numbers from 10 on. */
  public static String signed(double share) {
    if (!isTold(share)) {
      return plain(0);
    }
    return (share < 0 ? "-" : "+") + plain(Math.abs(share));
  }

  /** {@code 4.8 %}. */
  public static String plain(double share) {
    int digits = share < WHOLE_FROM ? 1 : 0;
    return new BigDecimal(100 * share).setScale(digits, RoundingMode.HALF_UP)
        .toPlainString().replaceFirst("\\.0$", "") + " %";
  }

  /** Whether it is more than nothing, as it is written. */
  public static boolean isTold(double share) {
    return Math.abs(share) >= LEAST_TOLD;
  }
}
