package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Held while a process works in an experiment's folder; the system gives it back for the dead. */
final class FolderLock implements AutoCloseable {
  private static final String FILE = "journal.lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * The folder's lock; empty where another one holds it.
   *
   * @throws IOException if its file cannot be written
   */
  static Optional<FolderLock> of(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return Optional.of(new FolderLock(channel));
      }
    } catch (OverlappingFileLockException e) {
      // Another thread of this process holds it.
    }
    channel.close();
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
