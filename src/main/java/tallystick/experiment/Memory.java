package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What an experiment knows its own journal by.
 *
 * @param experiment its word, for example {@code capacity}
 * @param scenario name of the scenario
 * @param fingerprint of all that a decision depends on
 * @param type of what a finished run leaves
 */
public record Memory<E>(String experiment, String scenario, String fingerprint, Class<E> type) {

  /**
   * Begins the journal of a new experiment in an empty folder.
   *
   * @throws IOException if it cannot be written
   */
  public void begin(Path folder) throws IOException {
    Journal.begin(folder, this);
  }

  /**
   * The journal that a folder holds.
   *
   * @throws IllegalArgumentException if it is of another experiment
   * @throws IOException if it cannot be read
   */
  public Journal<E> resume(Path folder) throws IOException {
    return Journal.resume(folder, this);
  }

  /**
   * Why the experiment cannot go on in a folder; empty if it can.
   *
   * @throws IOException if the journal cannot be read
   */
  public Optional<String> mistakeIn(Path folder) throws IOException {
    try {
      resume(folder);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }
}
