package tallystick.runrecord;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Waits until a record is on its disk, so that it outlives a machine that loses its power. A
 * virtual run can be played again, and nobody waits for it.
 */
record Disk(boolean isWaitedFor) {
  Disk(Manifest manifest) {
    this(manifest.source() != Manifest.Source.VIRTUAL);
  }

  void sync(FileChannel file) throws IOException {
    if (isWaitedFor) {
      file.force(false);
    }
  }

  /** The names of the files in it. */
  void syncFolder(Path folder) {
    if (!isWaitedFor) {
      return;
    }
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // Some systems open no folder; the files themselves are there.
      return;
    }
  }
}
