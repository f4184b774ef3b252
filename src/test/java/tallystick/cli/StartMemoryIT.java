package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java remembers of a start, made by {@code tally} from the jar of this build. */
class StartMemoryIT {
  /** Lines of the log of compiling, JDK 25: 94 where a memory forbids it, 661 where it does not. */
  private static final int FEW = 250;

  @TempDir Path folder;

  @Test
  void leavesLongCommandsTheSlowerCompiler() throws Exception {
    Path tree = releaseTree();
    Path home = Path.of(System.getProperty("java.home"));
    run(home, tree.resolve("tally").toString(), "report",
        tree.resolve("reports/sample").toString());
    Path memory = only(tree, "start-[0-9]+\\.cache");
    assertThat(memory).as("what Java remembers").isNotEmptyFile();
    String use = Runtime.version().feature() < 25 ? "-XX:SharedArchiveFile=" : "-XX:AOTCache=";

    String compiled =
        run(
            home,
            home.resolve("bin/java").toString(), "@" + tree.resolve("java.args"),
            use + memory, "-XX:+PrintCompilation", "-cp",
            only(tree, "tallystick-.*\\.jar").toString(), "tallystick.cli.Tally", "report",
            tree.resolve("reports/sample").toString());

    assertThat(compiled).contains("HOLDS");
    assertThat(compiled.lines().filter(line -> line.matches("\\s*\\d+\\s+\\d+.{7}4 .*")).count())
        .as("lines of what C2 compiled")
        .isGreaterThan(FEW);
  }

  @Test
  void quickCommandsHaveOne() throws Exception {
    Path tree = releaseTree();
    Path home = Path.of(System.getProperty("java.home"));

    assertThat(said(home, 2, tree.resolve("tally").toString(), "plan", "quikstart"))
        .contains("there is no such file")
        .doesNotContain("Preparing");
    String said = run(home, tree.resolve("tally").toString(), "plan", "quickstart");

    assertThat(said).contains("Preparing quick starts, once");
    assertThat(only(tree, "start-[0-9]+-quick\\.cache")).isNotEmptyFile();
    assertThat(run(home, tree.resolve("tally").toString(), "plan", "quickstart"))
        .isEqualTo(said.replaceFirst("Preparing quick starts.*\n", ""));
    Files.delete(only(tree, "start-[0-9]+-quick\\.cache"));
    assertThat(run(home, tree.resolve("tally").toString(), "plan", "quickstart"))
        .isEqualTo(said);
  }

  /** A jar that comes out of a zip has the zip's time, before that of any memory. */
  @Test
  void isOfOneJarAlone() throws Exception {
    Path tree = releaseTree();
    Path home = Path.of(System.getProperty("java.home"));
    String[] plan = {tree.resolve("tally").toString(), "plan", "quickstart"};
    run(home, plan);
    Path jar = only(tree, "tallystick-.*\\.jar");
    try (FileSystem other = FileSystems.newFileSystem(jar)) {
      Files.writeString(other.getPath("another-build"), "");
    }
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));

    assertThat(run(home, plan)).contains("Preparing quick starts, once");
    assertThat(run(home, plan)).doesNotContain("Preparing");
  }

  private Path releaseTree() throws IOException {
    Path tree = Files.createDirectories(folder.resolve("release"));
    Path built = Path.of("target").toAbsolutePath();
    Path jar = only(built, "tallystick-.*\\.jar");
    Files.copy(jar, tree.resolve(jar.getFileName()));
    Files.createSymbolicLink(tree.resolve("lib"), built.resolve("lib"));
    Files.createSymbolicLink(tree.resolve("scenarios"), Path.of("scenarios").toAbsolutePath());
    copy(Path.of("reports/sample"), tree.resolve("reports/sample"));
    Files.copy(Path.of("src/dist/java.args"), tree.resolve("java.args"));
    Files.copy(Path.of("tally"), tree.resolve("tally"));
    tree.resolve("tally").toFile().setExecutable(true);
    return tree;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path target = to.resolve(from.relativize(each).toString());
        Files.createDirectories(target.getParent());
        Files.copy(each, target);
      }
    }
  }

  private static Path only(Path folder, String name) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> found =
          all.filter(file -> file.getFileName().toString().matches(name)).toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }

  private String run(Path home, String... command) throws Exception {
    // The sample's objectives are violated, which ends its report with 1.
    return said(home, 1, command);
  }

  private String said(Path home, int most, String... command) throws Exception {
    Path said = folder.resolve("said");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", home.toString());
    int code =
        builder.redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
    String text = Files.readString(said);
    assertThat(code).as(text).isLessThanOrEqualTo(most);
    return text;
  }
}
