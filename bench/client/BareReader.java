import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at a constant rate on warm connections and stamps tokens, with bare sockets.
 *
 * <pre>java BareReader PORT OUT RATE SECONDS TOKENS STREAMS [fresh]</pre>
 *
 * One line for each request in OUT: id, then System.nanoTime() of: intended start, request written,
 * each token. With "fresh" each request connects first, inside its time. Before that every connection plays short requests: sockets and code are warm.
 */
final class BareReader {
  private static final int WARM_ROUNDS = 40;
  private static final int WARM_TOKENS = 32;

  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final CountDownLatch left;
  private final int port;
  private final int tokens;
  private final boolean isFresh;

  private BareReader(int port, int tokens, int requests, boolean isFresh) {
    this.isFresh = isFresh;
    this.port = port;
    this.tokens = tokens;
    this.left = new CountDownLatch(requests);
  }

  private record Job(String id, long intended) {}

  private final class Worker extends Thread {
    private volatile Job job;

    Worker() {
      super(null, null, "reader", 256 * 1024);
      setDaemon(true);
    }

    void give(Job next) {
      job = next;
      LockSupport.unpark(this);
    }

    @Override
    public void run() {
      try (BareConnection connection = new BareConnection(port, "/v1/completions")) {
        warm();
        while (true) {
          idle.push(this);
          while (job == null) {
            LockSupport.park();
          }
          Job now = job;
          job = null;
          lines.add(line(now, isFresh ? fresh(now) : connection.play(now.id(), tokens)));
          left.countDown();
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private long[] fresh(Job job) throws IOException {
      try (BareConnection connection = new BareConnection(port, "/v1/completions")) {
        return connection.play(job.id(), tokens);
      }
    }

    private void warm() throws IOException {
      try (BareConnection fast = new BareConnection(port, "/pace/0/0/v1/completions")) {
        for (int i = 0; i < WARM_ROUNDS; i++) {
          fast.play("warm", WARM_TOKENS);
        }
      }
    }
  }

  private static String line(Job job, long[] moments) {
    StringBuilder line = new StringBuilder(job.id()).append(' ').append(job.intended());
    for (long moment : moments) {
      line.append(' ').append(moment);
    }
    return line.append('\n').toString();
  }

  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    double rate = Double.parseDouble(words.get(2));
    int requests = (int) (rate * Double.parseDouble(words.get(3)));
    int tokens = Integer.parseInt(words.get(4));
    int workers = Integer.parseInt(words.get(5)) * 5 / 4 + 8;
    boolean isFresh = words.size() > 6;
    BareReader reader =
        new BareReader(Integer.parseInt(words.get(0)), tokens, requests, isFresh);
    for (int i = 0; i < workers; i++) {
      reader.new Worker().start();
    }
    while (reader.idle.size() < workers) {
      LockSupport.parkNanos(10_000_000L);
    }
    Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
    long origin = System.nanoTime() + 200_000_000L;
    for (int i = 0; i < requests; i++) {
      long intended = origin + (long) (i / rate * 1e9);
      for (long wait = intended - System.nanoTime(); wait > 0; ) {
        LockSupport.parkNanos(wait);
        wait = intended - System.nanoTime();
      }
      Worker worker = reader.idle.poll();
      if (worker == null) {
        throw new IllegalStateException("no idle connection is left: raise STREAMS");
      }
      worker.give(new Job("bare-" + i, intended));
    }
    reader.left.await();
    try (BufferedWriter out = Files.newBufferedWriter(Path.of(words.get(1)))) {
      for (String line : reader.lines) {
        out.write(line);
      }
    }
  }
}
