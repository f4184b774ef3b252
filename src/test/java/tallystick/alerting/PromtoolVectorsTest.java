package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.Vectors;

/** Files that the real promtool has passed hold for our own evaluation as well. */
class PromtoolVectorsTest {

  @ParameterizedTest
  @CsvSource({
    "promtool_rate_2.42.yml, V2_42, 390",
    "promtool_rate_3.x.yml, V3, 390",
    "promtool_hq_2.42.yml, V2_42, 108",
    "promtool_hq_3.x.yml, V3, 108"
  })
  void everyQueryOfAPromtoolFileHolds(String file, PrometheusVersion version, int count) {
    PromtoolFile tests = new PromtoolFile(Vectors.text(file), List.of(), version);
    assertThat(tests.failures()).isEmpty();
    assertThat(tests.checked()).isEqualTo(count);
  }

  @ParameterizedTest
  @EnumSource(PrometheusVersion.class)
  void recordingsAndAlertsOfTheRuleFileDoWhatPromtoolSays(PrometheusVersion version) {
    RuleFile rules = RuleFile.read("rules.yml", Vectors.text("rules.yml"));
    PromtoolFile tests =
        new PromtoolFile(Vectors.text("rules_test.yml"), rules.evaluable(), version);
    assertThat(tests.failures()).isEmpty();
    assertThat(tests.checked()).isGreaterThan(20);
  }

  @Test
  void theRuleFileIsReadWithItsLines() {
    RuleFile rules = RuleFile.read("rules.yml", Vectors.text("rules.yml"));
    assertThat(rules.rules()).hasSize(17).allMatch(rule -> rule.fault().isEmpty());
    RuleSource first = rules.rules().getFirst();
    assertThat(first.line()).isEqualTo(5);
    assertThat(first.lineOf(0)).isEqualTo(7);
    assertThat(first.lineOf(first.text().read().indexOf("vllm:"))).isEqualTo(8);
  }
}
