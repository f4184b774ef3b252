package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** The rules of the study on a real engine follow from the record that stands beside them. */
class StudyRecordTest {
  private static final Path SAMPLE = Path.of("reports/study-sample");

  @TempDir private Path folder;

  @Test
  void itsRecordGivesItsRules() throws IOException {
    List<String> words = new ArrayList<>(List.of("alerts", "--window", "30", "--skip", "0"));
    words.addAll(unpacked());
    words.addAll(List.of("--out", folder.resolve("alerts").toString()));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assertThat(run.code()).as(run.output()).isZero();
    for (String file : List.of("rules.yaml", "rules_test.yaml")) {
      assertThat(folder.resolve("alerts").resolve(file))
          .hasSameTextualContentAs(SAMPLE.resolve("alerts").resolve(file));
    }
  }

  private List<String> unpacked() throws IOException {
    try (InputStream file = Files.newInputStream(SAMPLE.resolve("runs.zip"));
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path to = folder.resolve(entry.getName());
        Files.createDirectories(to.getParent());
        Files.copy(zip, to);
      }
    }
    return List.of("run-006", "run-007", "run-008").stream()
        .map(name -> folder.resolve(name).toString())
        .toList();
  }
}
