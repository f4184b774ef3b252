package tallystick.cli.alerting;

import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import tallystick.alerting.watch.MetricHistory;
import tallystick.promql.Labels;
import tallystick.promql.PromqlException;
import tallystick.promql.SeriesStore;
import tallystick.scrape.PrometheusHistory;
import tallystick.scrape.RefusedQueryException;

/** What a Prometheus remembers, asked over HTTP. */
record LivePrometheus(PrometheusHistory prometheus) implements MetricHistory {
  @Override
  public void range(String query, Steps steps, BiConsumer<Steps, SeriesStore> piece)
      throws IOException, InterruptedException {
    try {
      prometheus.range(
          query, steps.fromMillis(), steps.toMillis(), steps.stepMillis(),
          (from, to, lines) -> piece.accept(new Steps(from, to, steps.stepMillis()), store(lines)));
    } catch (RefusedQueryException e) {
      throw new PromqlException(e.reason(), 0);
    }
  }

  private static SeriesStore store(List<PrometheusHistory.Line> lines) throws IOException {
    SeriesStore store = new SeriesStore();
    for (PrometheusHistory.Line line : lines) {
      Labels labels = Labels.of(line.labels());
      try {
        for (int i = 0; i < line.millis().length; i++) {
          store.append(labels, line.millis()[i], line.values()[i]);
        }
      } catch (IllegalArgumentException e) {
        throw PrometheusHistory.isNot("one value of each series at a time: " + labels);
      }
    }
    return store;
  }

  @Override
  public List<String> names() throws IOException, InterruptedException {
    return prometheus.names();
  }
}
