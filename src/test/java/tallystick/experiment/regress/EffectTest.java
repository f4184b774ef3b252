package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class EffectTest {
  private static JsonNode vectors(String file) throws IOException {
    return new ObjectMapper().readTree(Path.of("src/test/resources/vectors", file).toFile());
  }

  private static double[] numbers(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
  }

  @Test
  void pairsGiveTheStudentTestOfTheVectors() throws IOException {
    for (JsonNode each : vectors("regression_verdict.json").get("cases")) {
      for (var name : each.get("log_ratios").properties()) {
        JsonNode expected = each.get("expect").get(name.getKey());
        Effect effect = Effect.paired(numbers(name.getValue()));

        assertThat(effect.mean()).isCloseTo(expected.get("mean").asDouble(), within(1e-12));
        assertThat(effect.error()).isCloseTo(expected.get("se").asDouble(), within(1e-12));
        assertThat(effect.worseByChance())
            .isCloseTo(expected.get("p_slower").asDouble(), within(1e-9));
        assertThat(effect.below(expected.get("upper95").asDouble()))
            .isCloseTo(0.95, within(1e-6));
      }
    }
  }

  @Test
  void whatIsKnownOfTheErrorBeforehandHoldsHoweverAlikeThePairsAre() {
    Effect alike = Effect.paired(new double[] {0.2, 0.2, 0.2});

    assertThat(alike.worseByChance()).isLessThan(1e-9);
    assertThat(alike.atLeast(0.1).worseByChance()).isCloseTo(0.0228, within(1e-4));
    assertThat(alike.atLeast(0.1).below(0.05)).isCloseTo(0.0668, within(1e-4));
  }

  @Test
  void anOrderThatIsBeyondDoubtFallsOutAndOneThatMayBeChanceDoesNot() {
    List<Boolean> candidateFirst = List.of(false, true, false, true, false);
    double[] cached = {0.06 + 0.4, 0.06 - 0.4, 0.07 + 0.4, 0.05 - 0.4, 0.06 + 0.4};
    double[] noisy = {0.10, 0.02, 0.07, 0.03, 0.06};

    assertThat(Effect.paired(cached, candidateFirst).mean()).isCloseTo(0.06, within(0.005));
    assertThat(Effect.paired(cached, candidateFirst).worseByChance()).isLessThan(0.001);
    assertThat(Effect.paired(cached).worseByChance()).isGreaterThan(0.2);
    assertThat(Effect.paired(noisy, candidateFirst)).isEqualTo(Effect.paired(noisy));
    double[] twoSpeeds = {0.001, 0.26, -0.001, 0.261, 0.001};
    assertThat(Effect.paired(twoSpeeds, candidateFirst)).isEqualTo(Effect.paired(twoSpeeds));
    assertThat(Effect.paired(cached, List.of())).isEqualTo(Effect.paired(cached));
  }

  @Test
  void aLaterLookIsNeverCheaperThanTheOneBefore() {
    double all = 0;
    for (int pairs = Looks.FIRST; pairs < 1000; pairs++) {
      assertThat(Looks.level(pairs + 1)).isLessThanOrEqualTo(Looks.level(pairs));
      all += Looks.level(pairs);
    }

    assertThat(all).isLessThan(0.04);
  }

  @Test
  void unpairedRunsOfUnequalSpreadAreComparedAsWelchDoes() {
    // Recounted outside of Java by the formulas of Welch and Satterthwaite.
    Effect effect =
        Effect.between(new double[] {1, 2, 3, 4}, new double[] {2, 4, 6, 8, 11});

    assertThat(effect.mean()).isCloseTo(3.7, within(1e-12));
    assertThat(effect.error()).isCloseTo(1.690168, within(1e-6));
    assertThat(effect.freedom()).isCloseTo(5.2776, within(1e-4));
  }

  @Test
  void equalFiguresAreNoWorse() {
    Effect effect = Effect.paired(new double[] {0, 0, 0, 0, 0});

    assertThat(effect.worseByChance()).isEqualTo(1);
    assertThat(effect.below(0.01)).isEqualTo(1);
    assertThat(effect.couldSee()).isZero();
  }

  @Test
  void asManyRepeatsAsItNamesDecideInFourOfFiveTries() {
    double spread = 0.05;
    double margin = Math.log(1.05);
    int needed = new Effect(0, spread / Math.sqrt(5), 4, 5, 0, 0).needed(margin, 0.95);
    SplittableRandom random = new SplittableRandom(4711);
    int decided = 0;
    for (int trial = 0; trial < 2000; trial++) {
      double[] differences = new double[needed];
      for (int i = 0; i < needed; i++) {
        differences[i] = spread * random.nextGaussian();
      }
      decided += Effect.paired(differences).below(margin) > 0.95 ? 1 : 0;
    }

    assertThat(needed).isBetween(7, 12);
    assertThat(decided / 2000.0).isBetween(0.75, 0.92);
  }
}
