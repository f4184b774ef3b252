package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record of a stranger that holds links to files of the user, or names that lead elsewhere. */
class LinkedFilesTest {
  private static final String OWN = "the user's own\n";

  @TempDir Path folder;
  private Path own;

  @BeforeEach
  void aFileOfTheUser() throws IOException {
    own = Files.writeString(folder.resolve("own"), OWN);
  }

  @Test
  void aReportWritesThroughNoLink() throws IOException {
    Path run = sample();
    for (String name : new String[] {"report.html", "analysis.json", "summary.md", "junit.xml"}) {
      Files.createSymbolicLink(run.resolve(name), own);
      Files.createSymbolicLink(run.resolve(name + ".partial"), own);
    }
    CommandRun ran = CommandRun.of("report", run.toString());

    assertThat(ran.code()).as(ran.output()).isEqualTo(1);
    assertThat(own).hasContent(OWN);
    assertThat(run.resolve("report.html")).isRegularFile();
    assertThat(Files.isSymbolicLink(run.resolve("report.html"))).isFalse();
  }

  @Test
  void anExportIntoTheRecordsFolderFollowsNoLink() throws IOException {
    Path run = sample();
    Path link = Files.createDirectory(run.resolve("export")).resolve("requests.csv");
    Files.createSymbolicLink(link, own);
    CommandRun ran = CommandRun.of("export", run.toString(), "--format", "csv");

    assertThat(ran.code()).as(ran.output()).isEqualTo(3);
    assertThat(ran.output()).contains("is a link", "--out");
    assertThat(own).hasContent(OWN);

    Files.delete(link);
    Files.delete(run.resolve("export"));
    Files.createSymbolicLink(run.resolve("export"), folder);
    assertThat(CommandRun.of("export", run.toString(), "--format", "csv").code()).isEqualTo(3);
    assertThat(folder.resolve("requests.csv")).doesNotExist();
  }

  @Test
  void aDeviceInsteadOfAFileIsNotReadWithoutEnd() throws IOException {
    for (String name : List.of("manifest.json", "plan.json", "requests.ndjson", "harness.ndjson")) {
      Path run = sample();
      Path file = run.resolve("record").resolve(name);
      Files.delete(file);
      Files.createSymbolicLink(file, Path.of("/dev/zero"));
      CommandRun ran = CommandRun.of("report", run.toString(), "--verbose");

      assertThat(ran.code()).as(ran.output()).isEqualTo(4);
      assertThat(ran.output()).contains(name).contains("is not a regular file");
    }
  }

  @Test
  void aScenariosNameLeavesNoFolder() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"),
            "name: ../../up/x\nendpoint: completions\nworkload: {arrival: poisson, rate: 5,"
                + " prompt_tokens: 8, output_tokens: 4}\nduration: 2s\n");
    Path out = Files.createDirectories(folder.resolve("a/b/c"));
    CommandRun.of("simulate", scenario.toString(), "--out", out.toString(), "--no-report");

    assertThat(CommandRun.onlyRun(out).normalize().getParent()).isEqualTo(out);
    try (Stream<Path> beside = Files.list(folder)) {
      assertThat(beside.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("own", "s.yaml", "a");
    }
  }

  private Path sample() throws IOException {
    Path copy = folder.resolve("sample");
    Files.createDirectories(copy.resolve("record"));
    try (Stream<Path> files = Files.list(Path.of("reports/sample/record"))) {
      for (Path file : files.toList()) {
        Files.copy(
            file, copy.resolve("record").resolve(file.getFileName()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return copy;
  }
}
