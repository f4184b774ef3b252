package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** {@code manifest.json}: replaced as a whole, so that a reader never meets half of one. */
public final class ManifestJson {
  private ManifestJson() {}

  /** Writes a manifest over the one that lies there. */
  public static void write(Manifest manifest, Path file) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    RecordJson.MAPPER.writerWithDefaultPrettyPrinter().writeValue(fresh.toFile(), manifest);
    Files.move(
        fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads a manifest.
   *
   * @throws IOException if there is none, or a newer format wrote it
   */
  public static Manifest read(Path file) throws IOException {
    Manifest manifest = RecordJson.MAPPER.readValue(file.toFile(), Manifest.class);
    if (manifest.formatVersion() > Manifest.CURRENT_FORMAT) {
      throw new IOException(
          file + " has format version " + manifest.formatVersion()
              + ", this build reads up to " + Manifest.CURRENT_FORMAT + ": use a newer tally");
    }
    return manifest;
  }
}
