package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.experiment.study.StudyResult.Reference;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.experiment.study.StudyStep.Kind;
import tallystick.scenario.Objective;

class StudySearchTest {
  private static final double OVERHEAD = 20;
  private static final Map<String, Double> CAPACITY = Map.of("given", 66.0, "other", 40.0);
  private static final List<ThresholdProgress> OPEN =
      List.of(standing(ThresholdProgress.State.OPEN, Requirement.AREA));
  private static final List<ThresholdProgress> EARNED =
      List.of(standing(ThresholdProgress.State.EARNED, Requirement.NARROW_INTERVAL));

  private static StudySearch search(double budgetSeconds) {
    return search(budgetSeconds, Map.of());
  }

  private static StudySearch search(double budgetSeconds, Map<String, Double> predicted) {
    return search(budgetSeconds, predicted, false);
  }

  private static StudySearch search(
      double budgetSeconds, Map<String, Double> predicted, boolean isVirtual) {
    return new StudySearch(
        new StudySearch.Question(
            List.of("given", "other"), 20, predicted, 600, budgetSeconds, OVERHEAD, isVirtual, 7));
  }

  /** An engine that completes its capacity and keeps its limits as long as it can. */
  private static StudyResult play(StudyRun run, double referenceSeconds) {
    double capacity = CAPACITY.get(run.mix());
    List<StepReading> readings =
        run.steps().stream()
            .map(
                step -> {
                  boolean held = step.perSecond() <= 0.97 * capacity;
                  return new StepReading(
                      step, 1000, held, held ? 1 : 0.4, Math.min(capacity, step.perSecond()));
                })
            .toList();
    return new StudyResult(
        run, "runs/" + run.number(), run.loadSeconds() + OVERHEAD, readings,
        run.isScout() ? Reference.NONE : new Reference(referenceSeconds, 0.005, 900), true, true,
        "");
  }

  private static StudyResult doubtful(StudyRun run) {
    return new StudyResult(run, "x", 9, List.of(), Reference.NONE, false, false, "client late");
  }

  private static ThresholdProgress standing(ThresholdProgress.State state, Requirement need) {
    return new ThresholdProgress(
        Objective.Metric.TTFT, Signal.BAD_RATIO, state,
        List.of(new UnmetRequirement(need, 0, 5, "0 of 5")));
  }

  /** All runs until the end, whatever they leave missing. */
  private static List<StudyResult> played(StudySearch search, List<ThresholdProgress> standings) {
    List<StudyResult> done = new ArrayList<>();
    while (search.next(done, standings) instanceof StudySearch.Next.Play(StudyRun run)) {
      done.add(play(run, 1));
    }
    return done;
  }

  @Test
  void shortRunsFindTheCapacityOfEachMixFirst() {
    List<StudyResult> done = played(search(4000), EARNED);

    List<StudyRun> scouts =
        done.stream().map(StudyResult::run).filter(StudyRun::isScout).toList();
    assertThat(scouts).extracting(StudyRun::mix).containsSubsequence("given", "other");
    StudyRun first = StudySearch.measured(done).getFirst().run();
    double over =
        first.steps().stream().filter(step -> step.kind() == Kind.OVER).findFirst().orElseThrow()
            .perSecond();
    assertThat(over).isBetween(1.15 * 66, 1.3 * 66);
  }

  /** At the end: a ramp where there is time, health where it is free. */
  @Test
  void whatIsEarnedIsTriedOnARampAndInVirtualTimeOnHealth() {
    List<StudyResult> rich = played(search(9000), EARNED);
    StudyRun ramp = rich.getLast().run();
    assertThat(ramp.has(Kind.RAMP)).isTrue();
    // An hour at 63 requests/s would be more than one run may have.
    assertThat(ramp.loadSeconds()).isEqualTo(2820);
    assertThat(ramp.steps().getFirst().perSecond()).isBetween(0.9 * 66, 66.0);
    assertThat(rich).filteredOn(one -> one.run().isTrial()).hasSize(1);
    assertThat(StudySearch.measured(rich)).noneMatch(one -> one.run().isTrial());
    assertThat(StudySearch.trials(rich)).containsExactly(rich.getLast());

    assertThat(played(search(4000), EARNED)).noneMatch(one -> one.run().isTrial());
    assertThat(played(search(9000), OPEN)).noneMatch(one -> one.run().isTrial());

    List<StudyResult> virtual = played(search(1e9, Map.of(), true), EARNED);
    StudyRun health = virtual.get(virtual.size() - 2).run();
    assertThat(health.steps()).allMatch(step -> step.kind() == Kind.HEALTH);
    assertThat(health.loadSeconds()).isEqualTo(3600);
    assertThat(virtual.getLast().run().has(Kind.RAMP)).isTrue();
  }

