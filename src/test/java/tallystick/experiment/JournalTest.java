package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir private Path folder;

  private static ProbeResult result(int number) {
    return new ProbeResult(
        new Probe(number, Probe.Purpose.NARROW, 2.5, 30, 150, 99L * number), 190.5, 400, 396,
        new ProbeResult.Load(3.5, 2.4, false, 1.25, 4, 0.5, 0), ProbeResult.Trust.TRUSTED, "");
  }

  @Test
  void givesBackWhatWasWritten() throws IOException {
    Journal journal = Journal.begin(folder, "capacity", "chat", "print");
    journal.add(result(1));
    journal.add(result(2));

    Journal again = Journal.resume(folder, "capacity", "print");

    assertThat(again.done()).containsExactly(result(1), result(2));
  }

  @Test
  void aLineCutByAKillIsNoProbe() throws IOException {
    Journal.begin(folder, "capacity", "chat", "print").add(result(1));
    Path file = folder.resolve(Journal.FILE);
    Files.writeString(file, "{\"probe\":{\"num", StandardOpenOption.APPEND);

    Journal again = Journal.resume(folder, "capacity", "print");
    again.add(result(2));

    assertThat(Journal.resume(folder, "capacity", "print").done())
        .containsExactly(result(1), result(2));
  }

  @Test
  void probesInDoubtAtItsEndAreForgotten() throws IOException {
    Journal journal = Journal.begin(folder, "capacity", "chat", "print");
    journal.add(result(1));
    journal.add(
        new ProbeResult(
            result(2).probe(), 60, 9, 9, ProbeResult.Load.UNKNOWN,
            ProbeResult.Trust.CLIENT_SATURATED, "late"));

    journal.forgetDoubtful();
    journal.add(result(3));

    assertThat(journal.done()).containsExactly(result(1), result(3));
    assertThat(Journal.resume(folder, "capacity", "print").done())
        .containsExactly(result(1), result(3));
  }

  @Test
  void anotherExperimentIsRefused() throws IOException {
    Journal.begin(folder, "capacity", "chat", "print");

    assertThatThrownBy(() -> Journal.resume(folder, "capacity", "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another experiment");
  }

  @Test
  void aFolderWithoutAJournalIsRefused() {
    assertThatThrownBy(() -> Journal.resume(folder, "capacity", "print"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds no experiment");
  }

  @Test
  void aDamagedLineIsNamed() throws IOException {
    Journal.begin(folder, "capacity", "chat", "print");
    Files.writeString(
        folder.resolve(Journal.FILE), "no json\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> Journal.resume(folder, "capacity", "print"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is damaged");
  }
}
