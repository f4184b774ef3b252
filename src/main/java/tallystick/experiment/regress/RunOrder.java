package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.experiment.RateFormat;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;

/**
 * The runs of a comparison in their order. Of two pairs one begins with the base and the other with
 * the candidate: what a steady drift, or a cache that the first run fills, adds falls out of the
 * mean. Which of the two is first is left to chance: what slows every fourth run meets both sides.
 */
final class RunOrder {
  /** Of so many pairs, one may be played again. */
  private static final int ONE_AGAIN_OF = 3;

  private final List<Step> steps = new ArrayList<>();

  private RunOrder() {}

  /** Pairs between two references. */
  static List<Step> pairs(int repeats, long seed) {
    RunOrder order = new RunOrder();
    long reference = RateFormat.seed(seed, repeats + 1);
    order.add(Role.REFERENCE, 0, reference);
    for (int pair = 1; pair <= repeats; pair++) {
      order.addPair(pair, RateFormat.seed(seed, pair), seed);
    }
    order.add(Role.REFERENCE, 0, reference);
    return order.steps;
  }

  /**
   * The next run of a pair that stands for one in which the client was late; empty where enough
   * pairs are whole, or too many were not.
   *
   * @param done all runs so far, those of {@link #pairs} at least
   */
  static Optional<Step> again(List<PlayedRun> done, int repeats, long seed) {
    PairedDesign played = new PairedDesign(done, Optional.empty());
    int most = repeats + Math.ceilDiv(repeats, ONE_AGAIN_OF);
    if (!played.isOpen() && (played.whole() >= repeats || played.begun() >= most)) {
      return Optional.empty();
    }
    int pair = played.isOpen() ? played.begun() : played.begun() + 1;
    RunOrder order = new RunOrder();
    // The references have the seed after that of the last planned pair.
    order.addPair(pair, RateFormat.seed(seed, pair + 1), seed);
    Step due = order.steps.get(played.isOpen() ? 1 : 0);
    return Optional.of(new Step(done.size() + 1, due.role(), due.pair(), due.seed()));
  }

  /** Runs of the base alone. */
  static List<Step> ofBase(int repeats, long seed) {
    RunOrder order = new RunOrder();
    for (int pair = 1; pair <= repeats; pair++) {
      order.add(Role.BASE, pair, RateFormat.seed(seed, pair));
    }
    return order.steps;
  }

  /**
   * One more run of the base alone for one in which the client was late; empty where enough were on
   * time, or too many were not.
   */
  static Optional<Step> ofBaseAgain(List<PlayedRun> done, int repeats, long seed) {
    int most = repeats + Math.ceilDiv(repeats, ONE_AGAIN_OF);
    long late = done.stream().filter(run -> run.figures().isOnlyLate()).count();
    int next = done.size() + 1;
    return done.size() - late >= repeats || next > most
        ? Optional.empty()
        : Optional.of(new Step(next, Role.BASE, next, RateFormat.seed(seed, next)));
  }

  /** Runs of the candidate under the schedules that the base once had, or the first of them. */
  static List<Step> ofCandidate(List<RunFigures> base, int repeats) {
    RunOrder order = new RunOrder();
    for (int i = 0; i < Math.min(repeats, base.size()); i++) {
      order.add(Role.CANDIDATE, i + 1, base.get(i).seed());
    }
    return order.steps;
  }

  private void addPair(int pair, long seed, long ofExperiment) {
    boolean baseFirst = pair % 2 == 1 != isTurned(pair, ofExperiment);
    add(baseFirst ? Role.BASE : Role.CANDIDATE, pair, seed);
    add(baseFirst ? Role.CANDIDATE : Role.BASE, pair, seed);
  }

  /** Whether the two pairs to which this one belongs begin with the candidate. */
  private static boolean isTurned(int pair, long ofExperiment) {
    // Not the seeds of the runs, whose schedules would go with the order.
    return RateFormat.seed(~ofExperiment, (pair + 1) / 2) % 2 == 1;
  }

  private void add(Role role, int pair, long seed) {
    steps.add(new Step(steps.size() + 1, role, pair, seed));
  }
}
