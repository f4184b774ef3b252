package tallystick.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What one experiment has of its own: its question, and how it comes to an answer. What all have
 * (journal, budget, progress, stop and resume) is in {@link ExperimentLoop}.
 *
 * @param <E> what a finished run leaves in the journal
 * @param <A> the answer
 */
public interface Design<E extends JournalEntry, A> {

  /**
   * What it knows its journal by.
   *
   * @throws IOException if a file of the scenario cannot be read
   */
  JournalIdentity<E> identity() throws IOException;

  /** Time for all its runs. */
  Budget budget();

  /** What its runs are called. */
  default String runsName() {
    return "runs";
  }

  /**
   * Whether a run at the end of the journal is played again by whoever goes on, having mended what
   * spoiled it.
   *
   * @param done all finished runs, this one included
   * @param folder of the experiment
   */
  default boolean isPlayedAgain(E last, List<E> done, Path folder) {
    return false;
  }

  /**
   * Says which runs are played at this site; plays before what is only predicted.
   *
   * @param done the finished runs that are taken over
   * @return empty if somebody stopped it
   * @throws IOException if the disk fails
   */
  Optional<Course<E, A>> course(List<E> done, Site site) throws IOException, InterruptedException;

  /** One line on what the latest of these finished runs showed. */
  String line(List<E> done);

  /**
   * What comes next: a function of the finished runs alone, so that an experiment that was stopped
   * goes on as if it had not been.
   */
  interface Course<E, A> {
    /**
     * What comes after these finished runs.
     *
     * @throws IOException if a record cannot be read
     */
    Next<E, A> next(List<E> done) throws IOException;
  }

  /** What comes next. */
  sealed interface Next<E, A> {
    /**
     * A run.
     *
     * @param words what it is, for the line that says that it begins
     * @param run plays it
     */
    record Play<E, A>(String words, Stoppable<E> run) implements Next<E, A> {}

    /**
     * The end.
     *
     * @param answer makes the answer
     */
    record End<E, A>(Stoppable<A> answer) implements Next<E, A> {}
  }

  /** Something that takes its time. */
  interface Stoppable<T> {
    /**
     * Does it; blocks.
     *
     * @return empty if somebody stopped it
     * @throws IOException if the disk or the engine fails
     */
    Optional<T> result() throws IOException, InterruptedException;
  }
}
