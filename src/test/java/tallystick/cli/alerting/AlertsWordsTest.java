package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.LeadTime;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.ConditionScore;
import tallystick.alerting.review.EarnedAlerts;
import tallystick.alerting.review.LeadReview;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.writing.RuleSetText;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.cli.FrozenWords;
import tallystick.report.AnswerFiles;
import tallystick.report.Reports;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.scenario.Objective;

/** What derived alerts say, earned and refused, on the screen, whole, as pages and for programs. */
class AlertsWordsTest {
  private static final List<DerivationRun> RUNS = RehearsedRuns.twoMixes(2, false);

  @TempDir private Path folder;

  @Test
  void alertsThatRunsEarn() throws IOException {
    List<AlertReview> reviews = List.of(reviewed(RehearsedRuns.OBJECTIVE));
    check("earned", reviews, List.of("one is left out"));
    FrozenWords.check(
        "alerts/earned-wide",
        ScreenWriter.text(said(reviews, List.of()), new Terminal(false, 120)));
  }

  /** What the screen's and the summary's table say of an alert, its rule says, and of each. */
  @Test
  void theScreenTheSummaryAndTheRulesAgree() throws IOException {
    AlertReview review = reviewed(RehearsedRuns.OBJECTIVE);
    String rules = RuleSetText.prometheus(review.rules()).replaceAll("\\s+", " ");
    Answer answer = said(List.of(review), List.of());
    AnswerFiles.write(answer, folder, "2026-01-01T12:00:00Z");
    List<String> summary = tableRows(Files.readString(folder.resolve("summary.md")));
    List<String> named = new ArrayList<>();
    for (String line : summary) {
      List<String> cells = List.of(line.substring(2, line.length() - 2).split(" \\| "));
      assertThat(cells).hasSize(9);
      String alert = cells.get(0);
      named.add("VLLM" + alert);
      String rule = rules.split("- alert: VLLM" + alert + " ")[1].split("- alert: ")[0];
      assertThat(rule).contains("severity: " + cells.get(2));
      assertThat(rule).contains("strength: '" + cells.get(3) + ": " + cells.get(8) + "'");
      if (!cells.get(7).equals("n/a")) {
        assertThat(rule).contains("false_alarms: " + cells.get(7));
      }
      Matcher limit = Pattern.compile("> ([0-9.]+)( %)?").matcher(cells.get(1));
      assertThat(limit.find()).isTrue();
      double value = Double.parseDouble(limit.group(1)) / (limit.group(2) == null ? 1 : 100);
      assertThat(rule).contains("> " + RuleWords.number(value));
      for (int columns : new int[] {80, 120}) {
        String screen = ScreenWriter.text(answer, new Terminal(false, columns));
        screen
            .lines()
            .filter(one -> one.startsWith(alert + " "))
            .forEach(one -> assertThat(one).contains(cells.get(2), cells.get(3), cells.get(7)));
      }
    }
    assertThat(review.rules().alerts().stream().map(RuleSet.Rule::name))
        .filteredOn(name -> !RuleBook.ABSENCE.contains(name))
        .containsExactlyInAnyOrderElementsOf(named);
  }

  /** The rows of the first table. */
  private static List<String> tableRows(String summary) {
    return summary.lines()
        .dropWhile(line -> !line.startsWith("|---"))
        .skip(1)
        .takeWhile(line -> line.startsWith("| "))
        .toList();
  }

  @Test
  void alertsOfTwoObjectives() throws IOException {
    Objective pace = new Objective(Objective.Metric.TPOT, 0.05, 0.95, "");
    check("two", List.of(reviewed(RehearsedRuns.OBJECTIVE), reviewed(pace)), List.of());
  }

  @Test
  void oneRunThatEarnsNothing() throws IOException {
    AlertReview one =
        AlertReview.of(RUNS.subList(0, 1), AlertRequest.usual(RehearsedRuns.OBJECTIVE));
    check("one-run", List.of(one), List.of());
  }

  @Test
  void everyKindOfRefusal() throws IOException {
    DerivedAlerts made = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    List<SignalOutcome> refused = new ArrayList<>();
    Requirement[] needs = Requirement.values();
    for (int i = 0; i < needs.length; i++) {
      Signal signal = Signal.values()[i % Signal.values().length];
      if (refused.stream().noneMatch(one -> one.signal() == signal)) {
        refused.add(refused(signal, needs[i]));
      }
    }
    check("refused", List.of(made(made, refused)), List.of());
    for (Requirement need :
        List.of(Requirement.STEPS, Requirement.TRUSTED_RUNS, Requirement.TRANSFER)) {
      List<SignalOutcome> all = new ArrayList<>();
      for (Signal signal : Signal.values()) {
        all.add(refused(signal, need));
      }
      check("refused-" + need.name().toLowerCase(), List.of(made(made, all)), List.of());
    }
  }

  @Test
  void leadTimesOnRamps() throws IOException {
    DerivedAlerts made = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    check("lead", List.of(made(made, made.outcomes())), List.of("first", "second"));
  }

  private static AlertReview reviewed(Objective objective) {
    return AlertReview.of(RUNS, AlertRequest.usual(objective));
  }

  private static SignalOutcome refused(Signal signal, Requirement need) {
    return new SignalOutcome.Refused(
        signal,
        List.of(new UnmetRequirement(need, 0, 1, "0 seen, need >= 1")));
  }

  /** What a derivation says, with lead times and a note. */
  private static AlertReview made(DerivedAlerts of, List<SignalOutcome> outcomes) {
    DerivedAlerts derived =
        MadeAlerts.of(
            of.request(), of.edge(), outcomes, of.holdMillis(), of.query(), of.validity());
    AlertReview real = reviewed(RehearsedRuns.OBJECTIVE);
    List<AlertScore> scores = real.judgements().getFirst().scores();
    LeadReview lead =
        new LeadReview(
            List.of("ramp-1", "ramp-2"),
            List.of(
                new LeadTime("VLLMHighTTFT", List.of(130.0, 150.0), 2, 0.95),
                new LeadTime("VLLMQueueTimeHigh", List.of(-90.0), 2, Double.NaN)),
            List.of(new LeadTime("ttft_p95 (signal)", List.of(10.0, 20.0), 2, 0.7)));
    return new AlertReview(
        derived, RuleBook.of(derived), real.runs(),
        List.of(
            new ConditionScore("on the same runs", scores, List.of("a note")),
            new ConditionScore(ConditionScore.RUN_LEFT_OUT, List.of(), List.of())),
        lead, Optional.empty());
  }

  private static Answer said(List<AlertReview> reviews, List<String> cautions) {
    return new EarnedAlerts(reviews, "rules", List.of("rules.yaml"), cautions)
        .answer(new Invocation(List.of(), "rules"));
  }

  private static void check(String name, List<AlertReview> reviews, List<String> cautions)
      throws IOException {
    Answer answer = said(reviews, cautions);
    FrozenWords.check("alerts/" + name, ScreenWriter.text(answer, Terminal.PLAIN));
    String account =
        FrozenWords.account(ScreenWriter.withAccount(answer, new Terminal(false, 120)));
    FrozenWords.check(
        "alerts/" + name + "-verbose", account.substring(0, account.indexOf("Written to rules:")));
    FrozenWords.checkPage(
        "alerts/" + name + "-page",
        AnswerFiles.page(
            EarnedAlerts.page(reviews.getLast()), "The rules themselves are in rules.yaml."));
    FrozenWords.checkJson("alerts/" + name, Reports.json(answer.figures().record()));
  }
}
