package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs planned one after another until they answer a question. What is finished stands in the
 * folder's journal: an interrupted experiment goes on there and ends as it would have ended.
 *
 * @param <A> the answer
 */
public interface Experiment<A> {

  /** Its word, for example {@code capacity}. */
  String name();

  /**
   * The journal of a new experiment in an empty folder.
   *
   * @throws IOException if it cannot be written
   */
  void begin(Path folder) throws IOException;

  /**
   * Why it cannot go on in a folder; empty if it can.
   *
   * @throws IOException if the journal cannot be read
   */
  Optional<String> mistakeIn(Path folder) throws IOException;

  /**
   * Goes on in a folder, from its last finished run to the answer or until somebody asks it to
   * stop; blocks.
   *
   * @return the answer, whose files are written; empty if it was stopped
   * @throws IOException if the disk or the server fails; the finished runs are kept
   */
  Optional<A> run(Path folder, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException;
}
