package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void aLineHasNeitherBreaksNorMarksThatSteerATerminal() {
    assertThat(PlainText.oneLine(" a\r\n\u0085\u2028b\u001b[2J\u009b31m\u202e\ufffe\ud800 "))
        .isEqualTo("a b[2J31m");
    assertThat(PlainText.oneLine("ganz normal: 模型 🚀")).isEqualTo("ganz normal: 模型 🚀");
  }

  @Test
  void printableTextKeepsItsLinesAndTabs() {
    assertThat(PlainText.printable("a\n\tb\u0000c\rd")).isEqualTo("a\n\tbcd");
  }
}
