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
import java.util.function.ToIntFunction;
import tallystick.promql.Operands.SeriesWindow;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Scalar;
import tallystick.promql.Value.Vector;
import tallystick.runrecord.Series;

/** A call of one of the functions of PromQL that rules use, at one moment. */
record Functions(Operands operands, Expression.Call call, long atMillis) {
  private static final double MILLIS = 1000;

  static Value call(Operands operands, Expression.Call call, long atMillis) {
    return new Functions(operands, call, atMillis).value();
  }

  private Value value() {
    return switch (call.function()) {
      case "rate" -> rate(RateExtrapolation.Function.RATE);
      case "increase" -> rate(RateExtrapolation.Function.INCREASE);
      case "delta" -> rate(RateExtrapolation.Function.DELTA);
      case "irate" -> over(range(0), 2, w -> last(w, true));
      case "idelta" -> over(range(0), 2, w -> last(w, false));
      case "deriv" -> over(range(0), 2, w -> SampleMath.line(w, w.millis(0)).slope());
      case "predict_linear" -> {
        double seconds = scalar(1);
        yield over(range(0), 2, w -> ahead(SampleMath.line(w, atMillis), seconds));
      }
      case "avg_over_time", "sum_over_time", "count_over_time", "min_over_time", "max_over_time",
          "stddev_over_time", "stdvar_over_time" -> {
        String fold = call.function().replace("_over_time", "");
        yield over(range(0), 1, w -> Aggregations.folded(fold, w.values()));
      }
      case "last_over_time" -> newest();
      case "present_over_time" -> over(range(0), 1, w -> 1.0);
      case "quantile_over_time" -> {
        double level = scalar(0);
        yield over(range(1), 1, w -> SampleMath.quantile(level, w.values()));
      }
      case "changes" -> over(range(0), 1, w -> steps(w, false));
      case "resets" -> over(range(0), 1, w -> steps(w, true));
      case "label_replace", "label_join" -> LabelFunctions.call(call, vector(0));
      case "histogram_quantile" -> quantile();
      case "sort", "sort_desc" -> vector(0);
      case "timestamp" -> timestamp();
      case "pi" -> new Scalar(Math.PI);
      case "vector" -> vector(scalar(0));
      case "scalar" -> scalar(vector(0));
      case "time" -> new Scalar(atMillis / MILLIS);
      case "absent" -> absent(vector(0).elements());
      case "absent_over_time" -> absent(range(0).windows());
      default -> ofEach();
    };
  }

  /** What makes another value of each element. */
  private Value ofEach() {
    return switch (call.function()) {
      case "clamp_min" -> {
        double least = scalar(1);
        yield each(value -> Math.max(least, value));
      }
      case "clamp_max" -> {
        double most = scalar(1);
        yield each(value -> Math.min(most, value));
      }
      case "clamp" -> clamp(scalar(1), scalar(2));
      case "abs" -> each(Math::abs);
      case "ceil" -> each(Math::ceil);
      case "floor" -> each(Math::floor);
      case "sqrt" -> each(Math::sqrt);
      case "exp" -> each(Math::exp);
      case "ln" -> each(Math::log);
      case "log2" -> each(value -> Math.log(value) / Math.log(2));
      case "log10" -> each(Math::log10);
      case "sgn" -> each(Math::signum);
      case "round" -> rounded();
      case "minute" -> calendar(ZonedDateTime::getMinute);
      case "hour" -> calendar(ZonedDateTime::getHour);
      case "day_of_week" -> calendar(time -> time.getDayOfWeek().getValue() % 7);
      case "day_of_month" -> calendar(ZonedDateTime::getDayOfMonth);
      case "day_of_year" -> calendar(ZonedDateTime::getDayOfYear);
      case "days_in_month" -> calendar(time -> time.toLocalDate().lengthOfMonth());
      case "month" -> calendar(ZonedDateTime::getMonthValue);
      case "year" -> calendar(ZonedDateTime::getYear);
      default -> throw new NotUnderstoodException("function " + call.function(), call.at());
    };
  }

