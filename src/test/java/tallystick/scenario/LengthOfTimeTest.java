package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LengthOfTimeTest {
  @ParameterizedTest
  @CsvSource({
    "0s, 0", "7us, 7000", "7µs, 7000", "300ms, 300000000", ".7s, 700000000", "0.1S, 100000000",
    "1m30s, 90000000000", "1 M 30 s, 90000000000", "2min, 120000000000", "+1.5h, 5400000000000",
    "1d1h, 90000000000000", "-1m30s, -90000000000", "1m0.5s500ms, 61000000000",
    "99999999999d, 9223372036854775807"
  })
  void everyPlaceReadsTheSameWords(String text, long nanos) {
    assertThat(LengthOfTime.nanos(text)).hasValue(nanos);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "60", "1m30", "soon", "1.s", "s", "1e3s", "1s1s1s1s1s1s", "1s-1s"})
  void whatIsNoneIsNone(String text) {
    assertThat(LengthOfTime.nanos(text)).isEmpty();
  }

  /** Each would take the stack, or a time that grows with the square, of a careless pattern. */
  @ParameterizedTest
  @ValueSource(strings = {"1s", "1", " ", "s", ".1", "1.1", "1 "})
  void aTextWithoutEndIsAnswered(String piece) {
    String text = "1" + piece.repeat(1_000_000);
    assertThat(LengthOfTime.nanos(text)).isEmpty();
    assertThat(LengthOfTime.hint(text)).isEmpty();
    assertThat(LengthOfTime.nanos(text + "x")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"12.4, 12 s", "660, 11 min", "18120, 5 h 02 min", "87309.8, 24 h 15 min"})
  void itIsSaidAsPeopleSayIt(double seconds, String words) {
    assertThat(LengthOfTime.words(seconds)).isEqualTo(words);
  }

  @Test
  void aUnitThatIsNoneIsNamed() {
    assertThat(LengthOfTime.hint("6 parsecs"))
        .hasValue("unknown unit \"parsecs\"; use us, ms, s, m, h or d");
    assertThat(LengthOfTime.hint("2Min30")).hasValue("did you mean 2min30s?");
  }
}
