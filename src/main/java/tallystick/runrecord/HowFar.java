package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import tallystick.scenario.Formatted;

/**
 * How far this process has come with what takes long, in words for somebody who waits: reading
 * records, or playing a run in virtual time. Safe for several threads.
 */
public final class HowFar {
  /** The first moments tell little of the rest. */
  private static final double TELLING = 0.05;

  private static final LinkedHashMap<Path, Long> READ = new LinkedHashMap<>();
  private static long bytesOfLast;
  private static int expected = 1;
  private static String doing = "";
  private static double simulated = -1;
  private static long begunNanos;

  private HowFar() {}

  /** So many runs are going to be read, one after the other. */
  public static synchronized void ofRuns(int count) {
    READ.clear();
    simulated = -1;
    expected = Math.max(1, count);
  }

  /** One of the runs need not be read. */
  public static synchronized void oneRunLess() {
    expected = Math.max(1, expected - 1);
  }

  /** The share of a simulated run's requests that were sent. */
  public static void simulated(double share) {
    of("simulating", share);
  }

  /** The share that is done of something that takes long. */
  public static synchronized void of(String what, double share) {
    if (share < simulated || simulated < 0) {
      begunNanos = System.nanoTime();
    }
    READ.clear();
    doing = what;
    simulated = share;
  }

  /** Some bytes of a file of a record were read. */
  static synchronized void read(Path file, long bytes) {
    if (!hasRows(file)) {
      return;
    }
    Path record = file.toAbsolutePath().getParent();
    if (!READ.containsKey(record)) {
      if (READ.size() >= expected) {
        READ.clear();
      }
      begunNanos = READ.isEmpty() ? System.nanoTime() : begunNanos;
      bytesOfLast = rows(new RecordFiles(record));
    }
    simulated = -1;
    READ.merge(record, bytes, Long::sum);
  }

  /** The plan is read only now and then, and so is left out of what is counted. */
  private static boolean hasRows(Path file) {
    return file.toString().endsWith(".ndjson");
  }

  private static long rows(RecordFiles files) {
    long bytes =
        files.lasting().stream().filter(HowFar::hasRows).mapToLong(HowFar::sizeIfThere).sum();
    return Math.max(1, bytes);
  }

  /** Of no use but to say how far it is: what cannot be asked counts as empty. */
  private static long sizeIfThere(Path file) {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** {@code reading run 3 of 4, 62 %, 20 s left}; empty where nothing of the kind goes on. */
  public static synchronized String words() {
    if (simulated >= 0) {
      return doing + left(simulated);
    }
    if (READ.isEmpty()) {
      return "";
    }
    double within = Math.min(1, READ.lastEntry().getValue() / (double) bytesOfLast);
    double share = (READ.size() - 1 + within) / expected;
    String which = expected == 1 ? "the run" : "run " + READ.size() + " of " + expected;
    return share >= 1 ? "read, working on the answer" : "reading " + which + left(share);
  }

  private static String left(double share) {
    double elapsed = (System.nanoTime() - begunNanos) / 1e9;
    return share < TELLING
        ? ""
        : Formatted.of(
            ", %.0f %%, %.0f s left", Math.floor(100 * share),
            Math.ceil(elapsed * (1 - share) / share));
  }
}
