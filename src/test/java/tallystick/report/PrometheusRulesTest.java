package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.FirstRules;
import tallystick.alerting.RefusalCode;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Manifest.Ending.State;

class PrometheusRulesTest {
  @Test
  void namesEachAlertOfTheGuideWithItsRefusal() throws IOException {
    assertThat(text(SampleAnalysis.of()))
        .contains("# alert: VLLMHighTTFT\n")
        .contains("# alert: VLLMQueueTimeHigh\n")
        .contains("# alert: VLLMPreemptionRelatedDegradation\n")
        .contains(
            "refused: no_violating_window: 0 violated of 1 steps in this run, need >= 2\n");
  }

  @Test
  void refusesByTheLedgerFirst() throws IOException {
    assertThat(text(new SampleAnalysis().oneSided("--no-scrape").build()))
        .contains("refused: unreconciled: ")
        .doesNotContain("no_violating_window");
  }

  @Test
  void stampsASimulatedEngineInTheFile() throws IOException {
    assertThat(text(SampleAnalysis.of())).contains("# engine: simulated engine\n");
  }

  @Test
  void letsNoNameEndAComment() throws IOException {
    var run =
        SampleAnalysis.facts(
            "a\ngroups: []\n", "m\r\nx: y", State.COMPLETED, "", Manifest.Source.REAL);
    RunAnalysis analysis = new SampleAnalysis().withRun(run).build();
    String missing = "1\n    - alert: Evil";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new PrometheusRules(
            List.of(
                new RefusedAlert("A\nB", "w\u0085v", RefusalCode.UNSTABLE, missing)))
        .write(analysis, out);
    assertThat(out.toString(StandardCharsets.UTF_8).lines().map(String::strip))
        .allMatch(
            line ->
                line.startsWith("#")
                    || List.of("groups:", "- name: vllm-serving", "rules: []").contains(line));
  }

  @Test
  @Tag("promtool")
  void passesPromtool(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("rules.yaml");
    Files.writeString(file, text(SampleAnalysis.of()));
    Process promtool =
        new ProcessBuilder("promtool", "check", "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(promtool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.exitValue()).as(said).isZero();
  }

  private static String text(RunAnalysis analysis) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new PrometheusRules(FirstRules.refusals(analysis)).write(analysis, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
