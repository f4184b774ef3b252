package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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

  /** The results that may be others, or less sure, without a delay. */
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
        objectives, plan,
        objective ->
            new ObjectiveSamples(new ObjectiveReading(objective, WaitStart.INTENDED, plan), time));
  }

  /** The same beside all gaps, which take each request before these judges do. */
  static ObjectiveJudges beside(
      List<Objective> objectives, PlanTable plan, TimeUnits time, TimedSamples gaps) {
    return of(
        objectives, plan,
        objective -> {
          ObjectiveReading reading = new ObjectiveReading(objective, WaitStart.INTENDED, plan);
          return reading.isOfEveryGap()
              ? new ObjectiveSamples(reading, gaps)
              : new ObjectiveSamples(reading, time);
        });
  }

  private static ObjectiveJudges of(
      List<Objective> objectives, PlanTable plan, Function<Objective, ObjectiveSamples> empty) {
    Map<Quantity, ObjectiveSamples> samples = new LinkedHashMap<>();
    List<SloEvaluator> judges = new ArrayList<>();
    for (Objective objective : objectives) {
      judges.add(
          new SloEvaluator(
              objective, plan,
              samples.computeIfAbsent(
                  new Quantity(
                      objective.metric(), objective.limits(), objective.requestClass()),
                  of -> empty.apply(objective))));
    }
    return new ObjectiveJudges(judges, List.copyOf(samples.values()));
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
