package tallystick.promql;

import java.util.List;

/** What a function may ask of its arguments. */
interface Operands {
  Value.Vector vector(Expression expression, long atMillis);

  double scalar(Expression expression, long atMillis);

  /**
   * What a range selector or a subquery sees, one window for each series that has any sample.
   *
   * @throws PromqlException if the expression is neither
   */
  RangeView range(Expression expression, long atMillis);

  /** The newest fresh sample of each series a selector sees. */
  List<SeriesSample> samples(Expression.VectorSelector selector, long atMillis);

  PrometheusVersion version();

  /** The windows of a range, and where it ends. */
  record RangeView(List<SeriesWindow> windows, long endMillis, long rangeMillis) {}

  /** A series and what a range shows of it. */
  record SeriesWindow(Labels labels, Window window) {}

  record SeriesSample(StoredSeries series, int index) {
    double value() {
      return series.value(index);
    }

    long millis() {
      return series.millis(index);
    }
  }
}
