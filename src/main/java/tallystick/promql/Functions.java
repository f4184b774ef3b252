package tallystick.promql;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import tallystick.promql.Operands.SeriesWindow;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Scalar;
import tallystick.promql.Value.Vector;

/** The functions of PromQL that rules use. */
final class Functions {
  private static final double MILLIS = 1000;

  private Functions() {}

  static Value call(Operands operands, Expression.Call call, long atMillis) {
    return switch (call.function()) {
      case "rate" -> rate(operands, call, atMillis, RateExtrapolation.Function.RATE);
      case "increase" -> rate(operands, call, atMillis, RateExtrapolation.Function.INCREASE);
      case "delta" -> rate(operands, call, atMillis, RateExtrapolation.Function.DELTA);
      case "avg_over_time" -> over(operands, call, atMillis, w -> sum(w) / w.size());
      case "sum_over_time" -> over(operands, call, atMillis, Functions::sum);
      case "count_over_time" -> over(operands, call, atMillis, w -> (double) w.size());
      case "min_over_time" -> over(operands, call, atMillis, w -> extreme(w, -1));
      case "max_over_time" -> over(operands, call, atMillis, w -> extreme(w, 1));
      case "last_over_time" -> last(operands, call, atMillis);
      case "present_over_time" -> over(operands, call, atMillis, w -> 1.0);
      case "stddev_over_time" ->
          over(operands, call, atMillis, w -> Math.sqrt(SampleMath.variance(w.values())));
      case "stdvar_over_time" ->
          over(operands, call, atMillis, w -> SampleMath.variance(w.values()));
      case "quantile_over_time", "irate", "idelta", "deriv", "predict_linear" ->
          RangeFunctions.call(operands, call, atMillis);
      case "label_replace", "label_join" -> LabelFunctions.call(operands, call, atMillis);
      case "changes" -> over(operands, call, atMillis, w -> steps(w, false));
      case "resets" -> over(operands, call, atMillis, w -> steps(w, true));
      case "histogram_quantile" -> quantile(operands, call, atMillis);
      case "clamp_min", "clamp_max", "clamp" -> clamp(operands, call, atMillis);
      case "abs", "ceil", "floor", "sqrt", "exp", "ln", "log2", "log10", "sgn" ->
          each(operands, call, atMillis, elementary(call.function()));
      case "round" -> rounded(operands, call, atMillis);
      case "sort", "sort_desc" -> operands.vector(call.arguments().getFirst(), atMillis);
      case "timestamp" -> timestamp(operands, call, atMillis);
      case "pi" -> new Scalar(Math.PI);
      case "minute", "hour", "day_of_week", "day_of_month", "day_of_year", "days_in_month",
          "month", "year" -> calendar(operands, call, atMillis);
      case "vector" -> vector(operands.scalar(call.arguments().getFirst(), atMillis));
      case "scalar" -> scalar(operands.vector(call.arguments().getFirst(), atMillis));
      case "time" -> new Scalar(atMillis / MILLIS);
      case "absent" -> absent(operands, call, atMillis);
      case "absent_over_time" -> absentOverTime(operands, call, atMillis);
      default -> throw new NotUnderstoodException("function " + call.function(), call.at());
    };
  }

  private static Operands.RangeView range(
      Operands operands, Expression.Call call, long atMillis) {
    return operands.range(call.arguments().getFirst(), atMillis);
  }

  private static Vector rate(
      Operands operands,
      Expression.Call call,
      long atMillis,
      RateExtrapolation.Function function) {
    Operands.RangeView range = range(operands, call, atMillis);
    List<Element> elements = new ArrayList<>();
    for (SeriesWindow series : range.windows()) {
      OptionalDouble value =
          RateExtrapolation.of(
              function, operands.version(), series.window(), range.endMillis(),
              range.rangeMillis());
      value.ifPresent(v -> elements.add(new Element(series.labels().withoutName(), v)));
    }
    return Vector.distinct(elements, call.at());
  }

