package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder that was named holds no run. */
public final class NoRecordException extends IOException {
  private static final long serialVersionUID = 1L;

  private NoRecordException(String message) {
    super(message);
  }

  /** It holds a part of a run that other machines have the rest of. */
  static NoRecordException ofShard(Path named, Shard shard) {
    return new NoRecordException(
        named + " holds " + shard.words() + ", not a whole run: join all of them"
            + " with ./tally merge FOLDER … --out RUN");
  }

  /** What lies there instead, and what to name. */
  static NoRecordException at(Path named) throws IOException {
    if (Files.isRegularFile(named)) {
      return new NoRecordException(named + " is a file; name a run's folder, below reports/");
    }
    if (!Files.isDirectory(named)) {
      return new NoRecordException(
          "there is no folder " + named + "; a run's folder lies below reports/");
    }
    Path absolute = named.toAbsolutePath().normalize();
    if (absolute.getParent() != null && isRun(absolute.getParent())) {
      Path parent = named.getParent() == null ? absolute.getParent() : named.getParent();
      return new NoRecordException(named + " is a part of a run; name the whole: " + parent);
    }
    return new NoRecordException(
        firstRun(named)
            .map(
                run ->
                    isShard(run)
                        ? named + " holds shards of a run: join them with ./tally merge " + named
                            + " --out RUN"
                        : named + " is not a run but holds some; name one, for example " + run)
            .orElse(
                named + " holds no run record: " + RecordFiles.ofRun(named).manifest()
                    + " is missing"));
  }

  private static Optional<Path> firstRun(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children
          .filter(NoRecordException::isRun)
          .sorted(Comparator.comparing(NoRecordException::isShard).thenComparing(run -> run))
          .findFirst();
    }
  }

  private static boolean isShard(Path folder) {
    return Files.exists(RecordFiles.ofRun(folder).shard());
  }

  private static boolean isRun(Path folder) {
    RecordFiles files = RecordFiles.ofRun(folder);
    return Files.exists(files.manifest()) || Files.exists(files.requests());
  }
}
