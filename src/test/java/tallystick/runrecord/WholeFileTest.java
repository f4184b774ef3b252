package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  private static final String KILLED = ".0a1b2c3d-0a1b-4c3d-8e9f-001122334455.partial";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("report.html");
  }

  /** One tally writes a file while another is in the middle of it. */
  @Test
  void twoWhoWriteOneFileAtOnceLeaveNoHalfOfIt() throws IOException {
    WholeFile.write(
        file,
        out -> {
          put(out, "first, ");
          WholeFile.write(file, "second");
          assertThat(file).hasContent("second");
          put(out, "to its end");
        });
    assertThat(file).hasContent("first, to its end");
    assertOnly("report.html");
  }

  /** {@code --markdown /dev/stdout}, or a link that somebody set there on purpose. */
  @Test
  void whatTheUserNamesIsWrittenThroughALinkAndIntoWhatIsNoFile() throws IOException {
    Path real = Files.writeString(folder.resolve("real.md"), "old and longer");
    Path link = Files.createSymbolicLink(folder.resolve("link.md"), real);

    WholeFile.writeAsked(link, "new");
    WholeFile.writeAsked(Path.of("/dev/null"), "nothing");
    WholeFile.writeAsked(file, "fresh");

    assertThat(link).isSymbolicLink().hasContent("new");
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    assertThat(file).hasContent("fresh");
  }

  @Test
  void whoFailsInTheMiddleLeavesTheOldFile() throws IOException {
    WholeFile.write(file, "old");
    WholeFile.Content broken =
        out -> {
          put(out, "new");
          throw new IOException("no space left");
        };
    assertThatThrownBy(() -> WholeFile.write(file, broken))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("report.html")
        .hasMessageContaining("no space left");
    assertThat(file).hasContent("old");
    assertOnly("report.html");
  }

  @Test
  void aFolderThatIsNotThereIsTheReasonAndNotThePart() {
    Path missing = folder.resolve("missing/base.json");
    assertThatThrownBy(() -> WholeFile.write(missing, "{}"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing.toString());
  }

  @Test
  void whatAKilledWriterLeftIsTakenAway() throws IOException {
    Files.writeString(folder.resolve("report.html" + KILLED), "half of");
    WholeFile.write(file, "whole");
    assertThat(file).hasContent("whole");
    assertOnly("report.html");
  }

  @Test
  void aPartThatSomebodyWritesOrThatIsNotOursIsKept() throws IOException {
    Files.writeString(folder.resolve("summary.md" + KILLED), "of another file");
    Files.writeString(folder.resolve("report.html.partial"), "somebody's own");
    Files.createDirectory(
        folder.resolve("report.html.ffffffff-0a1b-4c3d-8e9f-001122334455.partial"));
    try (FileChannel other =
            FileChannel.open(
                folder.resolve("report.html" + KILLED),
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        FileLock lock = other.lock()) {
      WholeFile.write(file, "whole");
      assertThat(lock.isValid()).isTrue();
    }
    assertOnly(
        "report.html", "report.html" + KILLED, "report.html.partial", "summary.md" + KILLED,
        "report.html.ffffffff-0a1b-4c3d-8e9f-001122334455.partial");
  }

  private void assertOnly(String... names) {
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder(names);
  }

  private static void put(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
