package tallystick.analysis.prometheus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tallystick.analysis.prometheus.Value.Element;
import tallystick.analysis.prometheus.Value.Scalar;
import tallystick.analysis.prometheus.Value.Text;
import tallystick.analysis.prometheus.Value.Vector;

/** Answers instant queries over a store as one version of Prometheus would. */
public final class PromqlEvaluator {
  /** How far an instant selector looks back for a sample. */
  private static final long LOOKBACK_MILLIS = 5 * 60 * 1000L;

  private final SeriesStore store;
  private final PrometheusVersion version;

  /**
   * An evaluator.
   *
   * @param store the series; may grow between evaluations
   * @param version whose dialect to speak
   */
  public PromqlEvaluator(SeriesStore store, PrometheusVersion version) {
    this.store = store;
    this.version = version;
  }

  /**
   * The worth of an expression at a moment.
   *
   * @throws NotUnderstoodException for a function that is not known here
   * @throws PromqlException where Prometheus would answer with an error
   */
  public Value evaluate(Expression expression, long atMillis) {
    return switch (expression) {
      case Expression.NumberLiteral number -> new Scalar(number.value());
      case Expression.StringLiteral text -> new Text(text.value());
      case Expression.VectorSelector selector -> select(selector, atMillis);
      case Expression.RangeSelector range ->
          throw new PromqlException("a range cannot be shown as it is", range.at());
      case Expression.Call call -> Functions.call(this, call, atMillis);
      case Expression.Aggregation aggregation ->
          Aggregations.of(aggregation, vector(aggregation.operand(), atMillis));
      case Expression.BinaryOperation operation ->
          BinaryOperations.of(
              operation,
              evaluate(operation.left(), atMillis),
              evaluate(operation.right(), atMillis));
      case Expression.Negation negation -> negated(evaluate(negation.operand(), atMillis));
      case Expression.Parentheses parentheses -> evaluate(parentheses.inner(), atMillis);
    };
  }

  /** The worth of an expression that is a vector. */
  public Vector vector(Expression expression, long atMillis) {
    if (evaluate(expression, atMillis) instanceof Vector vector) {
      return vector;
    }
    throw new PromqlException("expected a vector", expression.at());
  }

  /** The worth of an expression that is a scalar. */
  double scalar(Expression expression, long atMillis) {
    if (evaluate(expression, atMillis) instanceof Scalar scalar) {
      return scalar.value();
    }
    throw new PromqlException("expected a scalar", expression.at());
  }

  PrometheusVersion version() {
    return version;
  }

  /** The samples a range selector sees, one window for each series that has any. */
  List<SeriesWindow> windows(Expression.RangeSelector range, long atMillis) {
    List<SeriesWindow> windows = new ArrayList<>();
    long end = atMillis - range.selector().offsetMillis();
    for (StoredSeries series : store.select(range.selector().matchers())) {
      Window window = Window.of(series, end, range.rangeMillis(), version);
      if (window.size() > 0) {
        windows.add(new SeriesWindow(series.labels(), window));
      }
    }
    return windows;
  }

  /** A series and what a range shows of it. */
  record SeriesWindow(Labels labels, Window window) {}

  /**
   * Refuses a result in which two elements have the same labels.
   *
   * @return the vector
   */
  static Vector distinct(List<Element> elements, int at) {
    Set<Labels> seen = new HashSet<>();
    for (Element element : elements) {
      if (!seen.add(element.labels())) {
        throw new PromqlException(
            "vector cannot contain metrics with the same labelset: " + element.labels(), at);
      }
    }
    return new Vector(elements);
  }

  private Vector select(Expression.VectorSelector selector, long atMillis) {
    List<Element> elements = new ArrayList<>();
    long at = atMillis - selector.offsetMillis();
    long earliest = at - LOOKBACK_MILLIS + (version.isLeftOpen() ? 1 : 0);
    for (StoredSeries series : store.select(selector.matchers())) {
      int last = series.firstAtOrAfter(at + 1) - 1;
      boolean fresh = last >= 0 && series.millis(last) >= earliest;
      if (fresh && !StoredSeries.isStale(series.value(last))) {
        elements.add(new Element(series.labels(), series.value(last)));
      }
    }
    return new Vector(elements);
  }

  private static Value negated(Value value) {
    return switch (value) {
      case Scalar scalar -> new Scalar(-scalar.value());
      case Vector vector ->
          new Vector(
              vector.elements().stream()
                  .map(e -> new Element(e.labels().withoutName(), -e.value()))
                  .toList());
      case Text text -> text;
    };
  }
}
