package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Strength;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;
import tallystick.runrecord.Manifest.Source;
import tallystick.scenario.Objective;

class FirstScreenTest {
  private static final String GREEN = "\u001b[32m";

  @Test
  void fitsOneScreenHoweverMuchThereIsToSay() {
    String endless = "word ".repeat(40);
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        java.util.Collections.nCopies(
            12, new Finding(Finding.Code.FAILURES, endless, List.of(endless), "Look."));
    for (RunAnalysis analysis : List.of(SampleAnalysis.of(), sample.build())) {
      List<String> lines = text(analysis, false).lines().toList();
      assertThat(lines).hasSizeLessThanOrEqualTo(24);
      assertThat(lines).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    }
    assertThat(text(sample.build(), false)).contains("WARNING  word word", "11 more");
  }

  @Test
  void aWideTerminalHasMoreColumnsAndNoMoreLines() {
    RunAnalysis analysis = SampleAnalysis.of();
    Path folder = Path.of("reports/run");
    String usual = Shown.firstScreen(analysis, folder, Terminal.PLAIN);
    String wide = Shown.firstScreen(analysis, folder, new Terminal(false, 300));

    assertThat(usual).doesNotContain("client mean");
    assertThat(wide).contains(" P50", "engine mean");
    assertThat(wide.lines().count()).isLessThanOrEqualTo(usual.lines().count());
    assertThat(wide.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 120);
    assertThat(Shown.firstScreen(analysis, folder, new Terminal(false, 40))).isEqualTo(usual);
  }

