package tallystick.runrecord;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file in blocks of whole lines, so that blocks can be decoded apart from each other. A line
 * longer than {@link #LONGEST_LINE} is handed over in pieces, none of which is a readable row.
 * Not safe for use by several threads.
 */
final class LineBlocks implements Closeable {
  /** No row is longer: a stream of a million chunks takes ten megabytes. */
  static final int LONGEST_LINE = 1 << 26;

  static final int BLOCK = 1 << 20;

  private final Path file;
  private final InputStream in;
  private final int blockSize;
  private byte[] rest = new byte[0];
  private Optional<byte[]> lead = Optional.of(new byte[0]);
  private boolean ended;

  /** Blocks of about so many bytes. */
  LineBlocks(Path file, int blockSize) throws IOException {
    this.file = file;
    this.in = Files.newInputStream(RecordFiles.regular(file));
    this.blockSize = (int) Math.min(blockSize, Files.size(file) + 1);
  }

  /**
   * Some whole lines; the last of a file may lack its newline.
   *
   * @param lead what stood between the digits of the last checksum and the block; empty where the
   *     line before it has none
   * @param isLast whether the file ends with it
   */
  record Block(byte[] bytes, int length, Optional<byte[]> lead, boolean isLast) {}

  /** The next block; empty at the end of the file. */
  Optional<Block> next() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    byte[] bytes = Arrays.copyOf(rest, Math.max(blockSize, rest.length * 2));
    int length = rest.length;
    while (!ended) {
      int read = in.readNBytes(bytes, length, bytes.length - length);
      int from = length;
      length += read;
      HowFar.read(file, read);
      ended = length < bytes.length;
      int lines = ended ? length : afterLastNewline(bytes, from, length);
      if (lines > 0 || length >= LONGEST_LINE) {
        int whole = lines > 0 ? lines : length;
        rest = Arrays.copyOfRange(bytes, whole, length);
        return whole == 0 ? Optional.empty() : Optional.of(block(bytes, whole));
      }
      bytes = ended ? bytes : Arrays.copyOf(bytes, bytes.length * 2);
    }
    return Optional.empty();
  }

  private Block block(byte[] bytes, int length) {
    Block block = new Block(bytes, length, lead, ended);
    int digits = Seal.digits(bytes, 0, length - 1);
    lead = digits < 0 ? Optional.empty() : Optional.of(Arrays.copyOfRange(bytes, digits, length));
    return block;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static int afterLastNewline(byte[] bytes, int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }
}
