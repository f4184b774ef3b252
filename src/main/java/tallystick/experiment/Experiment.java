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
   * What it knows its journal by.
   *
   * @throws IOException if a file of the scenario cannot be read
   */
  Memory<?> memory() throws IOException;

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
