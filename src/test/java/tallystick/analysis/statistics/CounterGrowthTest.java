package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import tallystick.analysis.Vectors;

class CounterGrowthTest {

  @Test
  void correctsResetsAndNeverExtrapolates() {
    for (JsonNode expected : Vectors.read("counter_delta.json").get("cases")) {
      double[] samples = Vectors.doubles(expected.get("samples"));
      CounterGrowth growth = CounterGrowth.from(samples[0]);
      for (int i = 1; i < samples.length; i++) {
        growth.next(samples[i]);
      }
      assertThat(growth.delta()).isEqualTo(expected.get("delta").asDouble());
      assertThat(growth.resets()).isEqualTo(expected.get("resets").asInt());
    }
  }

  @Test
  void tellsNoGrowthOverAReset() {
    CounterGrowth growth = CounterGrowth.from(5);
    assertThat(growth.next(9)).isEqualTo(4);
    assertThat(growth.next(2)).isNaN();
  }
}
