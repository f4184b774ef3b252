package tallystick.promql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tallystick.promql.Value.Element;
import tallystick.promql.Value.Scalar;
import tallystick.promql.Value.Text;
import tallystick.promql.Value.Vector;

/** Answers instant queries over a store as one version of Prometheus would. */
public final class PromqlEvaluator implements Operands {
  /** How far an instant selector looks back for a sample. */
  private static final long LOOKBACK_MILLIS = 5 * 60 * 1000L;

  /** The step of a subquery that names none: Prometheus's default evaluation interval. */
  private static final long USUAL_STEP_MILLIS = 60_000;

  /** Steps of a subquery and of those inside it: two months by the minute. */
  private static final int MOST_STEPS = 100_000;

  private final SeriesStore store;
  private final PrometheusVersion version;
  private final long stepMillis;
  private final int mostSteps;
  private int openSubqueries;
  private long steps;

  /**
   * An evaluator.
   *
   * @param store the series; may grow between evaluations
   * @param version whose dialect to speak
   */
  public PromqlEvaluator(SeriesStore store, PrometheusVersion version) {
    this(store, version, USUAL_STEP_MILLIS);
  }

  /** One with another evaluation interval, the step of subqueries that name none. */
  PromqlEvaluator(SeriesStore store, PrometheusVersion version, long stepMillis) {
    this(store, version, stepMillis, MOST_STEPS);
  }

  /** One that takes no more than so many steps of subqueries for one expression. */
  PromqlEvaluator(SeriesStore store, PrometheusVersion version, long stepMillis, int mostSteps) {
    this.store = store;
    this.version = version;
    this.stepMillis = stepMillis;
    this.mostSteps = mostSteps;
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
      case Expression.Subquery subquery ->
          throw new PromqlException("a range cannot be shown as it is", subquery.at());
      case Expression.Call call -> Functions.call(this, call, atMillis);
      case Expression.Aggregation aggregation ->
          new Aggregations(
                  aggregation,
                  aggregation.parameter().isEmpty()
                      ? new Scalar(Double.NaN)
                      : evaluate(aggregation.parameter().getFirst(), atMillis))
              .of(vector(aggregation.operand(), atMillis));
      case Expression.BinaryOperation operation ->
          new BinaryOperations(version, operation)
              .of(evaluate(operation.left(), atMillis), evaluate(operation.right(), atMillis));
      case Expression.Negation negation -> negated(evaluate(negation.operand(), atMillis));
      case Expression.Parentheses parentheses -> evaluate(parentheses.inner(), atMillis);
    };
  }

  @Override
  public Vector vector(Expression expression, long atMillis) {
    if (evaluate(expression, atMillis) instanceof Vector vector) {
      return vector;
    }
    throw new PromqlException("expected a vector", expression.at());
  }

  @Override
  public double scalar(Expression expression, long atMillis) {
    if (evaluate(expression, atMillis) instanceof Scalar scalar) {
      return scalar.value();
    }
    throw new PromqlException("expected a scalar", expression.at());
  }

  @Override
  public PrometheusVersion version() {
    return version;
  }

  @Override
  public RangeView range(Expression expression, long atMillis) {
    return switch (expression.bare()) {
      case Expression.RangeSelector range -> {
        long end = range.selector().timing().at(atMillis);
        yield new RangeView(
            windows(store.select(range.selector().matchers()), end, range.rangeMillis()),
            end,
            range.rangeMillis());
      }
      case Expression.Subquery subquery -> {
        long end = subquery.timing().at(atMillis);
        SeriesStore steps = new SeriesStore();
        openSubqueries++;
        try {
          evaluateSteps(subquery, end, steps);
        } finally {
          openSubqueries--;
        }
        yield new RangeView(
            windows(steps.all(), end, subquery.rangeMillis()), end, subquery.rangeMillis());
      }
      default -> throw new PromqlException("expected a range vector", expression.at());
    };
  }

  private void evaluateSteps(Expression.Subquery subquery, long end, SeriesStore steps) {
    long step = subquery.stepMillis() > 0 ? subquery.stepMillis() : stepMillis;
    long earliest = end - subquery.rangeMillis();
    long first = step * (earliest / step);
    boolean isBefore = version.isLeftOpen() ? first <= earliest : first < earliest;
    long from = isBefore ? first + step : first;
    // Counted before one is taken: what is refused has cost nothing.
    this.steps = (openSubqueries == 1 ? 0 : this.steps) + Math.max(0, (end - from) / step + 1);
    if (this.steps > mostSteps) {
      throw new NotUnderstoodException(
          "a subquery of more than " + mostSteps + " steps", subquery.at());
    }
    for (long at = from; at <= end; at += step) {
      for (Element element : vector(subquery.inner(), at).elements()) {
        steps.append(element.labels(), at, element.value());
      }
    }
  }

  private List<SeriesWindow> windows(
      Collection<StoredSeries> series, long endMillis, long rangeMillis) {
    List<SeriesWindow> windows = new ArrayList<>();
    for (StoredSeries one : series) {
      Window window = Window.of(one, endMillis, rangeMillis, version);
      if (window.size() > 0) {
        windows.add(new SeriesWindow(one.labels(), window));
      }
    }
    return windows;
  }

  private Vector select(Expression.VectorSelector selector, long atMillis) {
    return new Vector(
        samples(selector, atMillis).stream()
            .map(sample -> new Element(sample.series().labels(), sample.value()))
            .toList());
  }

  @Override
  public List<SeriesSample> samples(Expression.VectorSelector selector, long atMillis) {
    List<SeriesSample> samples = new ArrayList<>();
    long at = selector.timing().at(atMillis);
    long earliest = at - LOOKBACK_MILLIS + (version.isLeftOpen() ? 1 : 0);
    for (StoredSeries series : store.select(selector.matchers())) {
      int last = series.firstAtOrAfter(at + 1) - 1;
      boolean fresh = last >= 0 && series.millis(last) >= earliest;
      if (fresh && !StoredSeries.isStale(series.value(last))) {
        samples.add(new SeriesSample(series, last));
      }
    }
    return samples;
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
