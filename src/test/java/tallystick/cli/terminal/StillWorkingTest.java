package tallystick.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StillWorkingTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private final StillWorking working = new StillWorking(terminal, true);
  private final OutputStream words = working.endedBy(terminal);

  @Test
  void theLineGoesWithTheFirstWords() throws IOException {
    seconds(3, "");
    say("VERDICT");
    say(" met\n");
    seconds(9, "");
    assertThat(shown())
        .isEqualTo("\r\u001b[Kworking, 2 s\r\u001b[Kworking, 3 s\r\u001b[KVERDICT met\n");
  }

  @Test
  void itComesBackWhereTheCommandSaysWhatItIsAt() throws IOException {
    say("Simulating\n");
    seconds(2, "simulating, 62 %, 8 s left");
    say("done\n");
    seconds(1, "simulating, 62 %, 8 s left");
    assertThat(shown())
        .isEqualTo("Simulating\n\r\u001b[Ksimulating, 62 %, 8 s left\r\u001b[Kdone\n");
  }

  @Test
  void aLineThatIsNotEndedIsNotWrittenOver() throws IOException {
    say("drawing");
    seconds(5, "reading the run, 5 %, 8 s left");
    assertThat(shown()).isEqualTo("drawing");
  }

  @Test
  void aQuickCommandShowsNothingOfIt() throws IOException {
    seconds(1, "");
    say("VERDICT\n");
    seconds(1, "");
    assertThat(shown()).isEqualTo("VERDICT\n");
  }

  @Test
  void aLogHasALineNowAndThen() throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    StillWorking inAJob = new StillWorking(log, false);
    for (int i = 0; i < 25; i++) {
      inAJob.second(i < 12 ? "" : "reading the run, " + i + " %, 8 s left");
    }
    assertThat(log.toString(StandardCharsets.US_ASCII))
        .isEqualTo("reading the run, 19 %, 8 s left\n");
    inAJob.endedBy(terminal).write("VERDICT\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(shown()).isEqualTo("VERDICT\n");
  }

  private void seconds(int count, String doing) {
    for (int i = 0; i < count; i++) {
      working.second(doing);
    }
  }

  private void say(String text) throws IOException {
    words.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private String shown() {
    return terminal.toString(StandardCharsets.US_ASCII);
  }
}
