package tallystick.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadMemoryTest {
  private static final String LOADED = Main.class.getName() + " source: ";

  @TempDir Path folder;

  /** What the process under test does: it ends as the load process does. */
  static final class Main {
    public static void main(String[] arguments) {
      Runtime.getRuntime().halt(0);
    }
  }

  @Test
  void theSecondStartReadsItsClassesFromWhatTheFirstLeft() throws Exception {
    Path jar = jar();
    assertThat(started(jar, true)).contains(LOADED).doesNotContain(LOADED + "shared");
    assertThat(started(jar, true)).contains(LOADED + "shared");
  }

  @Test
  void anotherJarIsNotStartedFromTheMemoryOfTheOneBefore() throws Exception {
    Path jar = jar();
    started(jar, true);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(started(jar, true)).contains(LOADED).doesNotContain(LOADED + "shared");
  }

  @Test
  void whatAKilledProcessLeftIsNotKept() throws Exception {
    started(jar(), false);
    assertThat(folder.toFile().list()).containsExactly("some.jar");
  }

  @Test
  void whatTheDeadLeftIsDroppedAndWhatTheLivingWriteIsNot() throws Exception {
    Path jar = jar();
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    String unfinished = "load-" + Runtime.version() + ".cache.";
    Path left = Files.writeString(folder.resolve(unfinished + dead.pid()), "half");
    Path ofOther = Files.writeString(folder.resolve("load-21.0.1+9.cache." + dead.pid()), "half");
    long alive = ProcessHandle.current().pid();
    Path written = Files.writeString(folder.resolve(unfinished + alive), "half");
    Path kept = Files.writeString(folder.resolve(unfinished + "txt"), "not ours");

    LoadMemory.of(jar.toString());

    assertThat(left).doesNotExist();
    assertThat(ofOther).doesNotExist();
    assertThat(written).exists();
    assertThat(kept).exists();
  }

  @Test
  void aDamagedMemoryDoesNoHarm() throws Exception {
    Path jar = jar();
    Files.writeString(folder.resolve("load-" + Runtime.version() + ".cache"), "not a memory");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH));
    assertThat(started(jar, true)).contains(LOADED).doesNotContain(LOADED + "shared");
  }

  @Test
  void classesInFoldersAreNotRemembered() throws IOException {
    assertThat(LoadMemory.of(folder + ":" + jar() + ":" + folder).flags()).isEmpty();
    assertThat(LoadMemory.of(folder.toString()).flags()).isEmpty();
    assertThat(LoadMemory.of(folder.resolve("no.jar").toString()).flags()).isEmpty();
  }

  private Path jar() throws IOException {
    Path jar = folder.resolve("some.jar");
    String name = Main.class.getName().replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        InputStream bytes = Main.class.getClassLoader().getResourceAsStream(name)) {
      entries.putNextEntry(new JarEntry(name));
      bytes.transferTo(entries);
    }
    return jar;
  }

  private String started(Path jar, boolean isWhole) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseZGC");
    LoadMemory memory = LoadMemory.of(jar.toString());
    command.addAll(memory.flags());
    command.addAll(List.of("-Xlog:class+load:stdout", "-cp", jar.toString(), Main.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
    memory.keep(isWhole);
    return said;
  }
}
