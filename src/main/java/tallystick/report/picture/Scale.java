package tallystick.report.picture;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Formatted;

/** Where a value lies on an axis, and which values are named there. Positions are 0 to 1. */
public record Scale(double low, double high, boolean logarithmic, List<Double> ticks) {
  private static final double LOG_FROM_RATIO = 20; // P50 and tail differ by more
  private static final double LOWEST_LOG_SECONDS = 0.001; // chunks read together lie closer
  private static final double[] STEPS = {1, 2, 2.5, 5, 10}; // round ones of a decade

  private static final int MOST_LOG_TICKS = 4; // layout
  private static final int[][] LOG_TICKS = {{1, 2, 5}, {1, 5}, {1}};

  public Scale {
    ticks = List.copyOf(ticks);
  }

  /** An axis from zero to a round number at or above {@code largest}. */
  public static Scale fromZero(double largest, int intervals) {
    double top = largest > 0 ? largest : 1;
    double step = roundStep(top / intervals);
    double high = Math.ceil(top / step - 1e-9) * step;
    return new Scale(0, high, false, stepped(0, high, step));
  }

  /** An axis of whole numbers from zero. */
  static Scale wholeFromZero(double largest, int intervals) {
    double step = Math.max(1, Math.ceil(roundStep(Math.max(1, largest) / intervals)));
    double high = Math.max(1, Math.ceil(largest / step - 1e-9)) * step;
    return new Scale(0, high, false, stepped(0, high, step));
  }

  /** An axis that is exactly this range, round values named. */
  public static Scale exactly(double low, double high, int intervals) {
    double step = roundStep((high - low) / intervals);
    double first = Math.ceil(low / step - 1e-9) * step;
    return new Scale(low, high, false, stepped(first, high, step));
  }

  /** Places one beside the other, each named. */
  static Scale places(int first, int last) {
    return new Scale(first - 0.5, last + 0.5, false, stepped(first, last, 1));
  }

  /** Logarithmic where the values span more than one decade and a bit, otherwise from zero. */
  static Scale latency(double smallest, double largest, int intervals) {
    boolean wide = smallest > 0 && largest / smallest >= LOG_FROM_RATIO;
    // Chunks read together lie microseconds apart; they must not press everything else flat.
    double floor = Math.min(LOWEST_LOG_SECONDS, largest / LOG_FROM_RATIO);
    double low = Math.max(smallest, floor);
    return wide ? logarithmic(low, largest) : fromZero(largest, intervals);
  }

  /** A logarithmic axis around these positive values, as many ticks as stay legible. */
  static Scale logarithmic(double smallest, double largest) {
    int first = (int) Math.floor(Math.log10(smallest) + 1e-9);
    int last = (int) Math.ceil(Math.log10(largest) - 1e-9);
    double low = firstAtOrBelow(smallest, first);
    double high = firstAtOrAbove(largest, last);
    List<Double> ticks = List.of();
    for (int[] multiples : LOG_TICKS) {
      ticks = logTicks(low, high, first, last, multiples);
      if (ticks.size() <= MOST_LOG_TICKS) {
        break;
      }
    }
    return new Scale(low, high, true, ticks);
  }

  private static List<Double> logTicks(
      double low, double high, int first, int last, int[] multiples) {
    List<Double> ticks = new ArrayList<>();
    for (int decade = first; decade <= last; decade++) {
      for (int multiple : multiples) {
        double tick = Double.parseDouble(multiple + "e" + decade);
        if (tick >= low * 0.999 && tick <= high * 1.001) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }

  private static double firstAtOrBelow(double value, int decade) {
    double base = Double.parseDouble("1e" + decade);
    double low = base;
    for (double step : new double[] {2, 5}) {
      low = step * base <= value ? step * base : low;
    }
    return low;
  }

  private static double firstAtOrAbove(double value, int decade) {
    double base = Double.parseDouble("1e" + (decade - 1));
    for (double step : new double[] {1, 2, 5}) {
      if (step * base >= value) {
        return step * base;
      }
    }
    return 10 * base;
  }

  /** Position of a value, 0 at the low end; values outside are held at the ends. */
  public double position(double value) {
    double share =
        logarithmic
            ? Math.log(Math.max(value, Double.MIN_NORMAL) / low) / Math.log(high / low)
            : (value - low) / (high - low);
    return Math.min(1, Math.max(0, share));
  }

  /** Where a value lies, as CSS. */
  String left(double value) {
    return "left:" + css(100 * position(value)) + "%";
  }

  /** A bar between two values, as CSS. */
  public String bar(double from, double to) {
    double left = Math.min(from, to);
    double width = 100 * position(Math.max(from, to)) - 100 * position(left);
    return left(left) + ";width:" + css(width) + "%";
  }

  /** A position as a CSS or SVG number with at most two decimals. */
  public static String css(double value) {
    return Formatted.decimals(value, 2);
  }

  private static double roundStep(double atLeast) {
    double decade = Math.pow(10, Math.floor(Math.log10(atLeast)));
    for (double step : STEPS) {
      if (step * decade >= atLeast * (1 - 1e-9)) {
        return step * decade;
      }
    }
    return 10 * decade;
  }

  private static List<Double> stepped(double low, double high, double step) {
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; low + i * step <= high + step * 1e-6; i++) {
      double tick = low + i * step;
      // Zero must not read as minus zero or as a rest of rounding.
      ticks.add(Math.abs(tick) < step * 1e-6 ? 0.0 : tick);
    }
    return ticks;
  }
}
