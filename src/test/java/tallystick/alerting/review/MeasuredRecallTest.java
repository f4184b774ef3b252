package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.FiringTime;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.scenario.Objective;

class MeasuredRecallTest {
  private static final String PAGE = "VLLMTTFTBudgetBurnPage";
  private static final String WARNING = "VLLMHighTTFT";
  private static final String ABSENCE = "VLLMTargetDown";
  private static final RuleSet RULES =
      RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1));

  private static AlertScore score(String alert, int episodes, int found) {
    AlertScore.Hits hits = new AlertScore.Hits(episodes, found);
    return new AlertScore(
        alert, hits, hits, found, 0, List.of(), new AlertScore.Health(3600, 1, 1),
        FiringTime.NONE);
  }

  @Test
  void anAlertThatMissesMoreThanOneInTenSaysWhatItPromisesInstead() {
    List<AlertScore> scores =
        List.of(score(PAGE, 20, 17), score(WARNING, 20, 18), score(ABSENCE, 20, 0));
    assertThat(MeasuredRecall.notes(RULES, scores))
        .containsExactly(
            PAGE + " finds 0.85 of the episodes, less than 0.9: it promises those where more than"
                + " 14.4 % of requests in 1h (at least 5) and 14.4 % of requests in 5m, or 6 % of"
                + " requests in 6h (at least 8) and 6 % of requests in 30m miss the objective");
  }

  @Test
  void theRulesCarryWhatEachReplayFound() {
    List<ConditionScore> judgements =
        List.of(
            new ConditionScore(
                ConditionScore.RUN_LEFT_OUT,
                List.of(score(PAGE, 20, 17), score(WARNING, 20, 18), score(ABSENCE, 20, 0)),
                List.of()));
    RuleSet judged =
        RULES.noted(rule -> MeasuredRecall.evidence(rule, judgements), rule -> Map.of());
    assertThat(evidence(judged, WARNING))
        .contains(
            "  replayed with each run left out in turn: 18 of 20 episodes found;"
                + " 0 false in 60 min of health");
    assertThat(evidence(judged, PAGE))
        .anyMatch(line -> line.contains("17 of 20 episodes found") && line.contains("less than"));
    assertThat(evidence(judged, ABSENCE)).isEqualTo(evidence(RULES, ABSENCE));
  }

  @Test
  void withoutHealthNoFalseFiringCanBeCounted() {
    AlertScore well = score(WARNING, 20, 18);
    AlertScore never =
        new AlertScore(
            WARNING, well.all(), well.sustained(), 18, 0, List.of(),
            new AlertScore.Health(0, 0, 0), FiringTime.NONE);
    RuleSet judged =
        RULES.noted(
            rule ->
                MeasuredRecall.evidence(
                    rule,
                    List.of(
                        new ConditionScore(
                            ConditionScore.RUN_LEFT_OUT, List.of(never), List.of()))),
            rule -> Map.of());
    assertThat(evidence(judged, WARNING))
        .anyMatch(line -> line.endsWith("false firings are not counted"))
        .noneMatch(line -> line.contains("0 false"));
  }

  @Test
  void withoutEpisodesNothingIsSaidOfRecall() {
    AlertScore none = score(PAGE, 0, 0);
    assertThat(MeasuredRecall.notes(RULES, List.of(none))).isEmpty();
    assertThat(
            MeasuredRecall.evidence(
                RULES.alerts().getFirst(),
                List.of(new ConditionScore("here", List.of(none), List.of()))))
        .isEmpty();
  }

  private static List<String> evidence(RuleSet set, String alert) {
    return set.alerts().stream()
        .filter(rule -> rule.name().equals(alert))
        .findFirst()
        .orElseThrow()
        .evidence();
  }
}
