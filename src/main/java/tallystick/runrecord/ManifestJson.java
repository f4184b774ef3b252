package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * {@code manifest.json}: replaced as a whole, so that a reader never meets half of one; written
 * over only where there is no room beside it.
 */
public final class ManifestJson {
  private ManifestJson() {}

  /** Writes a manifest over the one that lies there. */
  public static void write(Manifest manifest, Path file) throws IOException {
    ObjectNode tree = RecordJson.MAPPER.valueToTree(manifest);
    if (manifest.ending().state() != Manifest.Ending.State.OPEN) {
      RecordSums.addTo(tree, file.toAbsolutePath().getParent());
    }
    byte[] text =
        Seal.sealed(RecordJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree));
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Disk disk = new Disk(manifest);
      try (FileChannel channel =
          FileChannel.open(
              fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writeAll(channel, text);
        disk.sync(channel);
      }
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      disk.syncFolder(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      writeOver(file, text, e);
    }
  }

  /** On a full disk the blocks of the old manifest still hold the new one. */
  private static void writeOver(Path file, byte[] text, IOException why) throws IOException {
    if (!Files.exists(file)) {
      throw why;
    }
    try (FileChannel old = FileChannel.open(file, StandardOpenOption.WRITE)) {
      writeAll(old, text);
      old.truncate(text.length);
    }
  }

  private static void writeAll(FileChannel channel, byte[] text) throws IOException {
    for (ByteBuffer left = ByteBuffer.wrap(text); left.hasRemaining(); ) {
      channel.write(left);
    }
  }

  /**
   * Reads a manifest.
   *
   * @throws IOException if there is none, it is damaged, or a newer format wrote it
   */
  public static Manifest read(Path file) throws IOException {
    try {
      JsonNode tree = RecordJson.MAPPER.readTree(RecordFiles.regular(file).toFile());
      if (!tree.isObject()) {
        throw new DamagedFileException(file.getFileName() + " holds no JSON object", null);
      }
      int version = tree.path("format_version").asInt(0);
      if (version > Manifest.CURRENT_FORMAT) {
        throw new IOException(
            file + " has format version " + version + ", this build reads up to "
                + Manifest.CURRENT_FORMAT + ": use a newer tally");
      }
      return RecordJson.whole(tree, Manifest.class);
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new DamagedFileException(file.getFileName() + " is missing", e);
    } catch (JsonProcessingException e) {
      throw new DamagedFileException(file.getFileName() + " is damaged", e);
    }
  }
}
