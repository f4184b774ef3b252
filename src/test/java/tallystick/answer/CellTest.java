package tallystick.answer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CellTest {
  @Test
  void onlyAFigureIsMarkedAsNotExact() {
    assertThat(Cell.of("157 ms").rough().text()).isEqualTo("~157 ms");
    assertThat(Cell.of("–").rough()).isEqualTo(Cell.of("–"));
  }
}
