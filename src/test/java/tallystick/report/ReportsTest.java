package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {
  @Test
  void writesEveryFormatAndNamesThePageFirst(@TempDir Path folder) throws IOException {
    List<Path> files = SampleAnalysis.writeAll(SampleAnalysis.of(), folder.resolve("new/run"));
    assertThat(files.stream().map(file -> file.getFileName().toString()))
        .containsExactly(
            "report.html", "summary.md", "analysis.json", "junit.xml", "answers.json");
    assertThat(files).allMatch(Files::isRegularFile);
  }

  @Test
  void writesOverAnOldReportAndLeavesNothingPartial(@TempDir Path folder) throws IOException {
    SampleAnalysis.writeAll(SampleAnalysis.of(), folder);
    SampleAnalysis.writeAll(SampleAnalysis.of(), folder);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".partial"));
    }
  }
}
