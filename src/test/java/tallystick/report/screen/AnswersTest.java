package tallystick.report.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.WaitPart;
import tallystick.report.Judged;
import tallystick.report.SampleAnalysis;
import tallystick.report.markup.Markup;
import tallystick.scenario.Objective;

class AnswersTest {
  private final SampleAnalysis sample = new SampleAnalysis();

  /** Nothing points anywhere. */
  @BeforeEach
  void quiet() {
    sample.findings = List.of();
    sample.interpretation = Interpretation.absent("nothing to compare with");
    sample.decompositions = List.of(mostly(Decomposition.Whole.TTFT, WaitPart.OUTSIDE));
  }

  @Test
  void theFirstAnswerBeginsWithTheVerdictsWord() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MISSED, 0));
    assertThat(page()).contains("Missed: the objective (sure): TTFT: ");
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MET, 0));
    assertThat(page()).contains("Met: the objective (sure).");
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.TOO_CLOSE, 0));
    assertThat(page()).contains("Too close: TTFT: ");
  }

  @Test
  void aRunThatChangedAgainstItsBaselineIsNotSaidToNeedNothing() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MET, 0));
    assertThat(page()).contains("Nothing needs fixing");
    sample.interpretation = new SampleAnalysis().interpretation;
    assertThat(sample.interpretation.directions()).isNotEmpty();
    assertThat(page()).doesNotContain("Nothing needs fixing").contains("See below what changed");
  }

  @Test
  void aViolatedRunIsNeverSaidToNeedNoMending() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MISSED, 0));
    assertThat(page())
        .contains("./tally report FOLDER --baseline RUN  # RUN: a healthy run")
        .contains("; FOLDER: this run")
        .doesNotContain("Nothing needs fixing");
  }

  @Test
  void aViolatedRunThatQueuedIsSentToTheRateThatHolds() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MISSED, 0));
    sample.decompositions = List.of(mostly(Decomposition.Whole.TTFT, WaitPart.QUEUE));
    assertThat(page()).contains("tally capacity SCENARIO").doesNotContain("--baseline");
  }

  @Test
  void whatIsNotProvenSaysHowLongARunWouldProveIt() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.TOO_CLOSE, 2400));
    assertThat(page()).contains("Run longer: ").doesNotContain("Nothing needs fixing");
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.TOO_CLOSE, 0));
    assertThat(page()).contains("Run longer, with more").doesNotContain("Nothing needs fixing");
  }

  @Test
  void partsThatAreNotKnownAreNotNamed() {
    sample.decompositions =
        List.of(Decomposition.absent(Decomposition.Whole.TTFT, "populations differ"));
    assertThat(page()).contains(
        "This run cannot tell.", "TTFT cannot be split: populations differ");
  }

  @Test
  void onlyAMetRunNeedsNothing() {
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MET, 0));
    assertThat(page()).contains("Nothing needs fixing");
    sample.objectives = List.of();
    assertThat(page()).contains("Set objectives").doesNotContain("Nothing needs fixing");
    sample.findings =
        List.of(new Finding(Finding.Code.ROWS_MISSING, "Rows are missing.", List.of(), ""));
    assertThat(page()).doesNotContain("Nothing needs fixing", "Set objectives");
  }

  @Test
  void engineOrNotIsOfTheTimeThatBrokeItsPromise() {
    sample.decompositions =
        List.of(
            mostly(Decomposition.Whole.TTFT, WaitPart.OUTSIDE),
            mostly(Decomposition.Whole.E2E, WaitPart.DECODE));
    sample.objectives = List.of(result(Objective.Metric.TPOT, Judged.MISSED, 0));
    assertThat(page())
        .contains("Mostly the engine: decode is 90 % of the mean E2E")
        .doesNotContain("outside the engine");
    sample.objectives = List.of(result(Objective.Metric.TTFT, Judged.MISSED, 0));
    assertThat(page()).contains("Mostly outside the engine");
  }

  /** A real vLLM answered 268 by its responses, which tell no tokens by chunk: 38 had no TPOT. */
  @Test
  void goodputIsALeastWhereAnswersDoNotTell() {
    assertThat(screen()).contains("3.88 good/s").doesNotContain("at least");
    sample.judged = 202;
    assertThat(screen()).contains("at least 3.88 good/s, 38 cannot be judged");
  }

  private String screen() {
    return ScreenWriter.text(
            RunAnswer.of(sample.build(), Path.of("reports/x"), List.of(), List.of(), false),
            Terminal.PLAIN)
        .replaceAll("\\s+", " ");
  }

  private String page() {
    Markup html = new Markup();
    Answers.draw(html, sample.build());
    return html.toString();
  }

  private static Decomposition mostly(Decomposition.Whole quantity, WaitPart part) {
    return new Decomposition(
        quantity, true, "", Interval.of(1, 0.9, 1.1),
        List.of(new Decomposition.Part(part, Interval.of(0.9, 0.8, 1), "")), Stamp.NONE);
  }

  private static ObjectiveResult result(
      Objective.Metric metric, Judgement judged, double needed) {
    Figure none = Figure.missing("not asked");
    Figure more = needed > 0 ? Figure.of(needed) : none;
    return new ObjectiveResult(
        new Objective(metric, 0.5, 0.95, ""), 1, 2, none, none,
        judged.verdict(), judged.strength(), none,
        new ObjectiveEvidence(none, none, none, none, more, ""));
  }
}
