package tallystick.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** Completion comes from the commands themselves. */
class ShellHelpTest {
  @TempDir private Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    Path script = folder.resolve("tally.bash");
    Files.writeString(script, CommandRun.of("completion", "bash").output());

    assertThat(completed(script, "tally", "sim")).isEqualTo("simulate");
    assertThat(completed(script, "tally", "run", "--accept")).isEqualTo("--accept-unproven");
  }

  private static String completed(Path script, String... words) throws Exception {
    String ask =
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; _complete_tally; "
            .formatted(script, String.join(" ", words), words.length - 1, String.join(" ", words))
            + "echo ${COMPREPLY[@]}";
    // Outside of a shell's own completion the script's compopt complains.
    Process bash =
        new ProcessBuilder("bash", "-c", ask).redirectError(Redirect.DISCARD).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.strip();
  }
}
