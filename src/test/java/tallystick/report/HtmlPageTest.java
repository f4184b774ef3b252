package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.alerting.FirstRules;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunAnalysis.RunFacts;
import tallystick.answer.Section;
import tallystick.report.writing.HtmlPage;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class HtmlPageTest {
  private static final String EVIL = 
      "</script><script>alert('x'); window.owned = 1</script>\\\"onload=\"y<img src=x>";

  @Test
  void stampsASimulatedEngineInTheHeadline() throws IOException {
    String page = page(SampleAnalysis.of());
    assertThat(page.substring(0, page.indexOf("</header>"))).contains("simulated engine");
  }

  @Test
  void asksNothingOfTheNetwork() throws IOException {
    assertThat(page(SampleAnalysis.of()))
        .doesNotContainPattern("(src|href|action|poster)=\"(?!data:,\"|#[a-z])")
        .doesNotContainPattern("url\\(|@import|fetch\\(|XMLHttpRequest|WebSocket|import\\(")
        .contains("default-src 'none'");
  }

  @Test
  void escapesEveryTextOfStrangers() throws IOException {
    String page = hostile();
    assertThat(page).contains("&lt;script&gt;").doesNotContain("<script>alert");
    assertThat(page.split("<script", -1)).hasSize(3);
    // Inside the script of values a name is a string of JSON.
    assertThat(page.replaceAll("(?s)<script type.*?</script>", "")).doesNotContain("\"onload=");
  }

  /** A page whose every text, up to the names of engines, is a stranger's attack. */
  static String hostile() throws IOException {
    RunFacts run =
        new RunFacts(
            EVIL, EVIL, Manifest.Source.REAL, State.FAILED, EVIL, false, false, EVIL,
            java.util.List.of(EVIL), 1, Map.of(EVIL, EVIL), Map.of("tally", EVIL),
            Map.of("os", EVIL), EVIL, EVIL, 60,
            "");
    return page(new SampleAnalysis().withRun(run).ownedBy(EVIL).oneSided(EVIL).build());
  }

  @Test
  void drawsBothSidesOverOneTimeAxis() throws IOException {
    String page = page(SampleAnalysis.of());
    assertThat(page.indexOf("Time to first token"))
        .isLessThan(page.indexOf("Requests in the engine"));
    assertThat(page.split("class=\"x\"", -1)).hasSize(2);
    assertThat(page.split("<svg class=\"plot\"", -1)).hasSize(8);
    assertThat(page).contains("<title>client: Time to first token over time (P50, P95)</title>");
  }

  @Test
  void showsEachRefusedAlertWithWhatIsMissing() throws IOException {
    assertThat(page(SampleAnalysis.of()))
        .contains("VLLMPreemptionRelatedDegradation")
        .contains("0 violated of 1 steps in this run, need &gt;= 2");
  }

  @Test
  void saysWhyAFigureIsMissing() throws IOException {
    assertThat(page(SampleAnalysis.of())).contains("n/a <small>(n=240, need 368)</small>");
  }

  @Test
  void leavesOutTheTimelineOfARunWithoutSamples() throws IOException {
    RunAnalysis whole = SampleAnalysis.of();
    RunAnalysis empty =
        new RunAnalysis(
            whole.formatVersion(), whole.run(), whole.findings(), whole.counts(), whole.client(),
            whole.engine(), whole.reconciliation(), whole.comparisons(), whole.objectives(),
            new tallystick.analysis.result.Timeline(1, java.util.List.of(), java.util.List.of()),
            whole.harness(), whole.decompositions(), whole.stalls(), whole.load(), whole.sessions(),
            whole.phases(),
            whole.interpretation(), whole.traces(), whole.surroundings());
    assertThat(page(empty)).contains("No timeline").doesNotContain("id=\"tracks\"");
  }

  private static String page(RunAnalysis analysis) throws IOException {
    Section alerts = FirstRules.section(analysis);
    return HtmlPage.of(RunDocument.of(analysis, alerts), "");
  }
}
