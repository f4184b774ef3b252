package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The rows of one file, one at a time on the asker's thread. Holds one block of the file. Not safe
 * for use by several threads.
 */
public final class RowCursor<T> implements AutoCloseable {
  private final RowFile<T> file;
  private final Optional<LineBlocks> blocks;
  private final Deque<T> rows = new ArrayDeque<>();
  private long lines;

  RowCursor(RowFile<T> file) throws IOException {
    this.file = file;
    if (Files.exists(file.file())) {
      blocks = Optional.of(new LineBlocks(file.file(), LineBlocks.BLOCK));
    } else {
      blocks = Optional.empty();
      file.faults().missing();
    }
  }

  /** The next row, which stays the next; empty at the end. */
  public Optional<T> peek() throws IOException {
    while (rows.isEmpty() && blocks.isPresent()) {
      Optional<LineBlocks.Block> block = blocks.get().next();
      if (block.isEmpty()) {
        return Optional.empty();
      }
      lines += file.handOver(block.get(), lines, rows::add);
    }
    return Optional.ofNullable(rows.peek());
  }

  /** Goes on to the row after the next. */
  public void advance() {
    rows.remove();
  }

  @Override
  public void close() throws IOException {
    if (blocks.isPresent()) {
      blocks.get().close();
    }
  }
}
