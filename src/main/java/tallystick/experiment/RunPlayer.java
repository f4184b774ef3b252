package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import tallystick.analysis.result.RunAnalysis;
import tallystick.plan.Plan;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordReader;

/**
 * Plays an experiment's runs, each in a folder of its own.
 *
 * @param bench where they are played
 * @param parent the folder of their folders
 */
public record RunPlayer(TestBed bench, Path parent) {

  /**
   * A run that is finished.
   *
   * @param folder with its record
   * @param elapsedSeconds how long it took on the bench's own clock
   * @param isKept whether its record stays when it was read
   */
  public record Played(Path folder, double elapsedSeconds, boolean isKept) {
    /** Its page, seen from the experiment's folder; empty where it has none. */
    public String page() {
      return isKept
          ? folder.getParent().getFileName() + "/" + folder.getFileName() + "/report.html"
          : "";
    }

    /**
     * Its record.
     *
     * @throws IOException if it cannot be read
     */
    public RecordReader record() throws IOException {
      return RecordReader.open(folder);
    }
  }

  /**
   * Plays a plan. What an interrupted run of the same name left stays beside it, and its load
   * process may still be writing there; where the bench gives the same record again, it is deleted.
   *
   * @return empty if somebody interrupted it
   * @throws IOException if the disk or the server fails
   */
  public Optional<Played> play(Plan plan, String name) throws IOException, InterruptedException {
    Path folder = fresh(name);
    OptionalDouble elapsed;
    HowFar.ofRuns(1); // what was read of the run before is no account of this one
    try {
      elapsed = bench.play(plan, folder);
    } catch (EngineFailure e) {
      throw e.in(name);
    }
    return elapsed.isPresent()
        ? Optional.of(new Played(folder, elapsed.getAsDouble(), !bench.isRepeatable()))
        : Optional.empty();
  }

  /** Reads a finished run. */
  public interface Reading<T> {
    /**
     * Reads it.
     *
     * @throws IOException if its record cannot be read
     */
    Read<T> of(Played played) throws IOException;
  }

  /**
   * What was read from a finished run.
   *
   * @param result what an experiment takes from it
   * @param analysis what its page says
   */
  public record Read<T>(T result, RunAnalysis analysis) {
    /** The same run, of which something else is taken. */
    public <U> Read<U> as(Function<T, U> taken) {
      return new Read<>(taken.apply(result), analysis);
    }
  }

  /**
   * Plays a plan and reads what it showed. Its record is discarded where that is possible; else it
   * gets a page.
   *
   * @return empty if somebody interrupted it
   * @throws IOException if the disk or the server fails
   */
  public <T> Optional<T> read(Plan plan, String name, Reading<T> reading)
      throws IOException, InterruptedException {
    Optional<Played> played = play(plan, name);
    if (played.isEmpty()) {
      return Optional.empty();
    }
    Read<T> read = reading.of(played.get());
    if (played.get().isKept()) {
      bench.present(read.analysis(), played.get().folder());
    } else {
      delete(played.get().folder());
    }
    return Optional.of(read.result());
  }

  private Path fresh(String name) throws IOException {
    Files.createDirectories(parent);
    Path fresh = parent.resolve(name);
    if (bench.isRepeatable()) {
      delete(fresh);
    }
    for (int attempt = 2; Files.exists(fresh); attempt++) {
      fresh = parent.resolve(name + "-" + attempt);
    }
    return Files.createDirectory(fresh);
  }

  private static void delete(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
