package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir private Path folder;

  /** What a run leaves, in this test. */
  private record Left(int number, double seconds, String doubt) {}

  private static Left result(int number) {
    return new Left(number, 190.5, "");
  }

  private Journal<Left> begun() throws IOException {
    Journal.begin(folder, memory("print"));
    return resumed();
  }

  private Journal<Left> resumed() throws IOException {
    return Journal.resume(folder, memory("print"));
  }

  @Test
  void givesBackWhatWasWritten() throws IOException {
    Journal<Left> journal = begun();
    journal.add(result(1));
    journal.add(result(2));

    Journal<Left> again = resumed();

    assertThat(again.done()).containsExactly(result(1), result(2));
  }

  @Test
  void aLineCutByAKillIsNoRun() throws IOException {
    begun().add(result(1));
    Path file = folder.resolve(Journal.FILE);
    Files.writeString(file, "{\"probe\":{\"num", StandardOpenOption.APPEND);

    Journal<Left> again = resumed();
    again.add(result(2));

    assertThat(resumed().done())
        .containsExactly(result(1), result(2));
  }

  @Test
  void runsInDoubtAtItsEndAreForgotten() throws IOException {
    Journal<Left> journal = begun();
    journal.add(result(1));
    journal.add(new Left(2, 60, "late"));

    journal.forgetLast(left -> !left.doubt().isEmpty());
    journal.add(result(3));

    assertThat(journal.done()).containsExactly(result(1), result(3));
    assertThat(resumed().done())
        .containsExactly(result(1), result(3));
  }

  @Test
  void anotherExperimentIsRefusedAndWhatDiffersIsNamed() throws IOException {
    begun();

    assertThatThrownBy(() -> Journal.resume(folder, memory("other")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another experiment (capacity of chat), not the same: --seed;");
  }

  @Test
  void aJournalOfAnOlderBuildIsRefusedAndNotCalledDamaged() throws IOException {
    Files.writeString(
        folder.resolve(Journal.FILE),
        "{\"format_version\":1,\"experiment\":\"capacity\",\"fingerprint\":\"79313c\"}\n");

    assertThatThrownBy(this::resumed)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("format version 1")
        .hasMessageContaining("begin anew without --resume");
  }

  @Test
  void aFolderWithoutAJournalIsRefused() {
    assertThatThrownBy(this::resumed)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds no experiment");
  }

  @Test
  void aDamagedLineIsNamed() throws IOException {
    begun();
    Files.writeString(
        folder.resolve(Journal.FILE), "no json\n", StandardOpenOption.APPEND);

    assertThatThrownBy(this::resumed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Journal.FILE + ":2 is damaged")
        .hasMessageContaining("with all lines below it");
  }

  @Test
  void aRunWrittenTwiceIsNotTwoObservations() throws IOException {
    Journal<Left> journal = begun();
    journal.add(result(1));
    journal.add(result(1));

    assertThatThrownBy(this::resumed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Journal.FILE + ":3 repeats line 2");
  }

  @Test
  void aFolderWithoutAJournalSaysHowToGoOn() {
    assertThatThrownBy(this::resumed).hasMessageContaining("begin anew without --resume");
  }

  private static JournalIdentity<Left> memory(String seed) {
    Fingerprint fingerprint =
        new Fingerprint(Map.of("--share", "same")).with("--seed", seed);
    return new JournalIdentity<>("capacity", "chat", fingerprint, Left.class);
  }
}