  private Operands.RangeView range(int argument) {
    return operands.range(call.arguments().get(argument), atMillis);
  }

  private Vector vector(int argument) {
    return operands.vector(call.arguments().get(argument), atMillis);
  }

  private double scalar(int argument) {
    return operands.scalar(call.arguments().get(argument), atMillis);
  }

  private Vector rate(RateExtrapolation.Function function) {
    Operands.RangeView range = range(0);
    return over(
        range, 2,
        window ->
            RateExtrapolation.of(
                    function, operands.version(), window, range.endMillis(), range.rangeMillis())
                .orElseThrow());
  }

  /** One element for each series with enough samples, without its name. */
  private Vector over(Operands.RangeView range, int least, Function<Window, Double> fold) {
    List<Element> elements = new ArrayList<>();
    for (SeriesWindow series : range.windows()) {
      if (series.window().size() >= least) {
        elements.add(new Element(series.labels().withoutName(), fold.apply(series.window())));
      }
    }
    return Vector.distinct(elements, call.at());
  }

  private Vector newest() {
    return new Vector(
        range(0).windows().stream()
            .map(s -> new Element(s.labels(), s.window().value(s.window().size() - 1)))
            .toList());
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

  private Vector quantile() {
    double level = scalar(0);
    Map<Labels, List<HistogramQuantile.Bucket>> groups = new LinkedHashMap<>();
    for (Element element : vector(1).elements()) {
      OptionalDouble edge = Series.edge(element.labels().get("le"));
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

  private Vector clamp(double least, double most) {
    return most < least
        ? Vector.EMPTY
        : each(value -> Math.max(least, Math.min(most, value)));
  }

  private Vector each(DoubleUnaryOperator map) {
    return Vector.distinct(
        vector(0).elements().stream()
            .map(one -> new Element(one.labels().withoutName(), map.applyAsDouble(one.value())))
            .toList(),
        call.at());
  }

  private static Vector vector(double value) {
    return new Vector(List.of(new Element(Labels.EMPTY, value)));
  }

  private static Scalar scalar(Vector vector) {
    return new Scalar(
        vector.elements().size() == 1 ? vector.elements().getFirst().value() : Double.NaN);
  }

  private Vector absent(List<?> found) {
    Labels labels = absentLabels(call.arguments().getFirst().bare());
    return found.isEmpty() ? new Vector(List.of(new Element(labels, 1))) : Vector.EMPTY;
  }

  private Vector rounded() {
    double inverse = 1 / (call.arguments().size() > 1 ? scalar(1) : 1);
    return each(value -> Math.floor(value * inverse + 0.5) / inverse);
  }

  /** A selector's samples keep their own times; anything else is as old as the evaluation. */
  private Vector timestamp() {
    if (call.arguments().getFirst().bare() instanceof Expression.VectorSelector selector) {
      return Vector.distinct(
          operands.samples(selector, atMillis).stream()
              .map(one -> new Element(one.series().labels().withoutName(), one.millis() / MILLIS))
              .toList(),
          call.at());
    }
    return each(value -> atMillis / MILLIS);
  }

  private Vector calendar(ToIntFunction<ZonedDateTime> field) {
    return call.arguments().isEmpty()
        ? vector(calendar(field, atMillis / MILLIS))
        : each(seconds -> calendar(field, seconds));
  }

  /** A time that no calendar holds has no day: what compares with it never fires. */
  private static double calendar(ToIntFunction<ZonedDateTime> field, double seconds) {
    return Math.abs(seconds) <= Instant.MAX.getEpochSecond()
        ? field.applyAsInt(Instant.ofEpochSecond((long) seconds).atZone(ZoneOffset.UTC))
        : Double.NaN;
  }

  /** The labels an absent series would have had: those asked for with = and nothing else. */
  private static Labels absentLabels(Expression argument) {
    if (argument instanceof Expression.RangeSelector range) {
      return absentLabels(range.selector());
    }
    if (!(argument instanceof Expression.VectorSelector selector)) {
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
