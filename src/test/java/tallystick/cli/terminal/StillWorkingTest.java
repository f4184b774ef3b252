package tallystick.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StillWorkingTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private final StillWorking working = new StillWorking(terminal);
  private final OutputStream words = working.endedBy(terminal);

  @Test
  void theLineGoesWithTheFirstWords() throws IOException {
    assertThat(working.show(2)).isTrue();
    assertThat(working.show(3)).isTrue();
    say("VERDICT");
    say(" met");
    assertThat(working.show(4)).isFalse();
    assertThat(shown())
        .isEqualTo("\r\u001b[Kworking, 2 s\r\u001b[Kworking, 3 s\r\u001b[KVERDICT met");
  }

  @Test
  void aQuickCommandShowsNothingOfIt() throws IOException {
    say("VERDICT");
    assertThat(working.show(2)).isFalse();
    assertThat(shown()).isEqualTo("VERDICT");
  }

  private void say(String text) throws IOException {
    words.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String shown() {
    return terminal.toString(StandardCharsets.US_ASCII);
  }
}
