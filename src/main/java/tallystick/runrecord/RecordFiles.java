package tallystick.runrecord;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the parts of a run record lie.
 *
 * @param folder the record's folder, {@code reports/<run>/record}
 */
public record RecordFiles(Path folder) {

  /** The record of the run whose output folder is {@code runFolder}. */
  public static RecordFiles ofRun(Path runFolder) {
    return new RecordFiles(runFolder.resolve("record"));
  }

  /** What the run was and how it ended. */
  public Path manifest() {
    return folder.resolve("manifest.json");
  }

  /** The resolved plan. */
  public Path plan() {
    return folder.resolve("plan.json");
  }

  /** One line for each finished request. */
  public Path requests() {
    return folder.resolve("requests.ndjson");
  }

  /** One line for each scrape, and one for each series when it first appears. */
  public Path scrapes() {
    return folder.resolve("scrapes.ndjson");
  }

  /** The same of the exporters; there only where a scenario names one. */
  public Path exporters() {
    return folder.resolve("exporters.ndjson");
  }

  /** One line for each thing the harness noted of itself. */
  public Path harness() {
    return folder.resolve("harness.ndjson");
  }

  /** One line for each span an engine sent; there only where one did. */
  public Path traces() {
    return folder.resolve("traces.ndjson");
  }

  /** Which part of a run the record holds; there only for a shard. */
  public Path shard() {
    return folder.resolve("shard.json");
  }

  /** The files of which the manifest says how they end. */
  List<Path> lasting() {
    return List.of(plan(), requests(), scrapes(), exporters(), harness(), traces());
  }

  /** Gatling's own log, kept as a witness. */
  public Path gatling() {
    return folder.resolve("gatling");
  }

  /** A stranger's record may hold a device or a pipe, which nobody reads to its end. */
  static Path regular(Path file) throws DamagedFileException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new DamagedFileException(file.getFileName() + " is not a regular file", null);
    }
    return file;
  }
}
