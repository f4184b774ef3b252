package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FormattedTest {
  @Test
  void writesDecimalsAsThePatternDoes() {
    Random random = new Random(20261130);
    for (int i = 0; i < 200_000; i++) {
      int most = random.nextInt(10);
      double value =
          switch (i % 4) {
            case 0 -> random.nextInt(2_000_001) / Math.pow(10, random.nextInt(10)); // many halves
            case 1 -> random.nextDouble() * Math.pow(10, random.nextInt(24) - 12);
            case 2 -> -random.nextDouble() * 1_000;
            default -> Math.nextAfter(random.nextInt(1_000) / 8.0, random.nextInt(3) - 1);
          };
      String text = Formatted.of("%." + most + "f", value);
      String trimmed = text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
      assertThat(Formatted.decimals(value, most)).as(most + " of " + value).isEqualTo(trimmed);
    }
    assertThat(Formatted.decimals(-0.0, 2)).isEqualTo("-0");
    assertThat(Formatted.decimals(Double.NaN, 2)).isEqualTo("NaN");
    assertThat(Formatted.decimals(0, 2)).isEqualTo("0");
  }
}
