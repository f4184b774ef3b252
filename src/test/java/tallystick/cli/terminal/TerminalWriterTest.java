package tallystick.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalWriterTest {
  private final StringWriter shown = new StringWriter();
  private final PrintWriter writer = new TerminalWriter(shown);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[31m", "\u001b]0;title\u0007", "\u009b2J", "\u202eevil", "a\rb", "\b", "\u0000",
        "\u2028", "\ufffe", "\ud800", "\udb40\udc41", "\u200b", "\u007f", "\ufeff", "\u2066"
      })
  void lettersThatSteerATerminalAreReplaced(String hostile) {
    writer.print("a" + hostile + "b");
    writer.append(hostile, 0, hostile.length()).write(hostile.toCharArray());
    writer.printf("%s", hostile);
    TerminalWriter.styled(writer, hostile.equals("a\rb") ? "" : hostile.substring(0, 1));
    writer.print("c");
    writer.flush();
    assertThat(shown.toString()).contains("\ufffd").matches("[\\n -~\ufffd]*");
  }

  @Test
  void textOfAllTheWorldPasses() {
    String text = "Modell äöü 模型 مدل 🚀\n\tx";
    writer.print(text);
    writer.flush();
    assertThat(shown.toString()).isEqualTo(text);
  }

  @Test
  void ourOwnMarksPassWhereTheyAreSaidToBeOurs() {
    TerminalWriter.styled(writer, "\r\u001b[31mBAD\u001b[0m \u001b[2J\u001b]0;x");
    writer.flush();
    assertThat(shown.toString()).isEqualTo("\r\u001b[31mBAD\u001b[0m \ufffd[2J\ufffd]0;x");
  }
}