  @Test
  void ofMoreObjectivesThanHaveRoomThoseThatAreBrokenAreShownAndTheRestIsCounted() {
    SampleAnalysis sample = new SampleAnalysis();
    List<ObjectiveResult> many = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      many.addAll(sample.objectives.reversed());
    }
    sample.objectives = many;
    String text = text(sample.build(), false);
    assertThat(text.lines().toList()).hasSizeLessThanOrEqualTo(24);
    assertThat(text)
        .contains("missed (sure)")
        .doesNotContain("not proven (", "met (99.42 %)")
        .containsPattern("more objectives: \\d missed \\(sure\\), 10 too close to call, 10 met");
  }

  @Test
  void aCommandCanBeTypedAsItStands() {
    String folder = "/home/somebody/reports/slow/kv-pressure-virtual-20261123-175538-0001";
    String text = Shown.firstScreen(SampleAnalysis.of(), Path.of(folder), Terminal.PLAIN);
    assertThat(text)
        .containsPattern("\\./tally open \\\\\n {9,13}" + Pattern.quote(folder) + "\n");
  }

  @Test
  void anInvalidRunShowsWhatItIsInvalidBy() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.LEDGER_DIFFERS, Finding.Severity.INVALID, "They differ.",
                List.of("R4 output tokens: client 21908, engine 21909"), "Look."));
    assertThat(text(sample.build(), false))
        .contains("INVALID  They differ.\n         R4 output tokens: client 21908, engine 21909");
  }

  /** A late client made no server refuse, and no shard be missing. */
  @Test
  void aSaturatedClientHidesNoOtherReason() {
    Finding late =
        new Finding(
            Finding.Code.CLIENT_SATURATED, "It was late.", List.of("stood still"), "Close others.");
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            late,
            new Finding(
                Finding.Code.NO_REQUEST_SUCCEEDED, "None ended well.", List.of("66 HTTP 401"),
                "Give a key."));
    assertThat(text(sample.build(), false))
        .contains("INVALID  None ended well.\n         It was late.\n         66 HTTP 401")
        .contains("NEXT     Give a key.")
        .doesNotContain("Close others.");
    sample.findings =
        List.of(
            late, new Finding(Finding.Code.FAILURES, "Most failed.", List.of(), "Lift the limit."));
    assertThat(text(sample.build(), false)).contains("NEXT     Close others.");
    sample.failed = 200;
    assertThat(text(sample.build(), false))
        .contains("INVALID  It was late.", "WARNING  Most failed.", "NEXT     Lift the limit.");
    sample.findings = List.of(late);
    assertThat(text(sample.build(), false)).contains("INVALID  It was late.", "NEXT     Close o");
  }

  @Test
  void anEngineThatDiedIsWhyALedgerIsOpen() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            new Finding(Finding.Code.FAILURES, "Some failed.", List.of(), "Read them."),
            new Finding(
                Finding.Code.ENGINE_DIED, "It died.", List.of("3 scrapes failed"), "Ask its log."));
    sample.reconciliation =
        new Reconciliation(Reconciliation.Verdict.NOT_RECONCILED, sample.reconciliation.rows());
    String text = text(sample.build(), false);
    assertThat(text)
        .contains("INVALID  It died.\n         3 scrapes failed", "NEXT     Ask its log.")
        .containsOnlyOnce("It died.")
        .doesNotContain("counted differently");
    sample.reconciliation =
        new Reconciliation(Reconciliation.Verdict.RECONCILED, sample.reconciliation.rows());
    assertThat(text(sample.build(), false)).doesNotContain("INVALID").contains("It died.");
  }

  @Test
  void latenessIsToldOfAnyNumberOfRequests() {
    assertThat(text(SampleAnalysis.of(), false))
        .containsPattern("sent[ \\n]+within[ \\n]+[\\d.]+[ \\n]+ms[ \\n]+of[ \\n]+schedule")
        .doesNotContain("late P99 n/a");
  }

  @Test
  void aRunThatKeptAllNamesTheCommandThatFindsHowMuchMore() {
    String asked = "./tally capacity 'my chat.yaml' --target http://10.0.0.7:8000";
    assertThat(next("run 'my chat.yaml' --target http://10.0.0.7:8000 --out x", Source.REAL))
        .contains(asked);
    assertThat(next("run chat.yaml --set workload.rate=8", Source.EMBEDDED))
        .contains("./tally capacity chat.yaml --set workload.rate=8 --rehearse");
    assertThat(next("simulate chat.yaml --fault slow:decode=3", Source.VIRTUAL))
        .doesNotContain("capacity");
    assertThat(next("run chat.yaml --set request.headers.X=…", Source.REAL))
        .doesNotContain("capacity");
    assertThat(next("", Source.REAL)).doesNotContain("capacity");
  }

  @Test
  void afterADeathTheEnginesLogComesBeforeTheRequestsThatFailedOfIt() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.failed = 200;
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.ENGINE_DIED, "The engine died.", List.of(), "Look for its exit."),
            new Finding(Finding.Code.FAILURES, "Most failed.", List.of(), "Read the outcomes."));

    assertThat(text(sample.build(), false))
        .contains("NEXT     Look for its exit.")
        .doesNotContain("Read the outcomes.");
  }

  @Test
  void theIntervalOfWhatIsNotProvenKeepsItsEndInEightyColumns() {
    SampleAnalysis sample = new SampleAnalysis();
    Figure one = Figure.of(1);
    sample.objectives =
        List.of(
            new ObjectiveResult(
                new Objective(Objective.Metric.TTFT, 0.5, 0.9, ""), 240, 240, Figure.of(0.761), one,
                Judgement.Verdict.MET,
                Strength.TOO_CLOSE, one,
                new ObjectiveEvidence(one, one, one, one, Figure.of(2100), "too few")));

    assertThat(text(sample.build(), false)).contains("too close to call");
  }

  @Test
  void anOpenObjectiveOfAClassTellsHowLongItsOwnRequestsTake() {
    SampleAnalysis sample = new SampleAnalysis();
    Figure one = Figure.of(1);
    sample.findings = List.of();
    sample.interpretation = Interpretation.absent("one phase");
    sample.objectives =
        List.of(
            new ObjectiveResult(
                new Objective(Objective.Metric.E2E, 20, 0.95, "summary"), 48, 48,
                Figure.of(0.94), one, Judgement.Verdict.MET,
                Strength.TOO_CLOSE, one,
                new ObjectiveEvidence(one, one, one, one, Figure.of(140), "too few")));
    String text = text(sample.build(), false).replaceAll("\\s+", " ");
    // 48 of them came in 61.8 s.
    assertThat(text)
        .contains("more would settle it")
        .contains("E2E of summary 20 s 48 of 48 100 % too close to call")
        .doesNotContain(" P50");
  }

  @Test
  void aPromiseThatOnlyFailuresBrokeIsNoQuestionOfTime() {
    SampleAnalysis sample = new SampleAnalysis();
    ObjectiveResult slow = sample.objectives.getFirst();
    assertThat(text(sample.build(), false)).doesNotContain("too slow");
    sample.objectives =
        List.of(
            new ObjectiveResult(
                slow.objective(), 238, 240, slow.low(), slow.high(), slow.verdict(),
                slow.strength(), slow.share(),
                slow.evidence()));
    assertThat(text(sample.build(), false)).doesNotContain("too slow");
    sample.failure = "http_error";
    assertThat(text(sample.build(), false).replaceAll("\\s+", " "))
        .contains("; the 2 that broke it failed, none was too slow");
  }

  private static String next(String typed, Source source) {
    SampleAnalysis sample = new SampleAnalysis();
    RunAnalysis.RunFacts run = SampleAnalysis.facts("c", "m", State.COMPLETED, "", source);
    sample.withRun(
        new RunAnalysis.RunFacts(
            run.runId(), run.scenario(), source, run.state(), "", false, false, run.model(),
            List.of("http://10.0.0.7:8000"), 7, Map.of(), run.versions(),
            Map.of("command", typed), run.startedUtc(), run.endedUtc(), 60, ""));
    ObjectiveResult first = sample.objectives.getFirst();
    sample.objectives =
        List.of(
            new ObjectiveResult(
                first.objective(), 240, 240, first.high(), first.high(),
                Judgement.Verdict.MET, Strength.SURE, first.high(), first.evidence()));
    sample.findings = List.of();
    String text = text(sample.build(), false).replaceAll("\\\\?\\s+", " ");
    return text.substring(text.indexOf("NEXT"));
  }

  @Test
  void answersInTheOrderOfTheQuestions() {
    String text = text(SampleAnalysis.of(), false);
    assertThat(text).contains("1 of 3 objectives (sure): TTFT: 88.33 % within 1 s, 95 % wanted");
    assertThat(text.indexOf("MISSED")).isLessThan(text.indexOf("TRUST"));
    assertThat(text.indexOf("TRUST")).isLessThan(text.indexOf("WHY"));
    assertThat(text.indexOf("WHY")).isLessThan(text.indexOf("NEXT"));
    assertThat(text)
        .containsPattern("TTFT( +0\\.\\d+ s)? +1\\.42 s +\\(1, 2\\.5] s +1 s +88.33 % +missed");
  }

  @Test
  void anInvalidRunHasNoVerdictAndNothingGreen() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.CLIENT_SATURATED, "The harness was late.", List.of(), "Lower it."));
    String text = text(sample.build(), true);
    assertThat(text)
        .contains("\u001b[31mINVALID", "The harness was late.", "counts only", "Lower it.")
        .doesNotContain(GREEN, "MISSED", "WHY", "violated", "met");
  }

  @Test
  void aDamagedRecordLeavesNothingToTrust() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            new Finding(Finding.Code.CLIENT_SATURATED, "Late.", List.of(), ""),
            new Finding(Finding.Code.ROWS_MISSING, "Rows are missing.", List.of(), ""));
    assertThat(text(sample.build(), false))
        .contains("TRUST    no (client against engine: ")
        .doesNotContain("counts only");
  }

  @Test
  void aLedgerThatDoesNotCloseIsInvalidWhateverItsFindingSays() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(new Finding(Finding.Code.LEDGER_OPEN, "Open.", List.of(), ""));
    sample.reconciliation =
        new Reconciliation(Reconciliation.Verdict.NOT_RECONCILED, List.of());
    assertThat(text(sample.build(), true))
        .contains("INVALID  Client and engine counts do not match", "TRUST    no")
        .doesNotContain(GREEN, "MISSED");
  }

  @Test
  void anInterruptedRunIsTrustedInPart() {
    RunAnalysis analysis =
        new SampleAnalysis()
            .withRun(
                SampleAnalysis.facts("c", "m", State.INTERRUPTED, "", Manifest.Source.REAL))
            .build();
    assertThat(text(analysis, true)).contains("\u001b[33mTRUST    in part");
  }

  private static String text(RunAnalysis analysis, boolean colour) {
    return Shown.firstScreen(
        analysis, Path.of("reports/run"), new Terminal(colour, Terminal.USUAL_COLUMNS));
  }
}
