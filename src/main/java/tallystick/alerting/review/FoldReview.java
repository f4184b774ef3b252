package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.RuleGroup;

/** Each group of runs replayed with the alerts that the other groups gave. */
record FoldReview(
    AlertDerivation derivation,
    List<DerivationRun> runs,
    RuleSet whole,
    BiFunction<DerivationRun, List<RuleGroup>, RunTimeline> replay) {

  /**
   * What came of it.
   *
   * @param timelines one for each run, in their order
   */
  record Folded(List<RunTimeline> timelines, ConditionScore judgement) {}

  /**
   * Leaves out each group in turn. An alert that the others refuse is not judged on the group left
   * out, and a note says so: an alert that is not there has neither found nor missed anything.
   *
   * @param words what is done, for example {@code each mix left out}
   */
  Folded leavingOut(String words, Function<DerivationRun, String> group) {
    Map<String, RuleSet> fitted = new LinkedHashMap<>();
    List<RunTimeline> timelines = new ArrayList<>();
    Map<String, List<AlertScore>> scores = new LinkedHashMap<>();
    whole.alerts().forEach(alert -> scores.put(alert.name(), new ArrayList<>()));
    for (DerivationRun run : runs) {
      RuleSet rules =
          fitted.computeIfAbsent(group.apply(run), left -> without(left, group));
      RunTimeline timeline = replay.apply(run, rules.evaluable());
      timelines.add(timeline);
      for (AlertScore score : Backtest.scores(rules.evaluable(), List.of(timeline))) {
        scores.getOrDefault(score.alert(), new ArrayList<>()).add(score);
      }
    }
    List<AlertScore> sums = new ArrayList<>();
    scores.forEach((alert, each) -> sums.add(AlertScore.sum(alert, each)));
    return new Folded(timelines, new ConditionScore(words, sums, notes(fitted)));
  }

  private RuleSet without(String left, Function<DerivationRun, String> group) {
    List<DerivationRun> others =
        runs.stream().filter(run -> !group.apply(run).equals(left)).toList();
    return RuleBook.of(derivation.of(others));
  }

  private List<String> notes(Map<String, RuleSet> fitted) {
    List<String> notes = new ArrayList<>();
    List<String> names = whole.alerts().stream().map(RuleSet.Rule::name).toList();
    fitted.forEach(
        (left, rules) -> {
          for (RefusedAlert refused : rules.refusals()) {
            if (names.contains(refused.alertName())) {
              notes.add(
                  "not tested on %s: without it, %s is refused (%s): %s"
                      .formatted(
                          left, refused.alertName(), refused.code().plain(),
                          refused.missing()));
            }
          }
        });
    return notes;
  }
}
