package tallystick.experiment.regress;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.RateFormat;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;

/**
 * The runs of a comparison in their order, which does not depend on how many there will be. Of two
 * pairs one begins with the base and the other with the candidate: what a steady drift, or a cache
 * that the first run fills, adds falls out of the mean. No pair begins as the one but one before
 * it: what slows every fourth run meets both sides in turn. Which side begins is left to chance.
 */
final class RunOrder {
  /** Of so many pairs, one may be played again. */
  private static final int ONE_AGAIN_OF = 3;

  private RunOrder() {}

  /** The two runs of a pair; both have one schedule. */
  static List<Step> pair(int pair, long seed) {
    // Not by the seeds of the runs, whose schedules would go with the order.
    boolean baseFirst = pair / 2 % 2 == Math.floorMod(RateFormat.seed(~seed, 1), 2);
    long schedule = RateFormat.seed(seed, pair);
    return List.of(
        new Step(2 * pair - 1, baseFirst ? Role.BASE : Role.CANDIDATE, pair, schedule),
        new Step(2 * pair, baseFirst ? Role.CANDIDATE : Role.BASE, pair, schedule));
  }

  /**
   * The next run of a pair; empty where so many are whole, or too many were not because the client
   * was late.
   */
  static Optional<Step> next(PairedDesign played, int repeats, long seed) {
    if (played.isOpen()) {
      return Optional.of(pair(played.begun(), seed).get(1));
    }
    return played.whole() >= repeats || played.begun() >= most(repeats)
        ? Optional.empty()
        : Optional.of(pair(played.begun() + 1, seed).get(0));
  }

  /** The next run of the base alone, likewise. */
  static Optional<Step> nextOfBase(List<PlayedRun> done, int repeats, long seed) {
    long late = done.stream().filter(run -> run.figures().isOnlyLate()).count();
    int next = done.size() + 1;
    return done.size() - late >= repeats || next > most(repeats)
        ? Optional.empty()
        : Optional.of(new Step(next, Role.BASE, next, RateFormat.seed(seed, next)));
  }

  /** The next run of the candidate under a schedule that the base once had. */
  static Optional<Step> nextOfCandidate(int done, List<ComparedRun> base, int repeats) {
    return done >= Math.min(repeats, base.size())
        ? Optional.empty()
        : Optional.of(new Step(done + 1, Role.CANDIDATE, done + 1, base.get(done).seed()));
  }

  private static int most(int repeats) {
    return repeats + Math.ceilDiv(repeats, ONE_AGAIN_OF);
  }
}
