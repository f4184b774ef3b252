package tallystick.runrecord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What the manifest of a closed record says of the files beside it: how long each is, and the
 * checksum it ends with; that of the whole file where its lines carry none.
 *
 * @param isCarried whether the record carries checksums at all; those before format 2 do not
 * @param files by name; empty while nobody has closed the record
 */
record RecordSums(boolean isCarried, Map<String, JsonNode> files) {
  private static final String FILES = "files";
  private static final int FIRST_FORMAT = 2;
  private static final int PIECE = 1 << 16;

  /** The files that are there, for a manifest to be written beside them. */
  static void addTo(ObjectNode manifest, Path folder) throws IOException {
    ObjectNode files = manifest.putObject(FILES);
    for (Path file : new RecordFiles(folder).lasting()) {
      if (Files.isRegularFile(file)) {
        files
            .putObject(file.getFileName().toString())
            .put("bytes", Files.size(file))
            .put("sum", sum(file));
      }
    }
  }

  /** What a manifest says; empty where it cannot be read. */
  static Optional<RecordSums> read(Path manifest) {
    try {
      JsonNode tree = RecordJson.MAPPER.readTree(RecordFiles.regular(manifest).toFile());
      Map<String, JsonNode> files = new TreeMap<>();
      tree.path(FILES).properties().forEach(file -> files.put(file.getKey(), file.getValue()));
      boolean isCarried =
          tree.path("format_version").asInt() >= FIRST_FORMAT || tree.has("sum") || tree.has(FILES);
      return Optional.of(new RecordSums(isCarried, files));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Which files differ from what their manifest says, the manifest among them. */
  static List<String> changes(RecordFiles files) throws IOException {
    List<String> changes = new ArrayList<>();
    Optional<RecordSums> said = read(files.manifest());
    if (said.isEmpty() || !said.get().isCarried()) {
      return changes;
    }
    for (Path file : List.of(files.manifest(), files.shard())) {
      if (Files.isRegularFile(file) && !Seal.holds(Files.readAllBytes(file))) {
        changes.add(file.getFileName() + " is not as it was written");
      }
    }
    for (Path file : files.lasting()) {
      JsonNode of = said.get().files().get(file.getFileName().toString());
      if (of != null) {
        change(file, of).ifPresent(changes::add);
      } else if (!said.get().files().isEmpty() && Files.exists(file)) {
        changes.add(file.getFileName() + " was not there when the record was closed");
      }
    }
    return changes;
  }

  private static Optional<String> change(Path file, JsonNode said) throws IOException {
    String name = file.getFileName().toString();
    if (!Files.isRegularFile(file)) {
      return Optional.of(name + " is missing");
    }
    long bytes = said.path("bytes").asLong();
    if (Files.size(file) != bytes) {
      return Optional.of(name + " has " + Files.size(file) + " bytes; " + bytes + " were written");
    }
    return sum(file).equals(said.path("sum").asText())
        ? Optional.empty()
        : Optional.of(name + " does not end as it was written");
  }

  /** The checksum at the end of a file, or that of all its bytes. */
  private static String sum(Path file) throws IOException {
    byte[] end = new byte[Seal.LENGTH + 2];
    try (FileChannel channel = FileChannel.open(file)) {
      long from = Math.max(0, channel.size() - end.length);
      int length = channel.read(ByteBuffer.wrap(end), from);
      boolean isLine = length > 0 && end[length - 1] == '\n';
      int digits = Seal.digits(end, 0, isLine ? length - 1 : length);
      return digits < 0 ? wholeSum(file) : Seal.text(end, digits);
    }
  }

  private static String wholeSum(Path file) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] piece = new byte[PIECE];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        sum.update(piece, 0, read);
      }
    }
    return Seal.text(sum);
  }
}
