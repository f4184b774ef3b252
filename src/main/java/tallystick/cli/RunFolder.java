package tallystick.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import tallystick.runrecord.RecordReader;

/** Folders of runs; a new one is {@code reports/<scenario>-<UTC time>-<nonce>}. */
final class RunFolder {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private RunFolder() {}

  /**
   * Makes the folder.
   *
   * @throws IOException if it cannot be made
   */
  static Path create(Path parent, String scenario, String nonce, Clock clock) throws IOException {
    Files.createDirectories(parent);
    String name =
        scenario.replaceAll("[^A-Za-z0-9._-]+", "-")
            + "-" + TIME.format(clock.instant())
            + "-" + nonce.substring(0, 4);
    Path folder = parent.resolve(name);
    if (Files.exists(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    return Files.createDirectory(folder);
  }

  /**
   * The records of several runs.
   *
   * @throws IOException if one cannot be read
   */
  static List<RecordReader> open(List<Path> folders) throws IOException {
    List<RecordReader> records = new ArrayList<>();
    for (Path folder : folders) {
      records.add(RecordReader.open(folder));
    }
    return records;
  }
}
