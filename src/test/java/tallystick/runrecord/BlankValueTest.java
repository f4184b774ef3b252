package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Series.Type;

class BlankValueTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775792", "9223372036854775794", "9.223372036854775807e18", "2147483632",
        "2147483634", "140737488355328", "140737488355331"
      })
  void takesTheReservedNumbersOfDcgmForNoValue(String written) {
    assertThat(isBlank("DCGM_FI_DEV_MEMORY_TEMP", Type.GAUGE, Double.parseDouble(written)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 61, 518.214, 2_147_483_631.0, 183_462_211_837.0, -1})
  void takesEveryOtherNumberForAValue(double value) {
    assertThat(isBlank("DCGM_FI_DEV_GPU_TEMP", Type.GAUGE, value)).isFalse();
  }

  @Test
  void letsAnEnergyCounterPassTwoToTheThirtyFirst() {
    assertThat(isBlank("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Type.COUNTER, 2_147_483_634.0))
        .isFalse();
  }

  @Test
  void leavesOtherExportersAlone() {
    assertThat(isBlank("node_filesystem_size_bytes", Type.GAUGE, 0x1p63)).isFalse();
  }

  private static boolean isBlank(String name, Type type, double value) {
    return BlankValue.isBlank(new Sample(Series.of(name, Map.of(), type), value));
  }
}