  @Test
  void whatAProfilePredictsShortensTheSearchAndAWrongOneMisleadsNothing() {
    int unaided = scouts(Map.of());

    assertThat(scouts(CAPACITY)).isEqualTo(4).isLessThan(unaided);
    for (double wrong : new double[] {0.2, 0.5, 2, 5}) {
      Map<String, Double> predicted = Map.of("given", wrong * 66, "other", wrong * 40);
      List<StudyResult> done = played(search(1e9, predicted), EARNED);

      assertThat(StudySearch.measured(done)).hasSize(4);
      assertThat(search(1e9, predicted).found(done).get("given")).isBetween(50.0, 75.0);
    }
  }

  private static int scouts(Map<String, Double> predicted) {
    return (int)
        played(search(1e9, predicted), EARNED).stream()
            .filter(one -> one.run().isScout())
            .count();
  }

  @Test
  void eachOverloadIsShortAndIsFollowedByTheEndOfItsQueue() {
    for (StudyResult result : StudySearch.measured(played(search(4000), OPEN))) {
      List<StudyStep> steps = result.run().steps();
      for (int i = 0; i < steps.size(); i++) {
        if (steps.get(i).kind() == Kind.OVER) {
          assertThat(steps.get(i).seconds()).isLessThanOrEqualTo(120);
          assertThat(steps.get(i + 1).kind()).isEqualTo(Kind.DRAIN);
        }
      }
      assertThat(steps.getFirst().kind()).isEqualTo(Kind.REFERENCE);
    }
  }

  /** What an overloaded engine completes may be far below what it seemed to bear. */
  @Test
  void aDrainIsAsLongAsTheQueueThatEarlierOnesDidNotSeeTheEndOf() {
    StudySearch search = search(1e9);
    List<StudyResult> done = new ArrayList<>();
    List<Double> left = new ArrayList<>();
    while (search.next(done, OPEN) instanceof StudySearch.Next.Play(StudyRun run)
        && left.size() < 6) {
      StudyResult result = run.isScout() ? play(run, 1) : collapsing(run, left);
      done.add(result);
    }
    StudyRun first = StudySearch.measured(done).getFirst().run();
    int size = first.steps().size();
    assertThat(first.steps().get(size - 2).kind()).isEqualTo(Kind.OVER);
    assertThat(left.subList(0, 2)).allMatch(queue -> queue > 0);
    assertThat(left.subList(4, 6)).allMatch(queue -> queue == 0);
  }

  /** Behind a queue it completes half; tells who waits when the overload's drain ends. */
  private static StudyResult collapsing(StudyRun run, List<Double> left) {
    double capacity = CAPACITY.get(run.mix());
    double queue = 0;
    boolean isBehind = false;
    List<StepReading> readings = new ArrayList<>();
    for (StudyStep step : run.steps()) {
      double serves = capacity * (queue > 0 ? 0.5 : step.kind() == Kind.OVER ? 0.8 : 1);
      double before = queue;
      queue = Math.max(0, queue + (step.perSecond() - serves) * step.seconds());
      boolean isBusy = queue > 0;
      double completed = isBusy ? serves : (step.perSecond() + serves) / 2;
      boolean held = before == 0 && !isBusy;
      readings.add(new StepReading(step, 1000, held, held ? 1 : 0.4, completed));
      if (isBehind) {
        left.add(queue);
      }
      isBehind = step.kind() == Kind.OVER;
    }
    return new StudyResult(
        run, "runs/" + run.number(), run.loadSeconds() + OVERHEAD, readings,
        new Reference(1, 0.005, 900), true, true, "");
  }

  @Test
  void endsWithTwoRunsOfEachMixWhenNothingIsMissing() {
    List<StudyResult> done = played(search(1e9), EARNED);

    assertThat(StudySearch.measured(done))
        .extracting(one -> one.run().mix())
        .containsExactlyInAnyOrder("given", "given", "other", "other");
    assertThat(search(1e9).next(done, EARNED))
        .isEqualTo(new StudySearch.Next.Conclude(new StudyEnd.Decided()));
  }

