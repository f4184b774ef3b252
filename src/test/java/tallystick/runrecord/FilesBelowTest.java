package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesBelowTest {
  private static final int READINGS = 2_000;

  @TempDir Path folder;

  @Test
  void whatComesAndGoesMeanwhileIsPassedOver() throws Exception {
    Path kept = write(folder.resolve("run").resolve("answers.json"));
    AtomicBoolean hasEnded = new AtomicBoolean();
    Callable<Integer> other = () -> comeAndGo(hasEnded);
    try (ExecutorService others = Executors.newSingleThreadExecutor()) {
      Future<Integer> times = others.submit(other);
      try {
        for (int i = 0; i < READINGS; i++) {
          assertThat(FilesBelow.named(folder, 3, "answers.json")).contains(kept);
        }
      } finally {
        hasEnded.set(true);
      }
      assertThat(times.get()).isPositive();
    }
  }

  private int comeAndGo(AtomicBoolean hasEnded) throws Exception {
    int times = 0;
    while (!hasEnded.get()) {
      for (int i = 0; i < 10; i++) {
        Path probe = write(folder.resolve("probe" + i).resolve("answers.json"));
        Path part = write(folder.resolve("index.html." + i + ".partial"));
        Files.delete(part);
        Files.delete(probe);
        Files.delete(probe.getParent());
      }
      times++;
    }
    return times;
  }

  @Test
  void noDeeperThanAskedAndNoLinks() throws Exception {
    write(folder.resolve("a").resolve("b").resolve("answers.json"));
    Path link = Files.createDirectories(folder.resolve("c")).resolve("answers.json");
    Files.createSymbolicLink(link, folder.resolve("a/b/answers.json"));
    assertThat(FilesBelow.named(folder, 2, "answers.json")).isEmpty();
    assertThat(FilesBelow.named(folder, 3, "answers.json")).hasSize(1);
  }

  @Test
  void theFolderItselfMayBeALink() throws Exception {
    write(folder.resolve("data").resolve("run").resolve("answers.json"));
    Path link = Files.createSymbolicLink(folder.resolve("reports"), folder.resolve("data"));
    assertThat(FilesBelow.named(link, 2, "answers.json"))
        .containsExactly(link.resolve("run").resolve("answers.json"));
  }

  @Test
  void aFolderThatIsNotThereIsTold() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> FilesBelow.named(none, 1, "answers.json"))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static Path write(Path file) throws Exception {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "{}");
  }
}
