package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;

class RunPairTest {
  private static final RunAnalysis OTHER = other();

  @Test
  void namesBothRunsAndGivesNoVerdict() {
    String text = text(pair());
    assertThat(text)
        .contains("A 20261121-014203-kv-pressure · kv-pressure · simulated engine · complete")
        .contains("B 20261121-014203-kv-pressure · kv-pressure · real server · interrupted")
        .contains("No verdict");
  }

  @Test
  void listsOnlyWhatDiffers() {
    List<String> lines = text(pair()).lines().toList();
    int from = lines.indexOf("Settings and versions that differ");
    int to = lines.indexOf("Load, engine, objectives");
    assertThat(lines.subList(from, to))
        .anyMatch(line -> line.matches("model +sim-8b +llama-8b"))
        .anyMatch(line -> line.matches("engine +simulated engine +real server"))
        .anyMatch(line -> line.matches("phase main +4.00/s, from 0 s to 60.0 s +8.00/s, .*"))
        .noneMatch(line -> line.startsWith("seed"))
        .noneMatch(line -> line.startsWith("duration"));
  }

  @Test
  void whereTheSeedEndsTheWarmUpIsNoSetting() {
    String drawn = warmedUp(3_914_207_331L, 4_020_118_907L);
    String set = warmedUp(10_000_000_000L, 20_000_000_000L);

    assertThat(drawn).doesNotContain("phase warmup");
    assertThat(set).containsPattern("phase warmup +4.00/s, from 0 s to 10.0 s +4.00/s, from 0 s");
  }

  /** An open loop without a cap holds 0 for it, which nobody set. */
  @Test
  void aLoopWithoutACapHasNoLimitOfConcurrency() {
    assertThat(text(pair(SampleAnalysis.of(), plan(4), OTHER, plan(8, 4.0))))
        .containsPattern("concurrency +no limit +8");
  }

  private static String warmedUp(long first, long second) {
    return text(
        pair(
            SampleAnalysis.of(), plan(4, new Phase(Phase.WARMUP, true, 0, first, 4)), OTHER,
            plan(4, new Phase(Phase.WARMUP, true, 0, second, 4))));
  }

  @Test
  void putsBothRunsUnderEachOtherInOneUnit() {
    List<String> lines = text(pair()).lines().toList();
    assertThat(lines)
        .anyMatch(line -> line.matches("TTFT +engine +A +s +240 .*\\(1, 2\\.5].*"))
        .anyMatch(line -> line.matches("TTFT +client, intended +B +s .*"));
  }

  @Test
  void laysDistributionsAndTimelinesOneOverTheOther() {
    String page = AnswerFiles.page(said(pair()));
    String overlaid = page.substring(page.indexOf("id=\"overlaid\""));
    assertThat(overlaid)
        .contains(">TTFT</a></h3>", ">E2E</a></h3>", "A and B over time", "Time to first token, ")
        .contains("data-name=\"A\"", "data-name=\"B\"", "stroke-dasharray");
  }

  @Test
  void fitsTheTerminal() {
    assertThat(text(pair()).lines())
        .allMatch(line -> line.length() <= 120);
  }

  @Test
  void writesEachGridAsATable() {
    assertThat(AnswerFiles.markdown(said(pair())))
        .contains("## Settings and versions that differ")
        .contains("## Ledgers")
        .contains("n/a (n=240, need 368)");
  }

  @Test
  void thePageLeadsFromAToBPartByPartWithoutAVerdict() {
    String page = AnswerFiles.page(said(pair()));
    assertThat(page)
        .contains("one run each, so chance is not excluded", "Max gap P95")
        .contains("From A to B, part by part", "class=\"waterfall change\"")
        .contains("B my &lt;b&gt;")
        .doesNotContain("NaN", "class=\"row good\"", "class=\"row bad\"", "<b>");
  }

  @Test
  void thePageSaysAtItsHeadWhatAnswered() {
    RunAnalysis simulated = SampleAnalysis.of();
    assertThat(AnswerFiles.page(said(pair(simulated, simulated))))
        .containsOnlyOnce("<span class=\"chip caution\">simulated engine</span>");
    assertThat(AnswerFiles.page(said(pair())))
        .contains(
            "<span class=\"chip caution\">A: simulated engine</span>",
            "<span class=\"chip plain\">B: real server</span>");
  }

  static RunPair pair() {
    return pair(SampleAnalysis.of(), plan(4), OTHER, plan(8));
  }

  private static RunPair pair(
      RunAnalysis first, Settings firstPlan, RunAnalysis second, Settings secondPlan) {
    return new RunPair(
        new RunPair.Side("reports/a", first, firstPlan),
        new RunPair.Side("my <b>", second, secondPlan));
  }

  /** Both of one plan. */
  static RunPair pair(RunAnalysis first, RunAnalysis second) {
    return pair(first, plan(4), second, plan(4));
  }

  static Answer said(RunPair pair) {
    return pair.answer(new Invocation(List.of(), ""));
  }

  private static String text(RunPair pair) {
    return ScreenWriter.withAccount(said(pair), new Terminal(false, 100));
  }

  private static Settings plan(double rate, Phase... before) {
    return plan(0, rate, before);
  }

  private static Settings plan(int cap, double rate, Phase... before) {
    List<Phase> phases = new ArrayList<>(List.of(before));
    phases.add(new Phase("main", false, 0, 60_000_000_000L, rate));
    return new Settings(
        "kv-pressure", 7, Endpoint.COMPLETIONS, "", List.of(), LoopShape.OPEN, cap,
        phases, List.of(),
        new Settings.Timing(60_000_000_000L, 1_000_000_000L, 300_000_000_000L),
        new RequestForm(true, false, true, "{}", Map.of()), Map.of(),
        List.of(),
        Scenario.Access.PLAIN,
        Scenario.StopRules.NEVER,
        List.of());
  }

  private static RunAnalysis other() {
    return new SampleAnalysis()
        .oneSided("run with --no-scrape")
        .withRun(
            SampleAnalysis.facts(
                "kv-pressure", "llama-8b", State.INTERRUPTED, "Ctrl-C", Manifest.Source.REAL))
        .build();
  }
}
