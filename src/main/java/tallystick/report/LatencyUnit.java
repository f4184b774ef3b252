package tallystick.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import tallystick.analysis.Figure;

/** The unit a group of latencies is shown in; both sides of one quantity share it. */
enum LatencyUnit {
  MILLISECONDS("ms", 3),
  SECONDS("s", 0);

  private static final MathContext SHOWN_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private final String symbol;
  private final int shift;

  LatencyUnit(String symbol, int shift) {
    this.symbol = symbol;
    this.shift = shift;
  }

  /** Milliseconds below one second, seconds from there on. */
  static LatencyUnit fitting(double seconds) {
    return Math.abs(seconds) < 1 ? MILLISECONDS : SECONDS;
  }

  /** The unit that fits the first of these figures that is known; milliseconds if none is. */
  static LatencyUnit fittingFirstKnown(Figure... figures) {
    for (Figure figure : figures) {
      if (figure instanceof Figure.Known known && Double.isFinite(known.value())) {
        return fitting(known.value());
      }
    }
    return MILLISECONDS;
  }

  String symbol() {
    return symbol;
  }

  /** A measured value in this unit, three digits that count, without the symbol. */
  String number(double seconds) {
    if (!Double.isFinite(seconds)) {
      return Numbers.infinity(seconds);
    }
    BigDecimal value = BigDecimal.valueOf(seconds).movePointRight(shift);
    if (value.abs().compareTo(BigDecimal.valueOf(1000)) >= 0) {
      return String.format(Locale.ROOT, "%,d", value.setScale(0, RoundingMode.HALF_UP).toBigInteger());
    }
    BigDecimal shown = value.round(SHOWN_DIGITS);
    // Below a tenth of a microsecond digits mean nothing.
    return shown.scale() > 4 ? shown.setScale(4, RoundingMode.HALF_UP).toPlainString()
        : shown.toPlainString();
  }

  /** A bucket's edge in this unit, exactly as the engine exposes it, without the symbol. */
  String edge(double seconds) {
    if (!Double.isFinite(seconds)) {
      return Numbers.infinity(seconds);
    }
    BigDecimal value = BigDecimal.valueOf(seconds).movePointRight(shift).stripTrailingZeros();
    return value.toPlainString();
  }

  /** A measured value with its symbol, for example {@code 82.1 ms}. */
  String text(double seconds) {
    return number(seconds) + " " + symbol;
  }

  /** The bucket (low, high] without the symbol, for example {@code (0.1, 0.25]}. */
  String bracket(double low, double high) {
    return "(" + edge(low) + ", " + edge(high) + "]";
  }
}
