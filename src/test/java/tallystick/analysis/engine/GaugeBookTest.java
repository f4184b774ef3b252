package tallystick.analysis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.GaugeRange;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** Two targets, scraped each second at nearly the same moments. */
class GaugeBookTest {
  private static final String RUNNING = "vllm:num_requests_running";
  private final GaugeBook book = new GaugeBook(at -> 2, 1_000_000_000L);
  private final TargetReading[] targets = {new TargetReading(), new TargetReading()};

  @Test
  void aSumIsOfBothTargetsAtOneMoment() {
    for (int second = 1; second <= 4; second++) {
      read(0, second, 10);
      read(1, second + 0.01, second);
    }

    assertThat(book.ranges().get(RUNNING)).isEqualTo(new GaugeRange(11, 12.5, 14, 14));
  }

  @Test
  void aSilentTargetsLastValueIsNotCarriedOn() {
    read(0, 1, 10);
    read(1, 1.01, 50);
    for (int second = 2; second <= 5; second++) {
      read(0, second, 10);
    }
    // The other one answers again, first of the two.
    read(1, 5.99, 7);
    read(0, 6, 10);

    assertThat(book.ranges().get(RUNNING)).isEqualTo(new GaugeRange(17, 38.5, 60, 17));
  }

  private void read(int target, double second, double running) {
    Sample sample =
        new Sample(Series.of(RUNNING, Map.of("engine", "0"), Series.Type.GAUGE), running);
    long at = MadeRun.nanos(second);
    targets[target].couldBeFirst(new ScrapeRow(target, 0, 1, List.of(sample), ""));
    targets[target].read(new ScrapeRow(target, at, at + 1, List.of(sample), ""));
    book.read(target, at, targets[target]);
  }
}
