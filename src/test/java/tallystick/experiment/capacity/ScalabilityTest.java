package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Vectors;

class ScalabilityTest {
  private static final Percentage CLOSE = Percentage.withPercentage(0.01);

  private static List<Scalability.Point> points(double[] inFlight, double[] perSecond) {
    List<Scalability.Point> points = new ArrayList<>();
    for (int i = 0; i < inFlight.length; i++) {
      points.add(new Scalability.Point(inFlight[i], perSecond[i]));
    }
    return points;
  }

  @Test
  void theLawEqualsTheVectorOfAnotherProgram() {
    JsonNode given = Vectors.read("usl.json");
    JsonNode expected = given.get("expect");
    Scalability law =
        Scalability.of(points(Vectors.doubles(given.get("N")), Vectors.doubles(given.get("X"))))
            .orElseThrow();

    assertThat(law.alone()).isCloseTo(expected.get("lambda_").asDouble(), CLOSE);
    assertThat(law.contention()).isCloseTo(expected.get("sigma").asDouble(), CLOSE);
    assertThat(law.crosstalk()).isCloseTo(expected.get("kappa").asDouble(), CLOSE);
    assertThat(law.off()).isCloseTo(expected.get("rms_rel").asDouble(), CLOSE);
    assertThat(law.peak().orElseThrow().inFlight())
        .isCloseTo(expected.get("N_star").asDouble(), CLOSE);
    assertThat(law.peak().orElseThrow().perSecond())
        .isCloseTo(expected.get("X_star").asDouble(), CLOSE);
  }

  @Test
  void withFewRunsNoLawIsTold() {
    double[] few = {1, 2, 4, 8, 16};
    assertThat(Scalability.words(points(few, few))).endsWith("n/a (n=5, need 6)");
  }

  @Test
  void runsFarBelowTheKneeOrOffTheLawTellNoPeak() {
    double[] light = {1, 2, 3, 4, 5, 6};
    assertThat(Scalability.words(points(light, light))).contains("n/a (at most 6 in flight, need");
    double[] wild = {10, 100, 12, 200, 30, 9};
    assertThat(Scalability.words(points(light, wild))).contains("n/a (the fit is off by");
  }

  /** An engine of so many sequences carries what it carries, however many wait. */
  @Test
  void throughputThatLevelsOffHasNoPeak() {
    double[] inFlight = {2, 4, 8, 16, 32, 64, 128};
    double[] perSecond = new double[inFlight.length];
    for (int i = 0; i < inFlight.length; i++) {
      perSecond[i] = 10 * inFlight[i] / (1 + 0.1 * (inFlight[i] - 1));
    }
    assertThat(Scalability.words(points(inFlight, perSecond)))
        .endsWith("no peak up to 128 in flight; at most 93.43/s were answered");
  }
}
