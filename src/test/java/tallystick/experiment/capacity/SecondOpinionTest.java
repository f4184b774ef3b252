package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SecondOpinionTest {

  /** Runs whose odds of a good request are those of a logistic curve that crosses 95 % at 40/s. */
  private static List<ProbeResult> runs(double slope, double... rates) {
    List<ProbeResult> runs = new ArrayList<>();
    for (double rate : rates) {
      double odds = 19 * Math.pow(rate / 40, -slope);
      runs.add(
          new ProbeResult(
              new Probe(runs.size() + 1, Probe.Purpose.NARROW, rate, 15, 150, 1), 170, 100_000,
              Math.round(100_000 * odds / (1 + odds)), ProbeResult.Load.UNKNOWN,
              ProbeResult.Trust.TRUSTED, "", Crowding.UNKNOWN));
    }
    return runs;
  }

  @Test
  void aPlantedCurveIsFoundAndItsIntervalHoldsIt() {
    SecondOpinion opinion = SecondOpinion.of(runs(20, 36, 38, 39, 41, 42, 44), 0.95, 38);
    assertThat(opinion.perSecond()).isCloseTo(40, Percentage.withPercentage(0.1));
    assertThat(opinion.low()).isLessThanOrEqualTo(opinion.perSecond());
    assertThat(opinion.high()).isGreaterThanOrEqualTo(opinion.perSecond());
    assertThat(opinion.words()).startsWith("Plain logistic regression: the capacity is 40/s (95");
    assertThat(opinion.disagreement(OptionalDouble.of(39))).isEmpty();
    assertThat(opinion.disagreement(OptionalDouble.of(36)))
        .isEqualTo("plain logistic regression says 40/s, 11 % higher");
    assertThat(opinion.disagreement(OptionalDouble.empty())).isEmpty();
  }

  @Test
  void fewRunsAndRunsThatAreAllGoodSayNothing() {
    for (List<ProbeResult> runs :
        List.of(runs(20, 38, 40, 42), runs(400, 33, 34, 35, 36), runs(-20, 36, 38, 41, 44))) {
      SecondOpinion opinion = SecondOpinion.of(runs, 0.95, 38);
      assertThat(opinion.isKnown()).as(opinion.toString()).isFalse();
      assertThat(opinion.words()).contains("n/a (needs 4 long runs");
      assertThat(opinion.disagreement(OptionalDouble.of(38))).isEmpty();
    }
  }
}
