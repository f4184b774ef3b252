package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.run.RunIT;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.RecordFiles;

/** A disk that fills before, in and after a run: a small file system in memory plays it. */
@Tag("mount")
class FullDiskIT {
  private static final String SCENARIO =
      RunIT.SMALL.replace("duration: 3s", "duration: 120s");

  @TempDir private Path folder;

  private Path disk() {
    return folder.resolve("disk");
  }

  private void mount(String options) throws Exception {
    Files.createDirectories(disk());
    assertThat(isDone("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk().toString()))
        .as("a file system can be mounted: the profile mount needs root and mount")
        .isTrue();
  }

  @AfterEach
  void unmount() throws Exception {
    isDone("umount", "--lazy", disk().toString());
  }

  private static boolean isDone(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aDiskThatIsFullBeforeTheStartIsNamedAndNothingIsLeftOnIt() throws Exception {
    mount("size=64k");
    fill();
    CommandRun run = CommandRun.of("run", scenario(), "--out", disk().resolve("o").toString());

    assertThat(run.code()).as(run.output()).isEqualTo(3);
    assertThat(run.output())
        .containsPattern(disk() + "/o/[^:\n]+: the disk is full: make room on it");
    try (Stream<Path> left = Files.list(disk().resolve("o"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aDiskThatFillsInTheRunEndsItAndEveryRowOnItIsCounted() throws Exception {
    mount("size=8m");
    Path out = disk().resolve("o");
    CompletableFuture<CommandRun> running =
        CompletableFuture.supplyAsync(
            () -> CommandRun.of("run", scenario(), "--out", out.toString()));
    CommandRun.awaitRows(out, 20, () -> !running.isDone());
    fill();
    CommandRun run = running.get(120, TimeUnit.SECONDS);

    Path folder = CommandRun.onlyRun(out);
    assertThat(run.code()).as(run.output()).isEqualTo(3);
    assertThat(run.output())
        .contains("The run ended early: the record could not be written: the disk is full")
        .contains("./tally report " + folder);
    CommandRun noRoom = CommandRun.of("report", folder.toString());
    assertThat(noRoom.code()).as(noRoom.output()).isEqualTo(3);
    assertThat(noRoom.output()).contains("INVALID", "The reports could not be written");
    Files.delete(disk().resolve("filling"));
    CommandRun report = CommandRun.of("report", folder.toString(), "--verbose");
    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(report.output().replaceAll("\\s+", " "))
        .contains("rows were lost because the record could not be written any more")
        .doesNotContain("because a queue", "rows that were written");
    Manifest.Ending ending =
        ManifestJson.read(RecordFiles.ofRun(folder).manifest()).ending();
    assertThat(ending.requestRows())
        .isEqualTo(wholeLines(RecordFiles.ofRun(folder).requests()));
    assertThat(CommandRun.analysis(out).at("/counts/ended").asLong())
        .isEqualTo(
            Files.readAllLines(RecordFiles.ofRun(folder).requests()).stream()
                .limit(ending.requestRows())
                .filter(row -> !row.contains("\"phase\":\"warmup\""))
                .count());
  }

  @Test
  void aReportThatFindsNoRoomIsShownAllTheSame() throws Exception {
    mount("size=4m");
    Path run = Files.createDirectories(disk().resolve("run/record"));
    try (Stream<Path> files = Files.list(Path.of("reports/sample/record"))) {
      for (Path file : files.toList()) {
        Files.copy(file, run.resolve(file.getFileName()));
      }
    }
    CommandRun roomy = CommandRun.of("report", run.getParent().toString());
    fill();
    CommandRun full = CommandRun.of("report", run.getParent().toString());

    assertThat(full.code()).as(full.output()).isEqualTo(3);
    assertThat(full.output())
        .startsWith(roomy.output())
        .contains("report.html: the disk is full: make room on it")
        .contains("The record is not touched.");
    try (Stream<Path> files = Files.list(run.getParent())) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".partial"));
    }
  }

  @Test
  void aDiskThatTakesNoMoreFilesIsNotCalledFull() throws Exception {
    mount("size=32m,nr_inodes=4");
    for (String command : List.of("run", "simulate")) {
      CommandRun run =
          CommandRun.of(command, scenario(), "--out", disk().resolve("o").toString());
      assertThat(run.code()).as(run.output()).isEqualTo(3);
      assertThat(run.output())
          .contains("the disk has room but takes no more files (df -i)")
          .doesNotContain("disk is full");
    }
  }

  private String scenario() {
    try {
      return Files.writeString(folder.resolve("s.yaml"), SCENARIO).toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Takes all the room there is. */
  private void fill() throws IOException {
    byte[] bytes = new byte[4096];
    try (OutputStream out = Files.newOutputStream(disk().resolve("filling"))) {
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static long wholeLines(Path file) throws IOException {
    return Files.readString(file).chars().filter(letter -> letter == '\n').count();
  }
}
