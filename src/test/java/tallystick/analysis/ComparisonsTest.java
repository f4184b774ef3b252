package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonsTest {
  @ParameterizedTest
  @CsvSource({
    "0.00021, 0.00024, 0.2 ms", "0.0021, 0.0038, 2.1 to 3.8 ms", "-0.00001, 0.00002, 0.0 ms",
    "-0.001, 0.001, 0.0 to 1.0 ms"
  })
  void boundsThatAreShownAlikeAreOneFigure(double low, double high, String words) {
    assertThat(Comparisons.overhead(low, high)).isEqualTo(words);
  }
}
