package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.Promtool;
import tallystick.alerting.PromtoolFile;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.VirtualRun;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.scenario.Objective;

/** A short run as the test of rules, for our own replay and for the real promtool. */
class GeneratedTestTest {
  private static final RuleSet RULES =
      RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1));
  private static String text;
  @TempDir private Path folder;

  @BeforeAll
  static void runOnce() {
    VirtualRun run = RehearsedRuns.brief(RehearsedRuns.Mix.LONG_PROMPTS, 1);
    text = RuleTestText.of(RULES, run, "rules.yaml", Map.of("cluster", "test"));
  }

  @Test
  void itHoldsForOurOwnReplayInBothDialects() {
    for (PrometheusVersion version : PrometheusVersion.values()) {
      PromtoolFile tests = new PromtoolFile(text, RULES.evaluable(), version);
      assertThat(tests.failures()).isEmpty();
      assertThat(tests.checked()).isGreaterThan(20);
    }
    assertThat(text).contains("value: 0").contains("value: 1");
  }

  @Test
  @Tag("promtool")
  void promtoolChecksTheRulesAndPassesTheirTest() throws Exception {
    Files.writeString(folder.resolve("rules.yaml"), RuleSetText.prometheus(RULES));
    Files.writeString(folder.resolve("rules_test.yaml"), text);
    assertThat(Promtool.say(folder, "check", "rules", "rules.yaml")).contains("SUCCESS");
    assertThat(Promtool.say(folder, "test", "rules", "rules_test.yaml")).contains("SUCCESS");
  }
}
