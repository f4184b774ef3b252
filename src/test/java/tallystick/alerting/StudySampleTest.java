package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;

/** What a study earned on a real engine is what a Prometheus takes. */
class StudySampleTest {
  private static final Path SAMPLE = Path.of("reports/study-sample");

  @TempDir private Path folder;

  @Test
  void itsThresholdsComeFromARealEngine() throws IOException {
    String rules = Files.readString(SAMPLE.resolve("alerts/rules.yaml"));
    assertThat(rules)
        .contains("valid for: vLLM 0.32.0")
        .doesNotContain("SIMULATED")
        .contains("alert: VLLMTTFTBudgetBurnPage", "alert: VLLMTTFTObjectiveMissed");
    assertThat(Files.readString(SAMPLE.resolve("summary.md"))).contains("5 of 9 alerts");
  }

  @Test
  @NeedsProgram("promtool")
  void promtoolTakesItsRulesAndPassesTheirTest() throws Exception {
    for (String file : new String[] {"rules.yaml", "rules_test.yaml"}) {
      Files.copy(SAMPLE.resolve("alerts").resolve(file), folder.resolve(file));
    }
    assertThat(Promtool.say(folder, "check", "rules", "rules.yaml")).contains("SUCCESS");
    assertThat(Promtool.say(folder, "test", "rules", "rules_test.yaml")).contains("SUCCESS");
  }
}
