package tallystick.experiment.study;

import java.util.List;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.experiment.Budget;

/** Why a study asks for no further run; each end says itself. */
sealed interface StudyEnd {

  /** Why nothing more was played, what to do next, and what it comes to. */
  Said said(Spent spent, Invocation asked);

  /** Whether what is earned may be tried on more load: nothing is wrong with the runs. */
  default boolean allowsTrials() {
    return this instanceof Decided || this instanceof OutOfTime;
  }

  /**
   * What was spent, and whether for anything.
   *
   * @param budget time for all runs
   * @param isEarned whether an alert is earned
   */
  record Spent(Budget budget, double elapsedSeconds, boolean isEarned) {}

  /**
   * What an end says.
   *
   * @param outcome where no alert is earned
   * @param word of it in the file of figures
   * @param why no threshold is proven
   * @param next commands and sentences, after those about earned alerts
   */
  record Said(AnswerStatus outcome, String word, String why, List<String> next) {
    private static Said notProven(String why, List<String> next) {
      return new Said(AnswerStatus.TOO_CLOSE, "not_proven", why, next);
    }
  }

  /** Every threshold is earned, or more runs would not help. */
  record Decided() implements StudyEnd {
    @Override
    public Said said(Spent spent, Invocation asked) {
      return Said.notProven(
          "more runs of this kind would not help",
          spent.isEarned()
              ? List.of()
              : List.of(
                  "Set the limit on one of the engine's bucket edges: tally doctor lists them."));
    }
  }

  /**
   * The budget has no room for another run.
   *
   * @param neededSeconds about how much the next one takes
   */
  record OutOfTime(double neededSeconds) implements StudyEnd {
    @Override
    public Said said(Spent spent, Invocation asked) {
      Budget budget = spent.budget();
      double elapsed = spent.elapsedSeconds();
      return Said.notProven(
          "the next run takes about " + Budget.minutes(neededSeconds) + " min, and "
              + Budget.minutes(budget.orInfinite() - elapsed) + " min are left",
          List.of(
              asked.resume() + " --budget "
                  + Budget.minutes(2 * budget.seconds().orElse(elapsed)) + "m"));
    }
  }

  /** Short runs did not find the capacity. */
  record CapacityLost(String mix, String why) implements StudyEnd {
    @Override
    public Said said(Spent spent, Invocation asked) {
      return Said.notProven(
          "the capacity for the mix " + mix + " was not found: " + why,
          List.of("Run at a very low rate: it shows which limit a request misses even alone."));
    }
  }

  /** Two runs in a row cannot be used. */
  record Untrusted(String why) implements StudyEnd {
    @Override
    public Said said(Spent spent, Invocation asked) {
      return new Said(
          AnswerStatus.NOT_TRUSTED, "not_trusted", "two runs in a row cannot be used: " + why,
          List.of(
              "Before you resume, fix what tally report says is wrong with the newest folder in "
                  + asked.in("runs") + ".",
              asked.resume()));
    }
  }

  /** Less time was given than the least study takes. */
  record BudgetTooSmall(double leastSeconds) implements StudyEnd {
    @Override
    public Said said(Spent spent, Invocation asked) {
      long least = (long) Math.ceil(leastSeconds / 60);
      return new Said(
          AnswerStatus.MISTAKE, "budget_too_small",
          "the budget is too small: a study needs at least " + least + " min",
          List.of(asked.resume() + " --budget " + least + "m"));
    }
  }
}
