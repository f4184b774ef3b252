package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearRunsTest {
  private static final double[] FACTORS = {0.94, 1.05, 0.98, 1.03, 0.96, 1.06, 1.01, 0.99};

  /** Runs at 10/s that lie apart by how crowded their schedules were, and by nothing else. */
  private static List<ProbeResult> runs(int known) {
    List<ProbeResult> runs = new ArrayList<>();
    for (int i = 0; i < FACTORS.length; i++) {
      long bad = Math.round(20 * Math.pow(FACTORS[i], 20));
      runs.add(
          new ProbeResult(
              new Probe(i + 1, Probe.Purpose.NARROW, 10, 15, 200, i), 220, 2000, 2000 - bad,
              ProbeResult.Load.UNKNOWN, ProbeResult.Trust.TRUSTED, "",
              i < known ? crowded(FACTORS[i]) : Crowding.UNKNOWN));
    }
    return runs;
  }

  private static Crowding crowded(double factor) {
    return new Crowding(
        factor, new Crowding.Request(100, 60), 8,
        new ProbedEngine.Costs(0.01, 1e-5, 0, 0, 0, 0));
  }

  private static RateCurve.Span span(int known) {
    return new NearRuns(runs(known)).curve(0.01, 10).orElseThrow().span(0.01, 0.95);
  }

  @Test
  void howCrowdedTheRunsWereIsTakenOut() {
    assertThat(span(FACTORS.length).ratio()).isLessThan(span(0).ratio());
    assertThat(span(FACTORS.length).low()).isLessThan(10);
    assertThat(span(FACTORS.length).high()).isGreaterThan(10);
  }

  @Test
  void itIsKnownOfAllRunsOrOfNone() {
    assertThat(span(FACTORS.length - 1)).isEqualTo(span(0));
  }
}
