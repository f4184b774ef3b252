package tallystick.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Java remembers of a start of the load process: its classes, read and checked. The first run
 * of a jar makes it, the next ones use it. Why no AOT cache: docs/decisions/run-load-process.md.
 */
final class LoadMemory {
  private static final Pattern UNFINISHED = Pattern.compile("load-.+\\.cache\\.([0-9]{1,18})");

  private final Path memory;
  private final Path fresh;
  private final List<String> flags;

  private LoadMemory(Path memory, Path fresh, List<String> flags) {
    this.memory = memory;
    this.fresh = fresh;
    this.flags = flags;
  }

  /** The memory beside a jar; of classes in folders Java remembers nothing. */
  static LoadMemory of(String classPath) {
    Path jar = Path.of(classPath).toAbsolutePath();
    Path memory = jar.resolveSibling("load-" + Runtime.version() + ".cache");
    Path fresh = jar.resolveSibling(memory.getFileName() + "." + ProcessHandle.current().pid());
    List<String> flags = flags(jar, memory, fresh);
    if (!flags.isEmpty()) {
      dropUnfinished(jar.getParent());
    }
    return new LoadMemory(memory, fresh, flags);
  }

  /** Whoever is killed while a memory is written leaves it behind, under a number of a process. */
  private static void dropUnfinished(Path folder) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "load-*.cache.*")) {
      for (Path file : all) {
        Matcher name = UNFINISHED.matcher(file.getFileName().toString());
        if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A run is no worse with them.
      return;
    }
  }

  private static List<String> flags(Path jar, Path memory, Path fresh) {
    try {
      if (!jar.toString().endsWith(".jar") || !Files.isRegularFile(jar)) {
        return List.of();
      }
      if (Files.exists(memory)
          && Files.getLastModifiedTime(memory).compareTo(Files.getLastModifiedTime(jar)) > 0) {
        // Java checks it first: a bit of it that changed would end the run in the middle.
        return List.of("-XX:SharedArchiveFile=" + memory, "-XX:+VerifySharedSpaces");
      }
      return Files.isWritable(jar.getParent())
          ? List.of("-XX:ArchiveClassesAtExit=" + fresh)
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the process is started with. */
  List<String> flags() {
    return flags;
  }

  /**
   * Keeps what the process made, once it has ended. Where that fails, the next run tries again.
   *
   * @param isWhole whether it ended by itself, so that what it made is whole
   */
  void keep(boolean isWhole) {
    try {
      if (isWhole && Files.exists(fresh)) {
        Files.move(fresh, memory, StandardCopyOption.ATOMIC_MOVE);
      }
      Files.deleteIfExists(fresh);
    } catch (IOException e) {
      // A run is no worse without it.
      return;
    }
  }
}
