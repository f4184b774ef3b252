package tallystick.answer.words;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import tallystick.analysis.result.Figure;

/** The unit a group of latencies is shown in; both sides of one quantity share it. */
public enum LatencyUnit {
  MILLISECONDS("ms", 3),
  SECONDS("s", 0),
  /** Of thinking, which objectives limit as they limit times. */
  TOKENS("tokens", 0);

  private final String symbol;
  private final int shift;

  LatencyUnit(String symbol, int shift) {
    this.symbol = symbol;
    this.shift = shift;
  }

  /** Milliseconds below one second, seconds from there on. */
  public static LatencyUnit fitting(double seconds) {
    return Math.abs(seconds) < 1 ? MILLISECONDS : SECONDS;
  }

  /** The unit that fits the first of these figures that is known; milliseconds if none is. */
  public static LatencyUnit fittingFirstKnown(Figure... figures) {
    for (Figure figure : figures) {
      if (figure instanceof Figure.Known known && Double.isFinite(known.value())) {
        return fitting(known.value());
      }
    }
    return MILLISECONDS;
  }

  public String symbol() {
    return symbol;
  }

  /** A measured value in this unit, three digits that count, without the symbol. */
  public String number(double seconds) {
    if (!Double.isFinite(seconds)) {
      return Digits.infinity(seconds);
    }
    BigDecimal value = BigDecimal.valueOf(seconds).movePointRight(shift);
    if (this == TOKENS) {
      return value.setScale(0, RoundingMode.HALF_UP).toPlainString();
    }
    return Digits.significant(value);
  }

  /** A bucket's edge in this unit, exactly as the engine exposes it, without the symbol. */
  public String edge(double seconds) {
    if (!Double.isFinite(seconds)) {
      return Digits.infinity(seconds);
    }
    BigDecimal value = BigDecimal.valueOf(seconds).movePointRight(shift).stripTrailingZeros();
    return value.toPlainString();
  }

  /** A round value of an axis with its symbol, without what arithmetic left of rounding. */
  public static String tick(double seconds) {
    double clean = Double.parseDouble(String.format(Locale.ROOT, "%.6g", seconds));
    return seconds == 0 ? "0" : fitting(seconds).edge(clean) + " " + fitting(seconds).symbol();
  }

  /** A measured value with its symbol, for example {@code 82.1 ms}. */
  public String text(double seconds) {
    return number(seconds) + " " + symbol;
  }

  /** The bucket (low, high] without the symbol, for example {@code (0.1, 0.25]}. */
  public String bracket(double low, double high) {
    return "(" + edge(low) + ", " + edge(high) + "]";
  }
}
