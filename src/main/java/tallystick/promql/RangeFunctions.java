package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tallystick.promql.Operands.RangeView;
import tallystick.promql.Operands.SeriesWindow;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Vector;

/** Functions over a range that look at its last samples, its spread or its trend. */
final class RangeFunctions {
  private RangeFunctions() {}

  static Vector call(Operands operands, Expression.Call call, long atMillis) {
    List<Expression> arguments = call.arguments();
    return switch (call.function()) {
      case "irate" -> each(range(operands, call, 0, atMillis), call.at(), 2, w -> last(w, true));
      case "idelta" ->
          each(range(operands, call, 0, atMillis), call.at(), 2, w -> last(w, false));
      case "deriv" ->
          each(
              range(operands, call, 0, atMillis), call.at(), 2,
              w -> SampleMath.line(w, w.millis(0)).slope());
      case "predict_linear" -> {
        double seconds = operands.scalar(arguments.get(1), atMillis);
        yield each(
            range(operands, call, 0, atMillis), call.at(), 2,
            w -> ahead(SampleMath.line(w, atMillis), seconds));
      }
      case "quantile_over_time" -> {
        double level = operands.scalar(arguments.getFirst(), atMillis);
        yield each(
            range(operands, call, 1, atMillis), call.at(), 1,
            w -> SampleMath.quantile(level, w.values()));
      }
      default -> throw new NotUnderstoodException("function " + call.function(), call.at());
    };
  }

  private static RangeView range(
      Operands operands, Expression.Call call, int argument, long atMillis) {
    return operands.range(call.arguments().get(argument), atMillis);
  }

  /** One element for each series with enough samples, without its name. */
  static Vector each(RangeView range, int at, int least, Function<Window, Double> fold) {
    List<Element> elements = new ArrayList<>();
    for (SeriesWindow series : range.windows()) {
      if (series.window().size() >= least) {
        elements.add(new Element(series.labels().withoutName(), fold.apply(series.window())));
      }
    }
    return Vector.distinct(elements, at);
  }

  /** The step between the last two samples; of a counter per second, and after a reset all. */
  private static double last(Window window, boolean isRate) {
    int end = window.size() - 1;
    double newest = window.value(end);
    double before = window.value(end - 1);
    if (!isRate) {
      return newest - before;
    }
    double seconds = (window.millis(end) - window.millis(end - 1)) / 1e3;
    return (newest < before ? newest : newest - before) / seconds;
  }

  private static double ahead(SampleMath.Line line, double seconds) {
    return line.slope() * seconds + line.intercept();
  }
}
