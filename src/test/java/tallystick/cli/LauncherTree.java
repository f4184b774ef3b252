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
import org.junit.jupiter.api.io.TempDir;

/** The script {@code tally}, in a tree of its own, with a Java that only tells. */
abstract class LauncherTree {
  static final String TELLING_JAVA =
      """
      #!/bin/sh
      case "$*" in *-version*) exit 0 ;; esac
      echo "java $LC_ALL in $(pwd): $*"
      """;

  static final String JAR = "tallystick-0.2.0.jar";

  /** Makes what it is asked for as its memory of a start. */
  static final String REMEMBERING_JAVA =
      """
      #!/bin/sh
      case "$*" in *-version*) exit 0 ;; esac
      for word in "$@"; do
        case $word in
          -XX:ArchiveClassesAtExit=* | -XX:AOTCacheOutput=*) echo made > "${word#*=}"; exit 1 ;;
        esac
      done
      echo "java: $*"
      """;

  @TempDir Path folder;
  Path tree;
  Path jdk;

  @BeforeEach
  void plantATree() throws IOException {
    tree = Files.createDirectories(folder.resolve("a tree"));
    executable(tree.resolve("tally"), Files.readString(Path.of("tally")));
    jdk = folder.resolve("jdk 21");
    executable(jdk.resolve("bin/java"), TELLING_JAVA);
    executable(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
    Files.writeString(tree.resolve(JAR), "a jar");
  }

  record Said(int code, String text) {}

  Said run(Map<String, String> surroundings, String... command) throws Exception {
    Process process = start(surroundings, "said", command);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), Files.readString(folder.resolve("said")));
  }

  /** Starts with variables set, or taken away where their name begins with a dash. */
  Process start(Map<String, String> surroundings, String log, String... command)
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

  void await(String log, String words) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.readString(folder.resolve(log)).contains(words)) {
      assertThat(System.nanoTime()).as("no \"%s\"", words).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    file.toFile().setExecutable(true);
  }
}
