package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.scenario.ScenarioReader;

/** Nobody runs a bench every day; each must run when somebody does. */
class BenchTest {
  private static final Path BENCH = Path.of("bench");

  @TempDir Path classes;

  @Test
  void compilesAgainstThisBuild() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-d", classes.toString(), "-cp", System.getProperty("java.class.path"),
              "-proc:none", "--add-exports", "jdk.attach/sun.tools.attach=ALL-UNNAMED");
      boolean isCompiled =
          compiler
              .getTask(
                  said, files, null, options, null, files.getJavaFileObjectsFromPaths(of("java")))
              .call();
      assertThat(isCompiled).as(said.toString()).isTrue();
    }
  }

  /** A script that names a file which is gone would say so only after minutes. */
  @Test
  void scenariosAreRead() throws IOException {
    assertThat(of("yaml")).hasSizeGreaterThan(3);
    for (Path scenario : of("yaml")) {
      ScenarioReader.read(scenario, List.of(), List.of());
    }
  }

  private static List<Path> of(String kind) throws IOException {
    try (Stream<Path> all = Files.walk(BENCH)) {
      return all.filter(file -> file.toString().endsWith("." + kind)).sorted().toList();
    }
  }
}
