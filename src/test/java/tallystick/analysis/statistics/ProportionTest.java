package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Vectors;

class ProportionTest {

  @Test
  void wilsonIntervalsEqualTheVectors() {
    for (JsonNode expected : Vectors.read("proportions.json").get("cases")) {
      for (String confidence : new String[] {"0.9", "0.95", "0.99"}) {
        double[] interval = Vectors.doubles(expected.get("wilson_" + confidence));
        Proportion found =
            Proportion.wilson(
                expected.get("k").asDouble(),
                expected.get("n").asDouble(),
                Double.parseDouble(confidence));
        assertThat(found.low()).isCloseTo(interval[0], within(1e-9));
        assertThat(found.high()).isCloseTo(interval[1], within(1e-9));
      }
    }
  }

  @Test
  void refusesAShareOfNothing() {
    assertThatThrownBy(() -> Proportion.wilson(0, 0, 0.9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was 0");
  }
}
