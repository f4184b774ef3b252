package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PredictedSearchTest {
  private static CapacityAnswer between(double low, double high) {
    return new CapacityAnswer.Carries(
        Math.sqrt(low * high), new RateInterval(low, high), 60, OptionalDouble.empty());
  }

  private static String words(CapacityAnswer predicted, CapacityAnswer measured) {
    return new PredictedSearch(predicted, List.of()).words(measured, "requests/s");
  }

  /** What is certain lies below what is likely: to predict it would be to predict too little. */
  @Test
  void aCertifiedAnswerPredictsTheMiddleOfItsInterval() {
    CapacityAnswer certified = new CapacityAnswer.Certified(8, new RateInterval(8.1, 10));

    assertThat(new PredictedSearch(certified, List.of()).perSecond()).hasValue(9.0);
    assertThat(
            new PredictedSearch(
                    new CapacityAnswer.Certified(
                        8, new RateInterval(8, Double.POSITIVE_INFINITY)),
                    List.of())
                .perSecond())
        .hasValue(8.0);
    assertThat(words(certified, between(8.5, 9.5)))
        .isEqualTo("9 requests/s (simulated): inside the measured interval");
  }

  @Test
  void aProfileThatIsOffIsToldByHowMuchAtLeast() {
    assertThat(words(between(8, 8), between(9, 10))).contains("is off, at least 11 % too low");
    assertThat(words(between(12, 12), between(9, 10))).contains("is off, at least 20 % too high");
  }

  @Test
  void whatSingleRunsShowedIsNoIntervalToCompareWith() {
    CapacityAnswer runs = new CapacityAnswer.TooClose(new RateInterval(9, 10), 60);
    assertThat(words(between(8, 8), runs)).contains("only single runs measured it");
    assertThat(words(between(8, 8), new CapacityAnswer.Untrusted("late")))
        .contains("nothing measured to compare it with");
  }
}
