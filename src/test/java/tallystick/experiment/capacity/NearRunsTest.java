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

  /** Runs on both sides of where one request in five is bad; all beyond it were left out. */
  @Test
  void aLooseShareHasRunsBeyondItToo() {
    List<ProbeResult> runs = new ArrayList<>();
    double[] rates = {9.4, 9.6, 9.8, 10, 10.2, 10.4};
    for (int i = 0; i < rates.length; i++) {
      double odds = 0.25 * Math.pow(rates[i] / 10, 20);
      long bad = Math.round(2000 * odds / (1 + odds));
      runs.add(
          new ProbeResult(
              new Probe(i + 1, Probe.Purpose.NARROW, rates[i], 15, 200, i), 220, 2000, 2000 - bad,
              ProbeResult.Load.UNKNOWN, ProbeResult.Trust.TRUSTED, "", Crowding.UNKNOWN));
    }
    RateCurve.Span span = new NearRuns(runs).curve(0.2, 10).orElseThrow().span(0.2, 0.95);
    assertThat(span.low()).isBetween(9.0, 10.0);
    assertThat(span.high()).isBetween(10.0, 11.0);
  }
}
