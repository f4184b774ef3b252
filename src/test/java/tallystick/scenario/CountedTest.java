package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A sentence agrees with its number. */
class CountedTest {
  @Test
  void oneThingIsToldInTheSingularAndAnyOtherNumberInThePlural() {
    assertThat(Counted.of(1, "row repeats", "rows repeat")).isEqualTo("1 row repeats");
    assertThat(Counted.of(0, "row repeats", "rows repeat")).isEqualTo("0 rows repeat");
    assertThat(Counted.of(2, "row repeats", "rows repeat")).isEqualTo("2 rows repeat");
  }
}
