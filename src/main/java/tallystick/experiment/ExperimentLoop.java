package tallystick.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plays a design: one run after another, each in the journal before the next one begins, from the
 * last finished run to the answer or until somebody stops it.
 */
public final class ExperimentLoop {
  private ExperimentLoop() {}

  /**
   * Goes on where the journal of the site's folder ends; blocks.
   *
   * @return the answer; empty if it was stopped
   * @throws IllegalArgumentException if the journal is of another experiment
   * @throws IOException if the disk or the engine fails; the finished runs are kept
   */
  public static <E extends JournalEntry, A> Optional<A> run(Design<E, A> design, Site site)
      throws IOException, InterruptedException {
    Journal<E> journal = Journal.resume(site.folder(), design.identity());
    List<E> found = journal.done();
    journal.forgetLast(last -> design.isPlayedAgain(last, found, site.folder()));
    if (!journal.done().isEmpty()) {
      site.say(
          journal.done().size() + " finished " + design.runsName() + " are taken from "
              + site.folder());
    }
    Optional<Design.Course<E, A>> course = design.course(journal.done(), site);
    while (course.isPresent()) {
      switch (course.get().next(journal.done())) {
        case Design.Next.End<E, A> end -> {
          return end.answer().result();
        }
        case Design.Next.Play<E, A> play -> {
          if (!isPlayed(play, design, journal, site)) {
            return Optional.empty();
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Not if somebody stopped it. */
  private static <E extends JournalEntry, A> boolean isPlayed(
      Design.Next.Play<E, A> play, Design<E, A> design, Journal<E> journal, Site site)
      throws IOException, InterruptedException {
    if (site.isStopped()) {
      return false;
    }
    double elapsed = JournalEntry.elapsedSeconds(journal.done());
    site.say(play.words() + "   " + design.budget().left(elapsed));
    Optional<E> entry = play.run().result();
    if (entry.isPresent()) {
      journal.add(entry.get());
      site.say(design.line(journal.done()));
    }
    return entry.isPresent();
  }

  /** How a rehearsal plays a run. */
  public interface Player<R, E> {
    /** Empty if somebody stopped it. */
    Optional<E> play(R run) throws IOException, InterruptedException;
  }

  /**
   * Plays runs on a simulated engine, which no journal keeps: they are played anew whenever an
   * experiment goes on.
   *
   * @param next which run comes after those that were played; empty at the end
   * @return what all of them showed; empty if somebody stopped it
   * @throws IOException if the disk fails
   */
  public static <R, E> Optional<List<E>> rehearse(
      Function<List<E>, Optional<R>> next, Player<R, E> player, Site site)
      throws IOException, InterruptedException {
    List<E> done = new ArrayList<>();
    for (Optional<R> run = next.apply(done); run.isPresent(); run = next.apply(done)) {
      Optional<E> entry = site.isStopped() ? Optional.empty() : player.play(run.get());
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      done.add(entry.get());
    }
    return Optional.of(done);
  }

  /** The same with runs that are known before. */
  public static <R, E> Optional<List<E>> rehearse(
      List<R> runs, Player<R, E> player, Site site) throws IOException, InterruptedException {
    return rehearse(
        done -> done.size() < runs.size() ? Optional.of(runs.get(done.size())) : Optional.empty(),
        player, site);
  }
}
