package tallystick.alerting;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import tallystick.scenario.Objective;

/** How numbers and objectives stand in rules and in sentences about them. */
public final class RuleWords {
  private static final MathContext SIX_DIGITS = new MathContext(6);

  private RuleWords() {}

  /** A number with at most six digits, without a needless fraction or exponent. */
  public static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    return new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** An objective, for example {@code ttft <= 1 s for 0.99}. */
  public static String objective(Objective objective) {
    return "%s <= %s s for %s"
        .formatted(
            objective.metric().name().toLowerCase(Locale.ROOT),
            number(objective.thresholdSeconds()), number(objective.share()));
  }
}
