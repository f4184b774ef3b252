package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * Every objective, judged from the intended start and, to see what it does, without the client's
 * own delay.
 * Objectives on one quantity share its samples.
 */
public record ObjectiveJudges(List<SloEvaluator> judges, List<ObjectiveSamples> samples) {

  /** An objective whose verdict depends on the client's own delay. */
  public record Flip(ObjectiveResult measured, ObjectiveResult withoutOwnDelay) {}

  /** The results whose verdicts may be others without a delay. */
  public List<ObjectiveResult> turning(OwnDelay delay) {
    return judges.stream()
        .filter(judge -> judge.turns(delay))
        .map(SloEvaluator::fromIntended)
        .toList();
  }

  /** Where the samples of objectives come from. */
  private record Quantity(Metric metric, List<Objective.Limit> limits, String requestClass) {}

  /**
   * Judges that have read nothing so far.
   *
   * @param plan whose sessions may be judged
   * @param time units of the stretch that is judged
   */
  static ObjectiveJudges of(List<Objective> objectives, PlanTable plan, TimeUnits time) {
    return of(
        objectives, plan, time, OwnClock.STEADY,
        reading -> new ObjectiveSamples(reading, time, OwnClock.STEADY));
  }

  /**
   * The same beside all gaps, which take each request before these judges do.
   *
   * @param clock the client's own
   */
  static ObjectiveJudges beside(
      List<Objective> objectives, PlanTable plan, TimeUnits time, OwnClock clock,
      TimedSamples gaps) {
    return of(
        objectives, plan, time, clock,
        reading ->
            reading.isOfEveryGap()
                ? new ObjectiveSamples(reading, gaps)
                : new ObjectiveSamples(reading, time, OwnClock.STEADY));
  }

  private static ObjectiveJudges of(
      List<Objective> objectives, PlanTable plan, TimeUnits time, OwnClock clock,
      Function<ObjectiveReading, ObjectiveSamples> empty) {
    Map<Quantity, ObjectiveSamples> measured = new LinkedHashMap<>();
    Map<Quantity, ObjectiveSamples> least = new LinkedHashMap<>();
    List<SloEvaluator> judges = new ArrayList<>();
    for (Objective objective : objectives) {
      Supplier<ObjectiveReading> reading =
          () -> new ObjectiveReading(objective, WaitStart.INTENDED, plan);
      Quantity quantity =
          new Quantity(objective.metric(), objective.limits(), objective.requestClass());
      ObjectiveSamples samples =
          measured.computeIfAbsent(quantity, of -> empty.apply(reading.get()));
      judges.add(
          new SloEvaluator(
              objective, plan, samples,
              clock.neverStands()
                  ? samples
                  : least.computeIfAbsent(
                      quantity, of -> new ObjectiveSamples(reading.get(), time, clock))));
    }
    return new ObjectiveJudges(
        judges, Stream.concat(measured.values().stream(), least.values().stream()).toList());
  }

  /**
   * Takes a measured request for so many answers.
   *
   * @param isTimed whether its moments can be believed
   */
  void read(RequestRow row, int choices, boolean isTimed) {
    samples.forEach(each -> each.read(row, choices, isTimed));
    judges.forEach(judge -> judge.read(row, choices, isTimed));
  }

  /** Ends the reading. */
  void end() {
    samples.forEach(ObjectiveSamples::end);
  }

  public List<ObjectiveResult> fromIntended() {
    return judges.stream().map(SloEvaluator::fromIntended).toList();
  }

  /** The verdicts that would be others, had the client itself taken no time to send. */
  public List<Flip> flips() {
    return judges.stream()
        .flatMap(
            judge ->
                judge.withoutOwnDelay().stream()
                    .map(without -> new Flip(judge.fromIntended(), without)))
        .filter(flip -> flip.measured().verdict() != flip.withoutOwnDelay().verdict())
        .toList();
  }
}
