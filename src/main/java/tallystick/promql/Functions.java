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
      case "avg_over_time" -> over(w -> SampleMath.sum(w.values()) / w.size());
      case "sum_over_time" -> over(w -> SampleMath.sum(w.values()));
      case "count_over_time" -> over(w -> (double) w.size());
      case "min_over_time" -> over(w -> SampleMath.extreme(w.values(), -1));
      case "max_over_time" -> over(w -> SampleMath.extreme(w.values(), 1));
      case "last_over_time" -> newest();
      case "present_over_time" -> over(w -> 1.0);
      case "stddev_over_time" -> over(w -> Math.sqrt(SampleMath.variance(w.values())));
      case "stdvar_over_time" -> over(w -> SampleMath.variance(w.values()));
      case "quantile_over_time" -> {
        double level = scalar(0);
        yield over(range(1), 1, w -> SampleMath.quantile(level, w.values()));
      }
      case "changes" -> over(w -> steps(w, false));
      case "resets" -> over(w -> steps(w, true));
      case "label_replace", "label_join" -> LabelFunctions.call(call, vector(0));
      case "histogram_quantile" -> quantile();
      case "clamp_min", "clamp_max", "clamp" -> clamp();
      case "abs", "ceil", "floor", "sqrt", "exp", "ln", "log2", "log10", "sgn" ->
          each(elementary(call.function()));
      case "round" -> rounded();
      case "sort", "sort_desc" -> vector(0);
      case "timestamp" -> timestamp();
      case "pi" -> new Scalar(Math.PI);
      case "minute", "hour", "day_of_week", "day_of_month", "day_of_year", "days_in_month",
          "month", "year" -> calendar();
      case "vector" -> vector(scalar(0));
      case "scalar" -> scalar(vector(0));
      case "time" -> new Scalar(atMillis / MILLIS);
      case "absent" -> absent(vector(0).elements());
      case "absent_over_time" -> absent(range(0).windows());
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

  private Vector over(Function<Window, Double> fold) {
    return over(range(0), 1, fold);
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

  private Vector clamp() {
    double first = scalar(1);
    return switch (call.function()) {
      case "clamp_min" -> each(value -> Math.max(first, value));
      case "clamp_max" -> each(value -> Math.min(first, value));
      default -> {
        double highest = scalar(2);
        yield highest < first
            ? Vector.EMPTY
            : each(value -> Math.max(first, Math.min(highest, value)));
      }
    };
  }

  private Vector each(DoubleUnaryOperator map) {
    List<Element> elements = new ArrayList<>();
    for (Element element : vector(0).elements()) {
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

  private Vector absent(List<?> found) {
    Labels labels = absentLabels(call.arguments().getFirst().bare());
    return found.isEmpty() ? new Vector(List.of(new Element(labels, 1))) : Vector.EMPTY;
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

  private Vector rounded() {
    double inverse = 1 / (call.arguments().size() > 1 ? scalar(1) : 1);
    return each(value -> Math.floor(value * inverse + 0.5) / inverse);
  }

  /** A selector's samples keep their own times; anything else is as old as the evaluation. */
  private Vector timestamp() {
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
    return each(value -> atMillis / MILLIS);
  }

  private Vector calendar() {
    return call.arguments().isEmpty()
        ? vector(calendar(call.function(), atMillis / MILLIS))
        : each(seconds -> calendar(call.function(), seconds));
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
