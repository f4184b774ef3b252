package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tallystick.plan.Plan;
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
   */
  public record Played(Path folder, double elapsedSeconds) {

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
    try {
      elapsed = bench.play(plan, folder);
    } catch (EngineFailure e) {
      throw e.in(name);
    }
    return elapsed.isPresent()
        ? Optional.of(new Played(folder, elapsed.getAsDouble()))
        : Optional.empty();
  }

  /** What is read from a finished run. */
  public interface Reading<T> {
    /**
     * Reads it.
     *
     * @throws IOException if its record cannot be read
     */
    T of(Played played) throws IOException;
  }

  /**
   * Plays a plan, reads what it showed, and discards its record where that is possible.
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
    T read = reading.of(played.get());
    discard(played.get());
    return Optional.of(read);
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

  /** Deletes a record that playing its plan again would give once more; any other is kept. */
  private void discard(Played played) throws IOException {
    if (bench.isRepeatable()) {
      delete(played.folder());
    }
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
