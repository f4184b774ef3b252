package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.exit.ExitCode;

class CdsTrainingTest {
  @TempDir Path folder;

  @Test
  void reportsAndGoesAsFarAsARunGoesBeforeItsLoad() throws IOException {
    Path sample = Files.createDirectories(folder.resolve("sample/record")).getParent();
    try (var files = Files.list(Path.of("reports/sample/record"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, sample.resolve("record").resolve(file.getFileName()));
      }
    }
    StringWriter said = new StringWriter();
    assertThat(
            CdsTraining.play(
                sample, Path.of("scenarios/quickstart.yaml"), new PrintWriter(said, true)))
        .as(said.toString())
        .doesNotContain(ExitCode.BUG.number(), ExitCode.USER_MISTAKE.number())
        .last()
        .isEqualTo(ExitCode.WORLD_FAILED.number());
    assertThat(sample.resolve("report.html")).exists();
    assertThat(said.toString())
        .contains("starting the embedded, simulated engine", "no-folder")
        .doesNotContain("Recording to");
  }

  @Test
  void quickCommandsAreOnesThatWork() {
    StringWriter said = new StringWriter();
    assertThat(
            CdsTraining.playQuick(
                Path.of("scenarios/quickstart.yaml"), new PrintWriter(said, true)))
        .as(said.toString())
        .doesNotContain(ExitCode.BUG.number())
        .startsWith(ExitCode.GOOD.number())
        .last()
        .isEqualTo(ExitCode.GOOD.number());
  }
}
