package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The rows of one file of lines, decoded ahead on other threads, on one of them where a line may
 * need another, and always handed over on the caller's thread in the order of the file. A few
 * blocks are in memory at a time, whatever the file's size.
 *
 * @param file where the lines lie
 * @param parser makes a row of a line
 * @param faults what could not be read is named there
 */
record RowFile<T>(Path file, LineParser<T> parser, RowFaults faults) {
  private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors());
  private static final int SPARE_BLOCKS = 2;

  /** Of rows read in turn: a scrape takes 30 KB where its line of what changed takes a hundred. */
  private static final int SMALL_BLOCK = 1 << 17;

  /** What a line says; empty for a line that is no row of its own. */
  interface LineParser<T> {
    Optional<T> parse(byte[] bytes, int from, int length) throws IOException;
  }

  /** The rows of a block, its lines that are none, and those that are not as they were written. */
  private record Decoded<T>(
      List<T> rows, List<RowFaults.BadLine> badLines, List<LineSums.Changed> changed, long lines) {}

  /** Decodes ahead on one thread, because a line may need those before it. */
  void eachInTurn(Consumer<T> reader) throws IOException {
    each(1, reader);
  }

  /** The same without the lines that have come before. */
  void eachOnce(Consumer<T> reader) throws IOException {
    once().eachInTurn(reader);
  }

  /** The same file without the lines that have come before; to be read in turn, and once. */
  RowFile<T> once() {
    SeenLines seen = new SeenLines();
    LineParser<T> once =
        (bytes, from, length) -> {
          if (seen.isNew(bytes, from, length)) {
            return parser.parse(bytes, from, length);
          }
          faults.addRepeated();
          return Optional.empty();
        };
    return new RowFile<>(file, once, faults);
  }

  /** Decodes ahead on all cores; {@code parser} must not keep anything. */
  void eachAhead(Consumer<T> reader) throws IOException {
    each(THREADS, reader);
  }

  private void each(int threads, Consumer<T> reader) throws IOException {
    ArrayDeque<Future<Decoded<T>>> ahead = new ArrayDeque<>();
    long lines = 0;
    int blockSize = threads == 1 ? SMALL_BLOCK : LineBlocks.BLOCK;
    try (LineBlocks blocks = new LineBlocks(file, blockSize);
        ExecutorService decoders = Executors.newFixedThreadPool(threads, RowFile::decoder)) {
      try {
        readAhead(blocks, decoders, threads, ahead);
        while (!ahead.isEmpty()) {
          Decoded<T> decoded = await(ahead.remove());
          readAhead(blocks, decoders, threads, ahead);
          lines += handOver(decoded, lines, reader);
        }
      } finally {
        decoders.shutdownNow();
      }
    }
  }

  private void readAhead(
      LineBlocks blocks, ExecutorService decoders, int threads,
      ArrayDeque<Future<Decoded<T>>> ahead)
      throws IOException {
    while (ahead.size() < threads + SPARE_BLOCKS) {
      Optional<LineBlocks.Block> block = blocks.next();
      if (block.isEmpty()) {
        return;
      }
      ahead.add(decoders.submit(() -> decode(block.get())));
    }
  }

  private static Thread decoder(Runnable work) {
    Thread thread = new Thread(work, "decode-rows");
    thread.setDaemon(true);
    return thread;
  }

  private static <T> Decoded<T> await(Future<Decoded<T>> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a record was read", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Hands over the rows of the next block; returns how many lines it has. */
  long handOver(LineBlocks.Block block, long linesBefore, Consumer<T> reader) {
    return handOver(decode(block), linesBefore, reader);
  }

  private long handOver(Decoded<T> decoded, long linesBefore, Consumer<T> reader) {
    decoded.badLines().forEach(line -> faults.add(line.after(linesBefore)));
    decoded.changed().forEach(lines -> faults.add(lines.after(linesBefore)));
    decoded.rows().forEach(reader);
    return decoded.lines();
  }

  private Decoded<T> decode(LineBlocks.Block block) {
    List<T> rows = new ArrayList<>();
    List<RowFaults.BadLine> badLines = new ArrayList<>();
    LineSums sums = new LineSums(block);
    long number = 0;
    int from = 0;
    while (from < block.length()) {
      int end = endOfLine(block, from);
      number++;
      sums.add(number, from, end);
      try {
        parser.parse(block.bytes(), from, end - from).ifPresent(rows::add);
      } catch (JsonProcessingException e) {
        badLines.add(new RowFaults.BadLine(number, ""));
      } catch (IOException e) {
        badLines.add(new RowFaults.BadLine(number, String.valueOf(e.getMessage())));
      } catch (RuntimeException e) {
        // Its message speaks of our code, and the JVM leaves it out where it throws often.
        badLines.add(new RowFaults.BadLine(number, "a field does not hold what it should"));
      }
      from = end + 1;
    }
    return new Decoded<>(rows, badLines, sums.changed(number), number);
  }

  private static int endOfLine(LineBlocks.Block block, int from) {
    int end = from;
    while (end < block.length() && block.bytes()[end] != '\n') {
      end++;
    }
    return end;
  }
}
