import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * CPU time, memory and threads for reading streams: N at once, all begun together, again and again.
 *
 * <pre>java ReadRounds KIND PORT STREAMS TTFT_MS ITL_MS TOKENS ROUNDS OUT</pre>
 *
 * KIND: one of {@link Readers#of}. First the code is warmed at full speed, then come ROUNDS rounds
 * of that pace (ITL 0: each token a write without pause, ITL -1: writes of 16 KiB). Prints a line;
 * OUT takes the moments of each token of paced rounds, as the server's log has them, "-" keeps
 * none. -Dwarm=false leaves the warming out.
 */
final class ReadRounds {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_EVENTS = 1_500_000;
  private static final int WARM_STREAMS = 64;
  private static final int WARM_TOKENS = 2_000;

  private ReadRounds() {}

  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    int port = Integer.parseInt(words.get(1));
    int streams = Integer.parseInt(words.get(2));
    int tokens = Integer.parseInt(words.get(5));
    String pace = "/pace/" + words.get(3) + "/" + words.get(4) + "/v1/completions";
    ConcurrentLinkedQueue<String> kept = new ConcurrentLinkedQueue<>();
    boolean keeps = !words.get(7).equals("-");
    try (Readers readers = Readers.of(words.get(0), port)) {
      if (!System.getProperty("warm", "true").equals("false")) {
        warm(readers, "/pace/0/-1/v1/completions", WARM_EVENTS);
        warm(readers, "/pace/0/0/v1/completions", WARM_EVENTS / 10);
        System.gc();
      }
      long cpu = SYSTEM.getProcessCpuTime();
      long allocated = THREADS.getTotalThreadAllocatedBytes();
      long wall = System.nanoTime();
      long events = 0;
      for (int i = 0; i < Integer.parseInt(words.get(6)); i++) {
        events += round(readers, pace, streams, tokens, keeps ? kept : null);
      }
      double seconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
      allocated = THREADS.getTotalThreadAllocatedBytes() - allocated;
      System.out.printf(
          Locale.ROOT, "%s streams=%d itl=%s events=%d cpu_s=%.3f cpu_us_per_event=%.2f "
              + "bytes_per_event=%d events_per_s=%.0f rss_mib=%.1f heap_mib=%.1f threads=%d%n",
          words.get(0), streams, words.get(4), events, seconds, seconds / events * 1e6,
          allocated / events, events / ((System.nanoTime() - wall) / 1e9), Peak.rss / 1024.0,
          Peak.heap / 1048576.0, Peak.threads);
    }
    if (keeps) {
      Files.write(Path.of(words.get(7)), kept);
    }
    System.exit(0);
  }

  private static void warm(Readers readers, String path, int events) throws Exception {
    for (int done = 0; done < events; done += WARM_STREAMS * WARM_TOKENS) {
      round(readers, path, WARM_STREAMS, WARM_TOKENS, null);
    }
  }

  /** Sizes while a round is in full swing; the largest seen. */
  private static final class Peak {
    private static long rss;
    private static long heap;
    private static int threads;

    static void look() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        String[] words = line.split("\\s+");
        if (words[0].equals("VmRSS:")) {
          rss = Math.max(rss, Long.parseLong(words[1]));
        } else if (words[0].equals("Threads:")) {
          threads = Math.max(threads, Integer.parseInt(words[1]));
        }
      }
      Runtime runtime = Runtime.getRuntime();
      heap = Math.max(heap, runtime.totalMemory() - runtime.freeMemory());
    }
  }

  private static long round(
      Readers readers, String path, int streams, int tokens, ConcurrentLinkedQueue<String> kept)
      throws Exception {
    CountDownLatch left = new CountDownLatch(streams);
    long[] seen = new long[streams];
    for (int i = 0; i < streams; i++) {
      int index = i;
      readers.start(
          path,
          tokens,
          (id, arrivals) -> {
            seen[index] = arrivals.length;
            if (kept != null) {
              StringBuilder line = new StringBuilder(id);
              for (long arrival : arrivals) {
                line.append(' ').append(arrival);
              }
              kept.add(line.toString());
            }
            left.countDown();
          });
    }
    while (!left.await(1, java.util.concurrent.TimeUnit.SECONDS)) {
      if (kept != null || streams > 64) {
        Peak.look();
      }
    }
    if (Arrays.stream(seen).anyMatch(count -> count != tokens)) {
      throw new IllegalStateException("a stream gave other than " + tokens + " tokens");
    }
    return Arrays.stream(seen).sum();
  }
}
