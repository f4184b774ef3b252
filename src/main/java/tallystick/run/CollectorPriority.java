package tallystick.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets the threads of the collector (ZGC) give way to those that read streams, where the system is
 * Linux and has {@code renice}. Source: docs/decisions/run-load-process.md.
 */
final class CollectorPriority {
  /** How much nicer than the rest: a third of their share where all want the same core. */
  static final int NICE = 5;

  private static final int NICEST = 19; // Linux's bound

  /** The field of {@code stat} counted from 0 after the name, which may hold spaces; proc(5). */
  private static final int NICE_FIELD = 16;

  private static final Path OWN = Path.of("/proc/self/stat");
  private static final Path OWN_THREADS = Path.of("/proc/self/task");

  /** Of renice, which takes milliseconds; the load is measured without it, too. */
  private static final long PATIENCE_SECONDS = 5;

  private CollectorPriority() {}

  /** Threads that the collector starts later take after those that start them. */
  static void lower() throws InterruptedException {
    try {
      List<String> threads = collecting();
      if (!threads.isEmpty()) {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "" + nicer(), "-p"));
        command.addAll(threads);
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The load is measured without it too, and says how late it was.
      return;
    }
  }

  private static List<String> collecting() throws IOException {
    List<String> threads = new ArrayList<>();
    if (Files.isDirectory(OWN_THREADS)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(OWN_THREADS)) {
        for (Path thread : all) {
          String name = name(thread);
          if (name.startsWith("ZWorker") || name.startsWith("ZDriver")) {
            threads.add(thread.getFileName().toString());
          }
        }
      }
    }
    return threads;
  }

  /** Counted from how nice the process is as a whole. */
  private static int nicer() throws IOException {
    String stat = Files.readString(OWN);
    String own = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD];
    return Math.min(NICEST, Integer.parseInt(own) + NICE);
  }

  /** Of a thread that has just ended there is none. */
  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm"));
    } catch (IOException e) {
      return "";
    }
  }
}
