package tallystick.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.MadeRuns;

class TracksTest {
  /** Nights with noise of 5 %, each of which follows the one before; later ones may be slower. */
  private static History.Track track(
      long seed, int nights, double correlation, int from, double slower) {
    Random random = new Random(seed);
    List<ComparedRun> runs = new ArrayList<>();
    double last = random.nextGaussian();
    for (int i = 0; i < nights; i++) {
      double ttft = 0.2 * Math.exp(0.05 * last) * (i >= from ? 1 + slower : 1);
      runs.add(MadeRuns.run(i + 1, ttft, Map.of(), List.of()));
      last = correlation * last + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
    }
    return new Tracks(runs, 1).of(ComparedMetric.TTFT_P95);
  }

  @Test
  void aSlowerReleaseIsAChange() {
    History.Track track = track(1, 30, 0, 15, 0.2);

    assertThat(track.changes()).singleElement().matches(one -> one.at() == 15);
    assertThat(track.unclear()).isEmpty();
  }

  /** Of series that only wander a fifth showed a change, as long as runs counted as independent. */
  @Test
  void nightsThatFollowOneAnotherShowFewChangesAndSayWhereNobodyCanTell() {
    int changed = 0;
    int unclear = 0;
    for (int i = 0; i < 60; i++) {
      History.Track track = track(7_400_000 + i, 30, 0.5, 30, 0);
      changed += track.changes().isEmpty() ? 0 : 1;
      unclear += track.unclear().isEmpty() ? 0 : 1;
    }

    assertThat(changed).isLessThanOrEqualTo(7);
    assertThat(unclear).isBetween(10, 40);
  }
}
