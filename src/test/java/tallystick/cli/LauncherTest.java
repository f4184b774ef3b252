package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code tally}, in a tree of its own, with a Java and a Maven that only tell. */
class LauncherTest {
  private static final String TELLING_JAVA =
      """
      #!/bin/sh
      case "$*" in *-version*) exit 0 ;; esac
      echo "java $LC_ALL in $(pwd): $*"
      """;

  @TempDir Path folder;
  private Path tree;
  private Path jdk;

  @BeforeEach
  void plantATree() throws IOException {
    tree = Files.createDirectories(folder.resolve("a tree"));
    executable(tree.resolve("tally"), Files.readString(Path.of("tally")));
    jdk = folder.resolve("jdk 21");
    executable(jdk.resolve("bin/java"), TELLING_JAVA);
    executable(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
  }

  @Test
  void saysWhichJdkItNeedsWhereItFindsNone() throws Exception {
    // No machine has this JDK, so the search behaves as on one without any.
    String launcher = Files.readString(Path.of("tally")).replace("least=21", "least=9999");
    assertThat(launcher).contains("least=9999");
    executable(tree.resolve("tally"), launcher);

    Said said = run(Map.of(), tree.resolve("tally").toString());
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text()).contains("needs a JDK of version 9999").contains("JAVA_HOME");
  }

  @Test
  void needsNeitherAHomeNorAJavaOnThePath() throws Exception {
    executable(
        tree.resolve("tally"),
        Files.readString(Path.of("tally")).replace("least=21", "least=9999"));
    Path tools = folder.resolve("tools");
    for (String tool : List.of("bash", "readlink", "dirname", "sed", "head", "locale")) {
      executable(tools.resolve(tool), "#!/bin/sh\nexec /usr/bin/" + tool + " \"$@\"\n");
    }
    Said said =
        run(
            Map.of("-HOME", "", "-JAVA_HOME", "", "PATH", tools.toString()),
            "/bin/bash", tree.resolve("tally").toString());
    assertThat(said.code()).as(said.text()).isEqualTo(3);
    assertThat(said.text()).contains("needs a JDK of version 9999").doesNotContain("unbound");
  }

  @Test
  void worksFromAnyFolderThroughALinkAndWithBlanksInItsPath() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("a link"), tree.resolve("tally"));
    Said said = run(Map.of(), link.toString(), "plan", "a b");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.text())
        .contains(tree + "/target/classes:" + tree + "/target/lib/*")
        .contains("in " + folder)
        .contains("tallystick.cli.Tally plan a b");
  }

  @Test
  void aJavaThatCannotStartIsTheWorldsFailure() throws Exception {
    executable(
        jdk.resolve("bin/java"), "#!/bin/sh\necho Could not reserve enough space >&2\nexit 1\n");
    Said said = run(Map.of(), tree.resolve("tally").toString(), "help");
    assertThat(said.code()).isEqualTo(3);
    assertThat(said.text())
        .contains("Could not reserve enough space")
        .contains("Java cannot start");
  }

  @Test
  void withoutACharacterSetFilesAreNamedInUtf8() throws Exception {
    Said plain = run(Map.of("LC_ALL", "C"), tree.resolve("tally").toString(), "help");
    assertThat(plain.text()).contains("java C.UTF-8 in");
    Said unset = run(Map.of("-LC_ALL", "", "LANG", "C"), tree.resolve("tally").toString(), "help");
    assertThat(unset.text()).contains("java C.UTF-8 in");
  }

  @Test
  void ofTwoFirstBuildsAtOnceTheSecondWaits() throws Exception {
    Files.writeString(tree.resolve("pom.xml"), "<project/>");
    Files.createDirectories(tree.resolve("src/main"));
    Files.createDirectories(tree.resolve("simulations"));
    Path gate = folder.resolve("gate");
    new ProcessBuilder("mkfifo", gate.toString()).start().waitFor();
    executable(
        folder.resolve("maven/mvn"),
        """
        #!/bin/sh
        echo built >> '%s/builds'
        cat '%s' > /dev/null
        mkdir -p target/classes/tallystick/cli target/lib
        touch target/classes/tallystick/cli/Tally.class
        """
            .formatted(folder, gate));
    String path = folder.resolve("maven") + ":" + System.getenv("PATH");

    Process first = start(Map.of("PATH", path), "one", tree.resolve("tally").toString(), "help");
    await("one", "Building");
    Process second = start(Map.of("PATH", path), "two", tree.resolve("tally").toString(), "help");
    await("two", "Another tally is building");
    Files.writeString(gate, "go");

    for (Process each : List.of(first, second)) {
      assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(each.exitValue()).isZero();
    }
    assertThat(folder.resolve("builds")).hasContent("built");
    assertThat(Files.readString(folder.resolve("two"))).contains("tallystick.cli.Tally help");
  }

  private record Said(int code, String text) {}

  private Said run(Map<String, String> surroundings, String... command) throws Exception {
    Process process = start(surroundings, "said", command);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), Files.readString(folder.resolve("said")));
  }

  /** Starts with variables set, or taken away where their name begins with a dash. */
  private Process start(Map<String, String> surroundings, String log, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
    builder.environment().put("JAVA_HOME", jdk.toString());
    surroundings.forEach(
        (name, value) -> {
          if (name.startsWith("-")) {
            builder.environment().remove(name.substring(1));
          } else {
            builder.environment().put(name, value);
          }
        });
    return builder
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(log).toFile())
        .start();
  }

  private void await(String log, String words) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.readString(folder.resolve(log)).contains(words)) {
      assertThat(System.nanoTime()).as("no \"%s\"", words).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    file.toFile().setExecutable(true);
  }
}
