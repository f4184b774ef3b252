package tallystick.cli.terminal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** The latest values of one thing as a row of small bars. One thread. */
final class Sparkline {
  private static final int MOST = 60;
  private static final int STILL_NEW = 5;
  private static final String BARS = "▁▂▃▄▅▆▇█";

  private final Deque<Double> values = new ArrayDeque<>();
  private final Form form;

  /** How a value is written. */
  enum Form {
    SECONDS,
    COUNT,
    SHARE
  }

  Sparkline(Form form) {
    this.form = form;
  }

  /** One more value; NaN where there is none. */
  void add(double value) {
    values.addLast(value);
    if (values.size() > MOST) {
      values.removeFirst();
    }
  }

  /** The latest value that is not older than some others; a dash where there is none. */
  String latest() {
    double latest = Double.NaN;
    int place = 0;
    for (double value : values) {
      place++;
      if (!Double.isNaN(value) && values.size() - place < STILL_NEW) {
        latest = value;
      }
    }
    return Double.isNaN(latest) ? "-" : text(latest);
  }

  private String text(double value) {
    return switch (form) {
      case SECONDS ->
          value < 10
              ? String.format(Locale.ROOT, value < 0.01 ? "%.1f ms" : "%.0f ms", value * 1e3)
              : String.format(Locale.ROOT, "%.1f s", value);
      case COUNT -> String.format(Locale.ROOT, "%.0f", value);
      case SHARE -> String.format(Locale.ROOT, "%.0f %%", value * 100);
    };
  }

  /**
   * One bar for each of the latest values, from 0 to the largest of those shown; of a share to 1. A
   * blank is a second without a value.
   */
  String bars(int width) {
    double top = form == Form.SHARE ? 1 : 0;
    for (double value : latest(width)) {
      top = Double.isNaN(value) ? top : Math.max(top, value);
    }
    StringBuilder bars = new StringBuilder();
    for (double value : latest(width)) {
      double part = top > 0 ? Math.max(0, value) / top : 0;
      bars.append(
          Double.isNaN(value)
              ? ' '
              : BARS.charAt((int) Math.round(part * (BARS.length() - 1))));
    }
    return bars.toString();
  }

  private double[] latest(int width) {
    return values.stream()
        .skip(Math.max(0, values.size() - width))
        .mapToDouble(Double::doubleValue)
        .toArray();
  }
}
