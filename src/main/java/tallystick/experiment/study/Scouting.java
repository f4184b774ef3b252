package tallystick.experiment.study;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.BracketingSearch;
import tallystick.experiment.study.StudyResult.StepReading;

/** Where the capacity for one mix lies as far as short runs tell, or the rate to try next. */
final class Scouting {
  /** What an overloaded engine completes is its capacity, where this share of it holds. */
  private static final double ENOUGH_HELD = 0.45;

  /** Well below what it completes while overloaded: it surely holds. */
  private static final double TRIED_BELOW = 0.6;
  private static final double BRACKETED = 1.5; // near enough: each later run may correct it

  /** With fewer good requests than half a scout tells that it is over, not by how much. */
  private static final double MILD = 0.5;
  private static final int MOST = 9; // an end where every rate fails, or none

  /** So few that a short run would hold by chance: ten requests in a minute. */
  private static final double LEAST_PER_SECOND = 10 / 60.0;

  /** A rate that each later run may correct. */
  sealed interface Answer {
    /** About the capacity. */
    record Found(double perSecond) implements Answer {}

    /** The rate of the next short run. */
    record Try(double perSecond) implements Answer {}

    /** No rate that was tried held, or none failed. */
    record Lost(String why) implements Answer {}
  }

  private Scouting() {}

  /**
   * The answer of the short runs of one mix.
   *
   * @param first rate of the first one
   * @param most rate beyond which nothing is tried
   */
  static Answer of(List<StepReading> scouts, double first, double most) {
    BracketingSearch bracket =
        BracketingSearch.of(
            scouts.stream()
                .map(one -> new BracketingSearch.Trial(one.step().perSecond(), one.held()))
                .toList());
    Optional<StepReading> drowned =
        scouts.stream()
            .filter(StepReading::drowned)
            .min((a, b) -> Double.compare(a.step().perSecond(), b.step().perSecond()));
    double completed = drowned.map(StepReading::completedPerSecond).orElse(0.0);
    if (completed > 0 && bracket.low() >= ENOUGH_HELD * completed) {
      return new Answer.Found(Math.max(completed, bracket.low()));
    }
    if (bracket.isWithin(BRACKETED)) {
      // A rate at which some suffer lies at the knee; one at which most do, beyond it.
      boolean isMild =
          scouts.stream()
              .filter(one -> one.step().perSecond() == bracket.high())
              .allMatch(one -> one.goodShare() >= MILD);
      return new Answer.Found(
          isMild ? bracket.high() : Math.sqrt(bracket.low() * bracket.high()));
    }
    boolean isIdle = bracket.low() == 0 && keptUp(scouts, bracket.high());
    double next = bracket.next(first);
    if (scouts.size() >= MOST || isIdle && next < LEAST_PER_SECOND) {
      String none =
          "no rate that was tried holds"
              + (isIdle ? ", so load is not the cause" : "");
      return new Answer.Lost(bracket.low() == 0 ? none : "no rate that was tried fails");
    }
    if (Double.isInfinite(bracket.high()) && bracket.low() > 0) {
      StepReading latest = scouts.getLast();
      next = latest.goodShare() == 1 ? 2 * bracket.low() : next;
      if (next > most) {
        return new Answer.Lost("no rate that this client can send fails");
      }
    } else if (completed > 0) {
      next = Math.min(next, TRIED_BELOW * completed);
    }
    return new Answer.Try(next);
  }

  /** Whether the engine completed what it was offered at a rate, so that it has no queue there. */
  private static boolean keptUp(List<StepReading> scouts, double perSecond) {
    return scouts.stream()
        .anyMatch(one -> one.step().perSecond() == perSecond && !one.drowned());
  }
}
