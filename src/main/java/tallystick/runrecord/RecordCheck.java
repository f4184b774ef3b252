package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a record is whole and as it was written, asked of each byte that carries a checksum.
 *
 * @param state what its checksums allow to say
 * @param changes what is not as it was written, one sentence each
 * @param files that carry checksums, the manifest among them
 * @param bytes of these files
 */
public record RecordCheck(State state, List<String> changes, int files, long bytes) {

  /** What can be said of a record. */
  public enum State {
    WHOLE,
    CHANGED,
    /** Nobody closed it, so nobody wrote down where its files end; every line is as written. */
    OPEN,
    /** It was written before records carried checksums. */
    UNKNOWN
  }

  /**
   * Reads a record, or a shard's.
   *
   * @throws IOException if there is none, or a file of it cannot be read
   */
  public static RecordCheck of(Path runFolder) throws IOException {
    RecordFiles files = RecordFiles.ofRun(runFolder);
    if (!Files.exists(files.manifest()) && !Files.exists(files.requests())) {
      throw NoRecordException.at(runFolder);
    }
    Optional<RecordSums> said = RecordSums.read(files.manifest());
    List<String> changes = new ArrayList<>(RecordSums.changes(files));
    if (said.isEmpty()) {
      changes.add("manifest.json is missing or damaged: what was written is not known");
    }
    int count = 1;
    long bytes = Files.exists(files.manifest()) ? Files.size(files.manifest()) : 0;
    for (Path file : files.lasting()) {
      if (Files.isRegularFile(file)) {
        RowFaults faults = new RowFaults(file.getFileName().toString());
        new RowFile<>(file, (line, from, length) -> Optional.empty(), faults).eachAhead(row -> {});
        changes.addAll(faults.changes());
        count++;
        bytes += Files.size(file);
      }
    }
    return new RecordCheck(state(said, changes), List.copyOf(changes), count, bytes);
  }

  private static State state(Optional<RecordSums> said, List<String> changes) {
    if (!changes.isEmpty()) {
      return State.CHANGED;
    }
    if (!said.orElseThrow().isCarried()) {
      return State.UNKNOWN;
    }
    return said.orElseThrow().files().isEmpty() ? State.OPEN : State.WHOLE;
  }
}