  private static Vector over(
      Operands operands,
      Expression.Call call,
      long atMillis,
      Function<Window, Double> fold) {
    return RangeFunctions.each(range(operands, call, atMillis), call.at(), 1, fold);
  }

  private static Vector last(Operands operands, Expression.Call call, long atMillis) {
    return new Vector(
        range(operands, call, atMillis).windows().stream()
            .map(s -> new Element(s.labels(), s.window().value(s.window().size() - 1)))
            .toList());
  }

  private static double sum(Window window) {
    double sum = 0;
    for (double value : window.values()) {
      sum += value;
    }
    return sum;
  }

  private static double extreme(Window window, int sign) {
    double extreme = window.value(0);
    for (double value : window.values()) {
      if (sign * value > sign * extreme || Double.isNaN(extreme)) {
        extreme = value;
      }
    }
    return extreme;
  }

  private static double steps(Window window, boolean onlyDown) {
    int steps = 0;
    for (int i = 1; i < window.size(); i++) {
      double before = window.value(i - 1);
      double now = window.value(i);
      boolean bothMissing = Double.isNaN(before) && Double.isNaN(now);
      if (onlyDown ? now < before : now != before && !bothMissing) {
        steps++;
      }
    }
    return steps;
  }

  private static Vector quantile(Operands operands, Expression.Call call, long atMillis) {
    double level = operands.scalar(call.arguments().get(0), atMillis);
    Map<Labels, List<HistogramQuantile.Bucket>> groups = new LinkedHashMap<>();
    for (Element element : operands.vector(call.arguments().get(1), atMillis).elements()) {
      OptionalDouble edge = edge(element.labels().get("le"));
      if (edge.isPresent()) {
        groups
            .computeIfAbsent(
                element.labels().without(List.of("le", Labels.NAME)), key -> new ArrayList<>())
            .add(new HistogramQuantile.Bucket(edge.getAsDouble(), element.value()));
      }
    }
    List<Element> elements = new ArrayList<>();
    groups.forEach(
        (labels, buckets) ->
            elements.add(
                new Element(
                    labels, HistogramQuantile.of(level, buckets, operands.version()))));
    return new Vector(elements);
  }

