package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.AlertState;
import tallystick.promql.ExpressionText;
import tallystick.promql.Firing;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.promql.Value;

/** When an alert fired: its expression as the Prometheus evaluates it, then {@code for} here. */
final class AlertReplay {
  /** After a longer outage it forgets what was pending: --rules.alert.for-outage-tolerance. */
  private static final long MOST_REMEMBERED_MILLIS = 3_600_000;

  private final AlertState state;
  private final Seen seen;
  private long lastMillis = Long.MAX_VALUE;

  private AlertReplay(WatchedAlert alert, Seen seen) {
    this.state = new AlertState(alert.rule());
    this.seen = seen;
  }

  /** Every firing; those that last at the end are {@link Firing#STILL}. */
  static List<Firing> of(WatchedAlert alert, MetricHistory history, Seen seen)
      throws IOException, InterruptedException {
    AlertReplay replay = new AlertReplay(alert, seen);
    Steps steps =
        Steps.before(
            seen.toMillis(), seen.toMillis() - seen.fromMillis(), alert.intervalMillis());
    history.range(ExpressionText.of(alert.rule().expression()), steps, replay::piece);
    return replay.state.firings();
  }

  private void piece(Steps steps, SeriesStore values) {
    List<StoredSeries> all = List.copyOf(values.all());
    int[] next = new int[all.size()];
    for (int i = 0; i < steps.count(); i++) {
      long at = steps.at(i);
      List<Value.Element> elements = new ArrayList<>();
      for (int one = 0; one < next.length; one++) {
        StoredSeries series = all.get(one);
        if (next[one] < series.size() && series.millis(next[one]) == at) {
          elements.add(new Value.Element(series.labels(), series.value(next[one]++)));
        }
      }
      if (seen.at(at)) {
        if (at - lastMillis > MOST_REMEMBERED_MILLIS) {
          state.step(Value.Vector.EMPTY, lastMillis + steps.stepMillis());
        }
        state.step(new Value.Vector(elements), at);
        lastMillis = at;
      }
    }
  }
}
