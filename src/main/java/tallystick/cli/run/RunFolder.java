package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.cli.exit.FailureWords;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.Shard;

/** Folders of runs; a new one is {@code reports/<scenario>-<UTC time>-<nonce>}. */
public final class RunFolder {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final int MOST_OF_ONE_NAME = 1_000;

  /** File systems take 255 bytes, and parts of files and shards add to it. */
  private static final int LONGEST_NAME = 120;

  private RunFolder() {}

  /**
   * Makes the folder. Where another run of the same second has its name, a number is added.
   *
   * @throws IOException if it cannot be made; its message names another way
   */
  public static Path create(Path parent, String scenario, String nonce, Clock clock)
      throws IOException {
    try {
      return createBelow(Files.createDirectories(parent), scenario, nonce, clock);
    } catch (FileSystemException e) {
      throw unwritable(parent, e);
    }
  }

  private static Path createBelow(Path parent, String scenario, String nonce, Clock clock)
      throws IOException {
    String name = name(scenario, nonce, clock.instant());
    for (int number = 1; number <= MOST_OF_ONE_NAME; number++) {
      Optional<Path> made = make(parent.resolve(number == 1 ? name : name + "-" + number));
      if (made.isPresent()) {
        return made.get();
      }
    }
    throw new IOException(
        parent + " has " + MOST_OF_ONE_NAME + " folders " + name + "; name another with --out");
  }

  /** What a run is called. */
  static String name(String scenario, String nonce, Instant begin) {
    String plain = scenario.replaceAll("[^A-Za-z0-9._-]+", "-");
    return plain.substring(0, Math.min(LONGEST_NAME, plain.length()))
        + "-" + TIME.format(begin)
        + "-" + nonce.substring(nonce.length() - 4);
  }

  /**
   * Makes the folder of a shard, {@code RUN-shard-0-of-3}.
   *
   * @throws IOException if it cannot be made, or is there already
   */
  static Path createShard(Path parent, String runId, Shard shard) throws IOException {
    String name = runId + "-" + shard.words().replace(' ', '-');
    try {
      Path folder = Files.createDirectories(parent).resolve(name);
      return make(folder)
          .orElseThrow(() -> new IOException(folder + " is there already: this shard has run"));
    } catch (FileSystemException e) {
      throw unwritable(parent, e);
    }
  }

  private static IOException unwritable(Path parent, FileSystemException failure) {
    return new IOException(
        parent + " cannot be written (" + FailureWords.reason(failure)
            + "): name another folder with --out",
        failure);
  }

  /** Makes a folder in one step, so that of two runs only one has it. */
  private static Optional<Path> make(Path folder) throws IOException {
    try {
      return Optional.of(Files.createDirectory(folder));
    } catch (FileAlreadyExistsException e) {
      return Optional.empty();
    }
  }

  /**
   * The records of several runs.
   *
   * @throws IOException if one cannot be read
   */
  public static List<RecordReader> open(List<Path> folders) throws IOException {
    HowFar.ofRuns(folders.size());
    List<RecordReader> records = new ArrayList<>();
    for (Path folder : folders) {
      records.add(RecordReader.open(folder));
    }
    return records;
  }
}
