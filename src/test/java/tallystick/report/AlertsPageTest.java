package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreBlocks;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.EarnedAlerts;
import tallystick.alerting.rules.AlertExpectation;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Invocation;
import tallystick.report.markup.Markup;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

class AlertsPageTest {
  private static AlertReview review;
  private static String page;

  @BeforeAll
  static void reviewOnce() {
    DerivationRun run =
        DerivationRun.of(RehearsedRuns.brief(RehearsedRuns.Mix.LONG_PROMPTS, 4), true);
    review = AlertReview.ofOne(run, AlertRequest.usual(RehearsedRuns.OBJECTIVE));
    page = AnswerFiles.page(EarnedAlerts.page(review), "The rules themselves are in rules.yaml.");
  }

  static String example() {
    reviewOnce();
    return page;
  }

  @Test
  void thePageListsItsContents() {
    assertThat(page)
        .contains("<nav class=\"contents\"", "<a href=\"#refused\">", "id=\"refused\"");
  }

  @Test
  void everyStretchOfSufferingIsABandAtItsTime() {
    var timeline = review.runs().getFirst().timeline();
    double length = timeline.endMillis() - timeline.startMillis();
    double from = timeline.episodes().getFirst().onsetMillis() - timeline.windowMillis();
    Matcher first =
        Pattern.compile("class=\"suffer\" style=\"left:([0-9.]+)%").matcher(page);
    assertThat(first.find()).isTrue();
    assertThat(Double.parseDouble(first.group(1)))
        .isCloseTo(
            100 * (from - timeline.startMillis()) / length,
            org.assertj.core.api.Assertions.within(0.01));
    assertThat(first.results().count()).isEqualTo(timeline.episodes().size() - 1);
  }

  @Test
  void oneRunDerivesNothingAndTheRefusalsSaySo() {
    assertThat(review.rules().refusals()).hasSizeGreaterThan(5);
    assertThat(page)
        .contains("SIMULATED", "VLLMTargetDown", "VLLMTTFTObjectiveMissed")
        .contains(Markup.escaped(review.rules().refusals().getFirst().missing()))
        .contains("default-src 'none'")
        .doesNotContain("http://");
  }

  @Test
  void anAlertThatWasRefusedIsNotDrawnAsSilent() {
    assertThat(bands(List.of("VLLMOther")))
        .endsWith("VLLMOther  not replayed: refused by the other runs");
  }

  @Test
  void theTerminalShowsTheSameRunAsLetters() {
    List<String> alerts =
        review.judgements().getFirst().scores().stream().map(AlertScore::alert).toList();
    List<String> lines = bands(alerts);
    assertThat(lines).hasSize(alerts.size() + 1);
    assertThat(lines.getFirst()).startsWith("users suffered  ").contains("#");
    assertThat(lines).allMatch(line -> line.length() <= 80);
  }

  private static List<String> bands(List<String> alerts) {
    Block.Table table = ScoreBlocks.bands(review.runs().getFirst().timeline(), "", alerts);
    return table.rows().stream()
        .map(row -> String.join("  ", row.cells().stream().map(Cell::text).toList()))
        .toList();
  }

  @Test
  void theScreenTellsEachReasonOnceAndWhatToRun() {
    String screen =
        screen(new EarnedAlerts(List.of(review), "rules", List.of(), List.of()));
    assertThat(screen)
        .contains("alerts   0 of ")
        .contains("VERDICT  no threshold learned")
        .contains("SIMULATED", "NOT READY", "users suffered in too few")
        .contains("NEXT     ", "tally open rules")
        .containsPattern("next: run\\s+more")
        .doesNotContain("READY    ", "no_violating_window", "not_separable");
    fits(screen);
  }

  @Test
  void manyAlertsAndReasonsStillFitOneScreen() {
    List<RuleSet.Rule> alerts =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    new RuleSet.Rule(
                        true,
                        "VLLMAlertOfNumber" + i,
                        "job:bad:ratio > 0.0" + i,
                        0,
                        0,
                        Map.of("severity", "page"),
                        Map.of(),
                        List.of("evidence"),
                        AlertExpectation.NONE))
            .toList();
    List<RefusedAlert> refusals =
        Arrays.stream(RefusalCode.values())
            .map(code -> new RefusedAlert("VLLM" + code, "waits", code, "0 runs, need 2"))
            .toList();
    AlertReview full =
        new AlertReview(
            review.derived(), new RuleSet(List.of(), "g", 30_000, alerts, refusals),
            review.runs(), review.judgements(), review.lead(), review.test());
    String screen =
        screen(
            new EarnedAlerts(List.of(full), "rules", List.of(), List.of("one is left out")));
    assertThat(screen)
        .contains("alerts   30 of 40 alerts ready")
        .contains("fires when > 0.00", "more, in rules.yaml")
        .contains("promtool test rules rules/rules_test.yaml", "one is left out");
    fits(screen);
  }

  private static String screen(EarnedAlerts alerts) {
    return ScreenWriter.text(
        alerts.answer(new Invocation(List.of(), "rules")), Terminal.PLAIN);
  }

  private static void fits(String screen) {
    assertThat(screen.lines().count()).isLessThanOrEqualTo(24);
    assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
  }
}
