package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.alerting.Promtool;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.writing.RuleSetText;
import tallystick.scenario.Objective;

/** What operators do to a service, and what breaks it, as Prometheus itself judges our rules. */
@NeedsProgram("promtool")
class OperationsTest {
  @TempDir private Path folder;

  @Test
  void restartsAndScalingPageNobodyAndHangsDo() throws Exception {
    RuleSet rules = RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1));
    Files.writeString(folder.resolve("rules.yaml"), RuleSetText.prometheus(rules));
    Files.copy(
        Path.of("src/test/resources/alerting/operations_test.yaml"),
        folder.resolve("operations_test.yaml"));
    assertThat(Promtool.say(folder, "test", "rules", "operations_test.yaml")).contains("SUCCESS");
  }
}
