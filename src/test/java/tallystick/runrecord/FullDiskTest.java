package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Manifest.Ending.State;

/** A record whose disk is full says so itself. */
class FullDiskTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir Path folder;

  private Manifest manifest() throws IOException {
    return ManifestJson.read(Path.of("reports/sample/record/manifest.json"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theManifestSaysWhyTheRecordBrokeOff(boolean isManifestStuck) throws Exception {
    RecordFiles files = RecordFiles.ofRun(folder);
    Files.createDirectories(files.folder());
    Files.createSymbolicLink(files.harness(), FULL);
    RunClock clock = RunClock.start();
    RecordWriter writer =
        RecordWriter.open(
            files,
            manifest().closed(new Manifest.Clock(1, 0, 0), Manifest.Ending.OPEN), clock);
    if (isManifestStuck) {
      // There is no room for a new file beside it either.
      Files.createSymbolicLink(files.folder().resolve("manifest.json.new"), FULL);
    }
    writer.offer(new HarnessRow.GcPause(1, 2, "young"));
    awaitFailure(writer);
    assertThat(writer.failure()).hasValueSatisfying(why -> assertThat(why).contains("No space"));

    assertThatThrownBy(() -> writer.close(State.COMPLETED, "")).isInstanceOf(IOException.class);
    Manifest.Ending ending = ManifestJson.read(files.manifest()).ending();
    assertThat(ending.state()).isEqualTo(State.FAILED);
    assertThat(ending.detail()).startsWith("the record could not be written: No space");
    Files.delete(files.harness());
  }

  @Test
  void whatFoundNoRoomIsLostAndNoRowThatWasWritten() throws Exception {
    RecordFiles files = RecordFiles.ofRun(folder);
    Files.createDirectories(files.folder());
    Files.createSymbolicLink(files.scrapes(), FULL);
    RecordWriter writer = RecordWriter.open(files, manifest(), RunClock.start());
    ScrapeRow row = new ScrapeRow(0, 1, 2, List.of(), "HTTP 503");
    writer.offer(row);
    awaitFailure(writer);
    writer.offer(row);

    assertThatThrownBy(() -> writer.close(State.COMPLETED, "")).isInstanceOf(IOException.class);
    Manifest.Ending ending = ManifestJson.read(files.manifest()).ending();
    assertThat(ending.scrapeRows()).isZero();
    assertThat(ending.droppedRows()).isEqualTo(2);
    Files.delete(files.scrapes());
  }

  private static void awaitFailure(RecordWriter writer) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (writer.failure().isEmpty() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aFolderThatIsRemovedIsNoticedAtOnce() throws Exception {
    RecordFiles files = RecordFiles.ofRun(folder);
    RecordWriter writer = RecordWriter.open(files, manifest(), RunClock.start());
    try (Stream<Path> all = Files.list(files.folder())) {
      for (Path file : all.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(files.folder());
    awaitFailure(writer);
    assertThat(writer.failure())
        .hasValueSatisfying(why -> assertThat(why).endsWith("was removed while it was written"));
    assertThatThrownBy(() -> writer.close(State.COMPLETED, ""))
        .hasMessageEndingWith("was removed while it was written");
  }

  @Test
  void aManifestThatIsWrittenOverIsNotLongerThanItself() throws Exception {
    Path file = folder.resolve("manifest.json");
    Manifest longer = manifest();
    ManifestJson.write(longer, file);
    Files.createSymbolicLink(folder.resolve("manifest.json.new"), FULL);
    Manifest shorter = longer.closed(new Manifest.Clock(1, 0, 0), Manifest.Ending.OPEN);
    ManifestJson.write(shorter, file);
    assertThat(List.of(ManifestJson.read(file))).containsExactly(shorter);
  }
}