  @Test
  void theBudgetIsKept() {
    for (double budget : new double[] {1100, 1320, 2700}) {
      double elapsed =
          played(search(budget), OPEN).stream().mapToDouble(StudyResult::elapsedSeconds).sum();

      assertThat(elapsed).isBetween(budget - 330, budget);
    }
  }

  @Test
  void aBudgetForNoStudyIsRefusedWithTheLeastThatWouldDo() {
    assertThat(search(300).next(List.of(), List.of()))
        .isInstanceOfSatisfying(
            StudySearch.Next.Conclude.class,
            end ->
                assertThat(end.end())
                    .isInstanceOfSatisfying(
                        StudyEnd.BudgetTooSmall.class,
                        small -> assertThat(small.leastSeconds()).isBetween(600.0, 1500.0)));
  }

  @Test
  void whatIsMissingDecidesTheSteps() {
    List<StudyResult> done = played(search(1320), OPEN);

    StudyRun suffering =
        next(done, standing(ThresholdProgress.State.OPEN, Requirement.VIOLATED_WINDOWS));
    StudyRun healthy = next(done, standing(ThresholdProgress.State.OPEN, Requirement.MET_WINDOWS));

    assertThat(suffering.has(Kind.OVER)).isTrue();
    assertThat(suffering.has(Kind.BELOW)).isFalse();
    assertThat(healthy.steps().stream().filter(step -> step.kind() == Kind.BELOW).count())
        .isEqualTo(2);
  }

  private static StudyRun next(List<StudyResult> done, ThresholdProgress missing) {
    return ((StudySearch.Next.Play) search(1e9).next(done, List.of(missing))).run();
  }

  @Test
  void whatFollowsDependsOnTheFinishedRunsAlone() {
    List<StudyResult> done = played(search(3000), OPEN);

    for (int i = 0; i < done.size(); i++) {
      assertThat(search(3000).next(done.subList(0, i), OPEN))
          .isEqualTo(new StudySearch.Next.Play(done.get(i).run()));
    }
  }

  @Test
  void aRunWhoseReferenceMovedIsRepeated() {
    List<StudyResult> done = played(search(1e9), EARNED);
    done.removeIf(one -> one.run().isTrial());
    StudyResult last = done.removeLast();
    done.add(play(last.run(), 1.2));

    assertThat(Drift.of(StudySearch.measured(done)))
        .extracting(Drift.Moved::number)
        .containsExactly(last.run().number());
    assertThat(next(done, EARNED.getFirst()).mix()).isEqualTo(last.run().mix());
  }

  /** Three of a hundred requests are refused at any load; a run of three requests may miss them. */
  @Test
  void anObjectiveThatNoLoadKeepsIsNotLookedForAmongAHandfulOfRequests() {
    List<StudyResult> done = new ArrayList<>();
    StudySearch.Next next = search(1e9).next(done, List.of());
    while (next instanceof StudySearch.Next.Play(StudyRun run) && run.isScout()) {
      StudyStep step = run.steps().getFirst();
      boolean held = step.perSecond() * run.loadSeconds() < 10;
      done.add(
          new StudyResult(
              run, "runs/" + run.number(), run.loadSeconds() + OVERHEAD,
              List.of(new StepReading(step, 9, held, held ? 1 : 0.97, step.perSecond())),
              Reference.NONE, true, true, ""));
      next = search(1e9).next(done, List.of());
    }
    assertThat(((StudySearch.Next.Conclude) next).end())
        .isEqualTo(
            new StudyEnd.CapacityLost(
                "given", "no rate that was tried holds, so load is not the cause"));
  }

  @Test
  void twoDoubtfulRunsInARowEndIt() {
    StudyRun run = ((StudySearch.Next.Play) search(4000).next(List.of(), List.of())).run();

    assertThat(search(4000).next(List.of(doubtful(run)), List.of()))
        .isInstanceOf(StudySearch.Next.Play.class);
    assertThat(search(4000).next(List.of(doubtful(run), doubtful(run)), List.of()))
        .isEqualTo(new StudySearch.Next.Conclude(new StudyEnd.Untrusted("client late")));
  }
}
