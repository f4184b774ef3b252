package tallystick.answer.words;

import java.util.function.DoubleFunction;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

/** How an estimate with its interval reads. */
public final class IntervalText {
  private IntervalText() {}

  /** {@code 4.70 (3.60 to 5.90)}. */
  public static String number(Interval interval) {
    return text(interval, Numbers::number, "");
  }

  /** {@code x 9.10 (7.28 to 11.8)}. */
  public static String ratio(Interval interval) {
    return interval.value() instanceof Figure.Known
        ? "× " + number(interval)
        : number(interval);
  }

  /** {@code 160 ms (136 to 184)}, all in the unit of the estimate. */
  public static String latency(Interval interval) {
    LatencyUnit unit = LatencyUnit.fittingFirstKnown(interval.value());
    return text(interval, unit::number, " " + unit.symbol());
  }

  private static String text(Interval interval, DoubleFunction<String> number, String unit) {
    return switch (interval.value()) {
      case Figure.Unavailable missing -> Numbers.notAvailable(missing);
      case Figure.Known value -> number.apply(value.value()) + unit + ends(interval, number);
    };
  }

  private static String ends(Interval interval, DoubleFunction<String> number) {
    return interval.low() instanceof Figure.Known low
            && interval.high() instanceof Figure.Known high
        ? " (" + number.apply(low.value()) + " to " + number.apply(high.value()) + ")"
        : "";
  }
}
