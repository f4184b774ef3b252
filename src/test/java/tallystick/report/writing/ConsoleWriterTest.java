package tallystick.report.writing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunAnalysis.RunFacts;
import tallystick.analysis.result.Stamp;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.report.SampleAnalysis;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class ConsoleWriterTest {
  @Test
  void keepsEveryLineWithinOneHundredColumns() {
    assertThat(SampleAnalysis.console(SampleAnalysis.of(), false).lines())
        .allMatch(line -> line.codePointCount(0, line.length()) <= 100);
  }

  @Test
  void keepsTheLimitWithWordsThatHaveNoEnd() {
    String endless = "x".repeat(260);
    SampleAnalysis sample = new SampleAnalysis();
    sample.run =
        SampleAnalysis.facts(endless, endless, State.FAILED, endless, Manifest.Source.VIRTUAL);
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.FAILURES, Finding.Severity.INVALID, endless, List.of(endless),
                endless));
    assertThat(SampleAnalysis.console(sample.build(), false).lines())
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void namesThatBeginAlikeStayApartWhereTheyAreCut() {
    String wide = "w".repeat(60);
    List<Block.Row> rows =
        Stream.of("VLLMTTFTBudgetBurnPage", "VLLMTTFTBudgetBurnTicket")
            .map(name -> Block.Row.of(Cell.of(name), Cell.of(wide), Cell.of(wide), Cell.of(wide)))
            .toList();
    List<Column> columns =
        List.of(Column.name("a"), Column.words("b"), Column.words("c"), Column.words("d"));
    List<String> lines =
        new ConsoleTable(new Block.Table("", false, columns, rows), 80).lines(false);
    assertThat(lines.get(1)).contains("Page").isNotEqualTo(lines.get(2));
  }

  @Test
  void keepsTheLimitWithALedgerOfVeryLargeCounts() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.reconciliation =
        new Reconciliation(
            Reconciliation.Verdict.NOT_RECONCILED,
            List.of(
                SampleAnalysis.row(
                    Reconciliation.Id.R4, "output tokens of every request", 123456789012.0,
                    987654321098.0, 555555555555.0, "vllm:generation_tokens_total")));
    assertThat(SampleAnalysis.console(sample.build(), false).lines())
        .allMatch(line -> line.length() <= 100)
        .anyMatch(line -> line.contains("864,197,532,086"));
  }

  @Test
  void beginsWithScenarioEngineStateAndVerdict() {
    List<String> lines = SampleAnalysis.console(SampleAnalysis.of(), false).lines().toList();
    assertThat(lines.get(1))
        .isEqualTo("kv-pressure   simulated engine   complete   reconciled with tolerance");
  }

  @Test
  void saysInPlainWordsThatARecordWasNeverClosed() {
    RunFacts run =
        SampleAnalysis.facts("chat", "m", State.OPEN, "", Manifest.Source.REAL);
    assertThat(SampleAnalysis.console(new SampleAnalysis().withRun(run).build(), false))
        .contains("Incomplete: nobody closed the record")
        .contains("vLLM")
        .doesNotContain("simulated");
  }

  @Test
  void saysAtOnceThatAMeasurementIsInvalid() {
    SampleAnalysis sample = new SampleAnalysis();
    sample.findings =
        List.of(
            new Finding(
                Finding.Code.CLIENT_SATURATED, "The harness was late.", List.of(), ""));
    assertThat(SampleAnalysis.console(sample.build(), false).lines().limit(6))
        .anyMatch(line -> line.endsWith("   INVALID"))
        .contains("! INVALID: The harness was late.");
  }

  @Test
  void putsTheClientAndTheEnginesBucketUnderEachOther() {
    List<String> lines = SampleAnalysis.console(SampleAnalysis.of(), false).lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.matches("TTFT +client, intended +s +240 +0\\.284 .* 1\\.42 .*"))
        .anyMatch(line -> line.matches(" +engine +s +240 +0\\.279 .*\\(1, 2\\.5].*"));
  }

  @Test
  void givesTheReasonOfEveryMissingFigure() {
    assertThat(SampleAnalysis.console(SampleAnalysis.of(), false))
        .contains("n/a (n=240, need 368): TTFT client, intended P99");
  }

  @Test
  void showsAOneSidedRunWithItsReason() {
    RunAnalysis oneSided = new SampleAnalysis().oneSided("run with --no-scrape").build();
    assertThat(SampleAnalysis.console(oneSided, false))
        .contains("not checked")
        .contains("preemptions n/a (run with --no-scrape)");
  }

  @Test
  void tellsNoFactByColourAlone() {
    String plain = SampleAnalysis.console(SampleAnalysis.of(), false);
    String coloured = SampleAnalysis.console(SampleAnalysis.of(), true);
    assertThat(plain).doesNotContain("\u001b");
    assertThat(coloured).contains("\u001b[31m");
    assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain);
  }

  @Test
  void letsNoModelNameSteerTheTerminal() {
    RunFacts run =
        SampleAnalysis.facts(
            "chat", "evil\u001b[2Jmodel", State.COMPLETED, "", Manifest.Source.REAL);
    assertThat(SampleAnalysis.console(new SampleAnalysis().withRun(run).build(), false))
        .doesNotContain("\u001b")
        .contains("model evil");
  }

  @Test
  void namesAClosedLoopAndAWarmCache() {
    RunFacts plain = SampleAnalysis.facts("c", "m", State.COMPLETED, "", Manifest.Source.REAL);
    RunFacts run =
        new RunFacts(
            plain.runId(), plain.scenario(), plain.source(), plain.state(), "", true, true,
            plain.model(), plain.targets(), plain.seed(), plain.labels(), plain.versions(),
            plain.host(), plain.startedUtc(), plain.endedUtc(), plain.windowSeconds(),
            "");
    assertThat(SampleAnalysis.console(new SampleAnalysis().withRun(run).build(), false))
        .contains("closed loop: users wait for their answers")
        .contains("warm cache");
  }

  @Test
  void aLongNameOfALatencyStandsApartFromItsFigure() {
    RunAnalysis whole = SampleAnalysis.of();
    Decomposition ttft = whole.decompositions().get(0);
    RunAnalysis renamed =
        new RunAnalysis(
            whole.formatVersion(), whole.run(), whole.findings(), whole.counts(), whole.client(),
            whole.engine(), whole.reconciliation(), whole.comparisons(), whole.objectives(),
            whole.timeline(), whole.harness(),
            List.of(
                new Decomposition(
                    Decomposition.Whole.TTFT_BY_REQUEST, true, "", ttft.whole(), ttft.parts(),
                    Stamp.NONE)),
            whole.stalls(), whole.load(), whole.sessions(),
            whole.phases(), whole.interpretation(), whole.traces(),
            whole.surroundings());
    assertThat(SampleAnalysis.console(renamed, false)).containsPattern("TTFT by request +mean");
  }
}
