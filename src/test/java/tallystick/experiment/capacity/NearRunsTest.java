package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearRunsTest {
  private static final double[] FACTORS = {0.94, 1.05, 0.98, 1.03, 0.96, 1.06, 1.01, 0.99};

  /** Runs at 10/s that lie apart by how much room their requests held, and by nothing else. */
  private static List<ProbeResult> runs(double kvCacheMost) {
    List<ProbeResult> runs = new ArrayList<>();
    for (int i = 0; i < FACTORS.length; i++) {
      long bad = Math.round(20 * Math.pow(FACTORS[i], 20));
      runs.add(
          new ProbeResult(
              new Probe(i + 1, Probe.Purpose.NARROW, 10, 15, 200, i), 220, 2000, 2000 - bad,
              new ProbeResult.Load(5, 10, false, 1, 0, kvCacheMost, 0, 60, 0, 0, 0),
              ProbeResult.Trust.TRUSTED, "",
              new Crowding(new Crowding.Work(1, 60), new Crowding.Work(FACTORS[i], 5000))));
    }
    return runs;
  }

  private static RateCurve.Span span(double kvCacheMost) {
    return new NearRuns(runs(kvCacheMost)).curve(0.01, 10).orElseThrow().span(0.01, 0.95);
  }

  @Test
  void whereTheCacheRanOutTheRoomThatRequestsHeldTellsHowCrowdedTheyWere() {
    assertThat(span(1).ratio()).isLessThan(span(0.6).ratio());
    assertThat(span(1).low()).isLessThan(10);
    assertThat(span(1).high()).isGreaterThan(10);
  }

  @Test
  void whereNobodyToldOfTheCacheTheTokensCount() {
    assertThat(span(-1)).isEqualTo(span(0.6));
  }
}
