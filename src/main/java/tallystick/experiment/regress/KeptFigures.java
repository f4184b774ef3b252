package tallystick.experiment.regress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.Journal;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.WholeFile;

/**
 * A run's figures in a file beside its record, so that nobody has to read a big record again for
 * them. They count only for the very files and the very build that they were worked out with.
 */
public final class KeptFigures {
  /** The file's name in the folder of a run. */
  public static final String FILE = "figures.json";

  /**
   * The file.
   *
   * @param build the classes that worked them out
   * @param record the files they were worked out from
   */
  private record Kept(String build, String record, ComparedRun figures) {}

  private KeptFigures() {}

  /**
   * The figures of the run of a folder: kept ones where they are current, else new ones, which are
   * kept where the folder can be written.
   *
   * @throws IOException if there is no record that can be read
   */
  public static ComparedRun of(Path folder) throws IOException {
    RecordReader record = RecordReader.open(folder);
    Optional<ComparedRun> kept = current(folder, record);
    if (kept.isPresent()) {
      HowFar.oneRunLess();
      return kept.get();
    }
    ComparedRun figures = FiguresReading.of(record);
    keep(folder, record, figures);
    return figures;
  }

  /** Keeps the figures of a record that was read to its end; a run is no worse without. */
  public static void keep(Path folder, RecordReader read, ComparedRun figures) {
    Optional<Kept> current = mark(folder, read, figures);
    // A record that is damaged says so each time it is read.
    if (current.isEmpty() || !read.faults().isEmpty()) {
      return;
    }
    try {
      WholeFile.write(folder.resolve(FILE), Journal.text(current.get()));
    } catch (IOException e) {
      // Whoever may not write there has to wait each time.
      return;
    }
  }

  private static Optional<ComparedRun> current(Path folder, RecordReader record) {
    Path file = folder.resolve(FILE);
    try {
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      Kept kept = Journal.MAPPER.readValue(Files.readString(file), Kept.class);
      return mark(folder, record, kept.figures())
          .filter(kept::equals)
          .map(Kept::figures)
          .filter(figures -> figures.runId().equals(record.manifest().runId()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What figures of these files and of this build are kept with; empty where they may not be. */
  private static Optional<Kept> mark(Path folder, RecordReader record, ComparedRun figures) {
    boolean isSound =
        record.manifest().ending().state() != Manifest.Ending.State.OPEN
            && record.unknowns().isEmpty()
            && record.changes().isEmpty();
    try {
      return BuildMark.OF.isPresent() && isSound
          ? Optional.of(new Kept(BuildMark.OF.get(), files(folder), figures))
          : Optional.empty();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** The manifest, which has the other files' checksums, and when each file was last written. */
  private static String files(Path folder) throws IOException {
    RecordFiles files = RecordFiles.ofRun(folder);
    StringBuilder all = new StringBuilder(Files.readString(files.manifest()));
    try (Stream<Path> found = Files.list(files.folder())) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        all.append(file.getFileName()).append(' ').append(Files.size(file)).append(' ')
            .append(Files.getLastModifiedTime(file));
      }
    }
    return Fingerprint.word(all.toString().getBytes(StandardCharsets.UTF_8));
  }
}
