package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the blocks that documents mark {@code sh run}, word for word, each document in a folder. */
class DocumentedCommandsIT {
  private static final long MOST_SECONDS = 120;

  @TempDir private Path folder;

  @Test
  void everyBlockThatSaysSoRuns() throws Exception {
    int documents = 0;
    for (Path document : FencedCommands.documents()) {
      List<FencedCommands.Shown> shown =
          FencedCommands.in(document).stream().filter(FencedCommands.Shown::runs).toList();
      if (!shown.isEmpty()) {
        Path place = aUsersFolder(String.valueOf(documents++));
        for (FencedCommands.Shown command : shown) {
          run(command, place);
        }
      }
    }
    assertThat(documents).as("documents with a block that runs").isPositive();
  }

  private static void run(FencedCommands.Shown shown, Path place) throws Exception {
    Path said = place.resolve("said");
    Process shell =
        new ProcessBuilder("bash", "-c", shown.text())
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      boolean ended = shell.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      assertThat(ended).as("%s ended in time", shown).isTrue();
      assertThat(shell.exitValue())
          .as("%s%n%s", shown, Files.readString(said))
          .isEqualTo(shown.exitCode());
    } finally {
      shell.destroyForcibly();
    }
  }

  /** A folder with what a clone has: the command, the scenarios, the sample. */
  private Path aUsersFolder(String name) throws IOException {
    Path place = Files.createDirectories(folder.resolve(name));
    Path root = Path.of("").toAbsolutePath();
    for (String part : List.of("scenarios", "reports/sample")) {
      copy(root.resolve(part), place.resolve(part));
    }
    String java = ProcessHandle.current().info().command().orElse("java");
    Path tally = place.resolve("tally");
    Files.writeString(
        tally,
        """
        #!/bin/sh
        exec '%s' --add-opens=java.base/java.lang=ALL-UNNAMED -cp '%s' tallystick.cli.Tally "$@"
        """
            .formatted(java, absoluteClassPath()));
    Files.setPosixFilePermissions(tally, PosixFilePermissions.fromString("rwxr-xr-x"));
    return place;
  }

  private static String absoluteClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copied = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copied.getParent());
        Files.copy(file, copied);
      }
    }
  }
}
