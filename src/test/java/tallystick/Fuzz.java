package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Feeds a reader with inputs made from a seed until the time is over. An input that breaks the
 * reader is written to {@code target/fuzz}; mended, it belongs into the corpus.
 */
public final class Fuzz {
  /** Reads one input; throws what the reader's contract does not name. */
  public interface Reader {
    void read(byte[] input) throws Exception;
  }

  private static final Path CORPUS = Path.of("src/test/resources/corpus");
  private static final long ORDINARY_SECONDS = 2;
  /** Six readers have one each, and -Pstress grows by no more than six minutes. */
  private static final long STRESS_SECONDS = 50;
  private static final long MOST_INPUT_SECONDS = 60;
  /** A reader may keep tables of its own; beyond them its memory follows the input's size. */
  private static final long FREE_BYTES = 64L << 20;
  private static final long BYTES_PER_INPUT_BYTE = 20_000;
  /** Seconds of the processor that any input may take, and each byte of it beside them. */
  private static final double FREE_SECONDS = 1;
  private static final double SECONDS_PER_INPUT_BYTE = 1e-4;
  /** Three for each of three doublings; linear time gives 8, quadratic time 64. */
  private static final double MOST_GROWTH = 27;
  /** Read before the compiler is done; how long they take says nothing of the reader. */
  private static final int COLD_INPUTS = 10_000;
  private static final int SMALL = 1 << 14;
  private static final int TRIES = 5;

  private final String name;
  private final FuzzInputs inputs;
  private final Reader reader;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private volatile byte[] current = new byte[0];
  private volatile long count;
  private volatile long seed;
  private volatile Throwable broken;
  private volatile double slowestSeconds;
  private volatile String slowest = "";

  /**
   * A reader and what it is fed with.
   *
   * @param name the reader's folder in the corpus
   */
  public Fuzz(String name, FuzzInputs inputs, Reader reader) {
    this.name = name;
    this.inputs = inputs;
    this.reader = reader;
  }

  /** The first inputs of one seed, the same in every build. */
  public void briefly() {
    run(Long.getLong("fuzz.seed", 1), Long.getLong("fuzz.brief", ORDINARY_SECONDS));
  }

  /** Inputs nobody has seen, so many seconds or inputs; a failure names the seed. */
  public void forLong() {
    long seconds = Long.getLong("fuzz.seconds", STRESS_SECONDS);
    run(Long.getLong("fuzz.seed", System.currentTimeMillis()), seconds);
  }

  /** Puts bytes into a file; to overwrite one can make the file system wait for its disk. */
  public static void put(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    Files.write(file, bytes);
  }

  /** What once broke the reader, or could have. */
  public void corpus() throws IOException {
    try (Stream<Path> files = Files.list(CORPUS.resolve(name))) {
      for (Path file : files.sorted().toList()) {
        current = Files.readAllBytes(file);
        try {
          checked(current);
        } catch (Exception | AssertionError | StackOverflowError e) {
          throw new AssertionError(file + " breaks the reader again", e);
        }
      }
    }
  }

  /**
   * A text of any length.
   *
   * @param piece what is repeated; {@code %d} in it is the number of the repetition
   */
  public record Growing(String before, String piece, String after) {
    /** A text of nothing but pieces. */
    public static Growing of(String piece) {
      return new Growing("", piece, "");
    }

    byte[] ofSize(int size) {
      StringBuilder text = new StringBuilder(before);
      for (int i = 0; text.length() < size; i++) {
        text.append(piece.replace("%d", Integer.toString(i)));
      }
      return text.append(after).toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Eight times the input takes about eight times the work, whatever is repeated. */
  public void growsInLine(List<Growing> texts) throws Exception {
    List<String> faults = new ArrayList<>();
    for (Growing text : texts) {
      byte[] small = text.ofSize(SMALL);
      byte[] large = text.ofSize(8 * SMALL);
      double growth = Double.MAX_VALUE;
      for (int i = 0; i < TRIES && growth > MOST_GROWTH; i++) {
        // A millisecond of start-up noise is not growth.
        growth = Math.min(growth, seconds(large, 1) / Math.max(1e-3, seconds(small, 3)));
      }
      if (growth > MOST_GROWTH) {
        faults.add(text + ": eight times the input, " + growth + " times the work");
      }
    }
    assertThat(faults).isEmpty();
  }

  /** The least of so many times; a first reading may be slow for reasons of its own. */
  private double seconds(byte[] input, int times) throws Exception {
    double least = Double.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long before = threads.getCurrentThreadCpuTime();
      reader.read(input);
      least = Math.min(least, (threads.getCurrentThreadCpuTime() - before) / 1e9);
    }
    return least;
  }

  private void run(long firstSeed, long seconds) {
    seed = firstSeed;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Thread worker = new Thread(() -> work(until), "fuzz-" + name);
    worker.setDaemon(true);
    worker.start();
    long seen = -1;
    long since = System.nanoTime();
    try {
      while (!worker.join(Duration.ofMillis(200))) {
        long now = count;
        since = now == seen ? since : System.nanoTime();
        seen = now;
        if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(MOST_INPUT_SECONDS)) {
          broken = new AssertionError("does not come back from an input");
          broken.setStackTrace(worker.getStackTrace());
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.out.println(
        "fuzz: " + name + ": " + count + " inputs of seed " + seed + "; slowest: " + slowest);
    if (broken != null) {
      throw new AssertionError(
          name + ", seed " + seed + ", input " + count + ", kept in " + kept(), broken);
    }
    assertThat(count).isPositive();
  }

  private void work(long until) {
    try {
      long most = Long.getLong("fuzz.inputs", Long.MAX_VALUE);
      while (System.nanoTime() < until && count < most) {
        current = inputs.make(new SplittableRandom(seed * 0x9E3779B97F4A7C15L + count));
        checked(current);
        count++;
      }
    } catch (Throwable e) {
      broken = e;
    }
  }

  private void checked(byte[] input) throws Exception {
    long before = threads.getCurrentThreadAllocatedBytes();
    long began = System.nanoTime();
    reader.read(input);
    double took = (System.nanoTime() - began) / 1e9;
    long used = threads.getCurrentThreadAllocatedBytes() - before;
    if (took > (count < COLD_INPUTS ? FREE_SECONDS : slowestSeconds)) {
      timed(input);
    }
    assertThat(used)
        .as("bytes asked for while reading %s bytes", input.length)
        .isLessThan(FREE_BYTES + BYTES_PER_INPUT_BYTE * input.length);
  }

  /** What took long may have waited for others, or for the compiler: it is read again. */
  private void timed(byte[] input) throws Exception {
    double least = seconds(input, 3);
    if (least > slowestSeconds) {
      slowestSeconds = least;
      slowest =
          String.format(
              Locale.ROOT, "%.1f ms for %d bytes, input %d", least * 1e3, input.length, count);
    }
    assertThat(least)
        .as("seconds of the processor for %s bytes", input.length)
        .isLessThan(FREE_SECONDS + SECONDS_PER_INPUT_BYTE * input.length);
  }

  private Path kept() {
    Path file = Path.of("target/fuzz", name + "-" + seed + "-" + count);
    try {
      Files.createDirectories(file.getParent());
      return Files.write(file, current);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