  /** An upper edge as the label le writes it; empty if the text is none. */
  static OptionalDouble edge(String text) {
    if (text.equals("+Inf") || text.equals("Inf")) {
      return OptionalDouble.of(Double.POSITIVE_INFINITY);
    }
    try {
      return OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  private static Vector clamp(Operands operands, Expression.Call call, long atMillis) {
    double first = operands.scalar(call.arguments().get(1), atMillis);
    return switch (call.function()) {
      case "clamp_min" -> each(operands, call, atMillis, value -> Math.max(first, value));
      case "clamp_max" -> each(operands, call, atMillis, value -> Math.min(first, value));
      default -> {
        double highest = operands.scalar(call.arguments().get(2), atMillis);
        yield highest < first
            ? Vector.EMPTY
            : each(operands, call, atMillis, v -> Math.max(first, Math.min(highest, v)));
      }
    };
  }

  private static Vector each(
      Operands operands, Expression.Call call, long atMillis, DoubleUnaryOperator map) {
    List<Element> elements = new ArrayList<>();
    for (Element element : operands.vector(call.arguments().getFirst(), atMillis).elements()) {
      elements.add(
          new Element(element.labels().withoutName(), map.applyAsDouble(element.value())));
    }
    return Vector.distinct(elements, call.at());
  }

  private static Vector vector(double value) {
    return new Vector(List.of(new Element(Labels.EMPTY, value)));
  }

  private static Scalar scalar(Vector vector) {
    return new Scalar(
        vector.elements().size() == 1 ? vector.elements().getFirst().value() : Double.NaN);
  }

  private static Vector absent(Operands operands, Expression.Call call, long atMillis) {
    Expression argument = call.arguments().getFirst();
    boolean found = !operands.vector(argument, atMillis).elements().isEmpty();
    return found ? Vector.EMPTY : new Vector(List.of(new Element(absentLabels(argument), 1)));
  }

  private static Vector absentOverTime(
      Operands operands, Expression.Call call, long atMillis) {
    if (!range(operands, call, atMillis).windows().isEmpty()) {
      return Vector.EMPTY;
    }
    Labels labels =
        call.arguments().getFirst().bare() instanceof Expression.RangeSelector range
            ? absentLabels(range.selector())
            : Labels.EMPTY;
    return new Vector(List.of(new Element(labels, 1)));
  }

  private static DoubleUnaryOperator elementary(String function) {
    return switch (function) {
      case "abs" -> Math::abs;
      case "ceil" -> Math::ceil;
      case "floor" -> Math::floor;
      case "sqrt" -> Math::sqrt;
      case "exp" -> Math::exp;
      case "ln" -> Math::log;
      case "log2" -> value -> Math.log(value) / Math.log(2);
      case "log10" -> Math::log10;
      default -> Math::signum;
    };
  }

  private static Vector rounded(
      Operands operands, Expression.Call call, long atMillis) {
    double nearest =
        call.arguments().size() > 1 ? operands.scalar(call.arguments().get(1), atMillis) : 1;
    double inverse = 1 / nearest;
    return each(
        operands, call, atMillis, value -> Math.floor(value * inverse + 0.5) / inverse);
  }

  /** A selector's samples keep their own times; anything else is as old as the evaluation. */
  private static Vector timestamp(
      Operands operands, Expression.Call call, long atMillis) {
    if (call.arguments().getFirst().bare() instanceof Expression.VectorSelector selector) {
      List<Element> elements =
          operands.samples(selector, atMillis).stream()
              .map(
                  sample ->
                      new Element(
                          sample.series().labels().withoutName(), sample.millis() / MILLIS))
              .toList();
      return Vector.distinct(elements, call.at());
    }
    return each(operands, call, atMillis, value -> atMillis / MILLIS);
  }

  private static Vector calendar(
      Operands operands, Expression.Call call, long atMillis) {
    if (call.arguments().isEmpty()) {
      return vector(calendar(call.function(), atMillis / MILLIS));
    }
    return each(operands, call, atMillis, seconds -> calendar(call.function(), seconds));
  }

  /** A time that no calendar holds has no day: what compares with it never fires. */
  private static double calendar(String function, double seconds) {
    if (!(Math.abs(seconds) <= Instant.MAX.getEpochSecond())) {
      return Double.NaN;
    }
    ZonedDateTime time = Instant.ofEpochSecond((long) seconds).atZone(ZoneOffset.UTC);
    return switch (function) {
      case "minute" -> time.getMinute();
      case "hour" -> time.getHour();
      case "day_of_week" -> time.getDayOfWeek().getValue() % 7;
      case "day_of_month" -> time.getDayOfMonth();
      case "day_of_year" -> time.getDayOfYear();
      case "days_in_month" -> time.toLocalDate().lengthOfMonth();
      case "month" -> time.getMonthValue();
      default -> time.getYear();
    };
  }

  /** The labels an absent series would have had: those asked for with = and nothing else. */
  private static Labels absentLabels(Expression argument) {
    if (!(argument.bare() instanceof Expression.VectorSelector selector)) {
      return Labels.EMPTY;
    }
    Map<String, String> labels = new LinkedHashMap<>();
    List<String> contradicted = new ArrayList<>();
    for (LabelMatcher matcher : selector.matchers()) {
      boolean equal = matcher.operator() == LabelMatcher.Operator.EQUAL;
      if (labels.putIfAbsent(matcher.label(), equal ? matcher.value() : "") != null) {
        contradicted.add(matcher.label());
      }
    }
    contradicted.forEach(labels::remove);
    labels.remove(Labels.NAME);
    return Labels.of(labels);
  }
}
