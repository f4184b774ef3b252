package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code shard.json}: there only in the record of a shard. */
public final class ShardJson {
  private ShardJson() {}

  /** Writes which part a record holds. */
  public static void write(Shard shard, Path file) throws IOException {
    byte[] text = RecordJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(shard);
    WholeFile.write(file, out -> out.write(Seal.sealed(text)));
  }

  /**
   * Which part a record holds; empty for a whole run.
   *
   * @throws DamagedFileException if the file is there and does not tell
   */
  public static Optional<Shard> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Shard shard = RecordJson.MAPPER.readValue(RecordFiles.regular(file).toFile(), Shard.class);
      if (shard == null) {
        throw new DamagedFileException(file + " is damaged", null);
      }
      return Optional.of(shard);
    } catch (JsonProcessingException e) {
      throw new DamagedFileException(file + " is damaged", e);
    }
  }
}
