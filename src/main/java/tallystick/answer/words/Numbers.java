package tallystick.answer.words;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.function.DoubleFunction;
import tallystick.analysis.result.Figure;

/** How numbers look to a reader. */
public final class Numbers {
  private static final double LAST_EXACT = 1L << 53;

  private Numbers() {}

  /** A count with separators: {@code 12,345}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A figure that is normally whole; a fraction is kept so that nobody takes it for a count. */
  public static String count(double value) {
    if (!Double.isFinite(value)) {
      return Digits.infinity(value);
    }
    if (value == Math.rint(value) && Math.abs(value) < LAST_EXACT) {
      return count((long) value);
    }
    return number(value);
  }

  /** A count, or {@code n/a (why)}. */
  public static String count(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> count(known.value());
      case Figure.Unavailable missing -> notAvailable(missing);
    };
  }

  /** From the least to the most, written with their unit: one where both read the same. */
  public static String span(String least, String most) {
    String unit = most.contains(" ") ? most.substring(most.lastIndexOf(' ')) : "";
    return least.equals(most)
        ? most
        : (least.endsWith(unit) ? least.substring(0, least.length() - unit.length()) : least)
            + "–" + most;
  }

  /** Three digits that count; whole numbers from 1000 on. */
  public static String number(double value) {
    if (!Double.isFinite(value)) {
      return Digits.infinity(value);
    }
    return Digits.significant(BigDecimal.valueOf(value));
  }

  /** A threshold as a rule has it: four digits that count, without zeros at the end. */
  public static String threshold(double value) {
    return String.format(Locale.ROOT, "%.4g", value).replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }

  /** A number, or {@code n/a (why)}. */
  public static String number(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> number(known.value());
      case Figure.Unavailable missing -> notAvailable(missing);
    };
  }

  /**
   * What stands at the line of a limit among P95s, for example {@code limit 1 s for 99 %}: of
   * another percentile it says so, because what lies below may miss it.
   */
  public static String limit(double seconds, double share) {
    return "limit " + LatencyUnit.tick(seconds) + (share == 0.95 ? "" : " for " + percent(share));
  }

  /** A ratio as per cent: {@code 98.7 %}; only all is 100 %, only nothing is 0 %. */
  public static String percent(double ratio) {
    if (!Double.isFinite(ratio)) {
      return Digits.infinity(ratio);
    }
    if (ratio < 1 && ratio > 0.9999) {
      return "> 99.99 %";
    }
    if (ratio > 0 && ratio < 0.0001) {
      return "< 0.01 %";
    }
    BigDecimal percent = BigDecimal.valueOf(ratio).movePointRight(2);
    BigDecimal shown = percent.setScale(2, RoundingMode.HALF_UP).stripTrailingZeros();
    return shown.toPlainString() + " %";
  }

  /** A ratio as per cent, or {@code n/a (why)}. */
  public static String percent(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> percent(known.value());
      case Figure.Unavailable missing -> notAvailable(missing);
    };
  }

  /** A p-value; below 0.001 only that it is. */
  public static String probability(double value) {
    return value < 0.001 ? "< 0.001" : number(value);
  }

  /** A p-value, or {@code n/a (why)}. */
  public static String probability(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> probability(known.value());
      case Figure.Unavailable missing -> notAvailable(missing);
    };
  }

  /** A latency with the unit that fits it, or {@code n/a (why)}. */
  public static String latency(Figure figure) {
    return switch (figure) {
      case Figure.Known known -> LatencyUnit.fitting(known.value()).text(known.value());
      case Figure.Unavailable missing -> notAvailable(missing);
    };
  }

  /** The wording of every missing figure. */
  public static String notAvailable(Figure.Unavailable missing) {
    return "n/a (" + missing.reason() + ")";
  }

  /** A difference with its sign; what shows as zero has none. */
  public static String signed(double value, DoubleFunction<String> words) {
    String size = words.apply(Math.abs(value));
    boolean isNothing = size.startsWith("0 ") || size.startsWith("≈");
    return isNothing ? size : (value < 0 ? "-" : "+") + size;
  }

  /** A change of a share of what was: {@code +14 %}, {@code -2.3 %}; below 10 % with a digit. */
  public static String signedPercent(double share) {
    String format = Math.abs(share) < 0.1 ? "%+.1f %%" : "%+,.0f %%";
    return String.format(Locale.ROOT, format, 100 * share);
  }

  /** {@code P95} for 0.95, {@code P99.9} for 0.999. */
  public static String percentile(double level) {
    return "P"
        + BigDecimal.valueOf(level).movePointRight(2).stripTrailingZeros().toPlainString();
  }
}
