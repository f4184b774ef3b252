package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.NeedsProgram;
import tallystick.alerting.Promtool;
import tallystick.alerting.PromtoolFile;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.RuleFile;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.writing.RuleSetText;
import tallystick.alerting.writing.RuleTestText;
import tallystick.promql.PrometheusVersion;
import tallystick.runrecord.MemoryRun;
import tallystick.scenario.Objective;

/** A short run as the test of rules, for our own replay and for the real promtool. */
class GeneratedTestTest {
  private static final DerivedAlerts DERIVED =
      MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
  private static final RuleSet RULES = RuleBook.of(DERIVED);
  private static final String SECOND_GROUP = "- name: agreement with our own replay";
  private static RuleTest test;
  private static String text;
  @TempDir private Path folder;

  /** What a hand could do to rules that hold; each breaks a promise. */
  enum Damage {
    OUT_OF_REACH("ObjectiveMissed", rules -> rules.replace("5m > 0.03\n", "5m > 1\n")),
    AT_NOTHING("HighTTFT", rules -> rules.replace("p95_5m > 0.75\n", "p95_5m > 0.0001\n")),
    TURNED_ROUND("HighTTFT", rules -> rules.replace("p95_5m > 0.75\n", "p95_5m < 0.75\n")),
    HELD_TOO_LONG("HighTTFT", rules -> rules.replace("for: 1m\n", "for: 20m\n")),
    OTHER_SEVERITY("QueueTimeHigh", rules -> rules.replace("severity: ticket", "severity: info")),
    OTHER_GROUPING("QueueTimeHigh", rules -> rules.replace("cluster, model_name", "model_name"));

    private final String alert;
    private final UnaryOperator<String> hand;

    Damage(String alert, UnaryOperator<String> hand) {
      this.alert = alert;
      this.hand = hand;
    }

    private String rules() {
      String whole = RuleSetText.prometheus(RULES);
      String damaged = hand.apply(whole);
      assertThat(damaged).isNotEqualTo(whole);
      return damaged;
    }
  }

  @BeforeAll
  static void runOnce() {
    MemoryRun run = RehearsedRuns.recovering(RehearsedRuns.Mix.LONG_PROMPTS, 1);
    test = RuleTest.of(RULES, run, DERIVED.request(), Map.of("cluster", "test"));
    text = RuleTestText.of(test, "rules.yaml");
  }

  /** The test file without what our own replay says. */
  private static String promisesAlone() {
    return promisesAlone(text);
  }

  private static String promisesAlone(String of) {
    assertThat(of).contains(SECOND_GROUP);
    return of.substring(0, of.indexOf(SECOND_GROUP));
  }

  @Test
  void itHoldsForOurOwnReplayInBothDialects() {
    for (PrometheusVersion version : PrometheusVersion.values()) {
      PromtoolFile tests = new PromtoolFile(text, RULES.evaluable(), version);
      assertThat(tests.failures()).isEmpty();
      assertThat(tests.checked()).isGreaterThan(60);
    }
    assertThat(text).contains("value: 0").contains("value: 1");
  }

  @Test
  void promisesOfSilenceAndOfFiringAreTested() {
    List<PromiseReview.Tested> kept = test.promises().kept();
    for (String alert : List.of("VLLMTTFTObjectiveMissed", "VLLMHighTTFT", "VLLMQueueTimeHigh")) {
      assertThat(kept).anyMatch(promise -> promise.alert().equals(alert) && promise.fires());
      assertThat(kept).anyMatch(promise -> promise.alert().equals(alert) && !promise.fires());
    }
    assertThat(promisesAlone())
        .contains("ALERTS{alertname=\"VLLMHighTTFT\", alertstate=\"firing\", cluster=\"test\"")
        .contains("- alertname: VLLMTTFTBudgetBurnPage\n    eval_time: 0s\n    exp_alerts: []")
        .doesNotContain("VLLMTargetDown");
  }

  /** Where overload is far beyond a threshold, twice that threshold finds it as well. */
  @Test
  void mildSufferingTellsAThresholdThatIsTwiceTooHigh() {
    MemoryRun mild = RehearsedRuns.mild(RehearsedRuns.Mix.LONG_PROMPTS, 6);
    RuleTest made = RuleTest.of(RULES, mild, DERIVED.request(), Map.of("cluster", "test"));
    String promises = promisesAlone(RuleTestText.of(made, "rules.yaml"));
    assertThat(made.promises().broken()).isEmpty();
    assertThat(blunt(mild)).isEqualTo(List.of("VLLMQueueTimeHigh"));
    assertThat(failures(promises, RuleSetText.prometheus(RULES))).isEmpty();
    for (String threshold : List.of("ObjectiveMissed 5m > 0.03", "HighTTFT p95_5m > 0.75")) {
      String condition = threshold.substring(threshold.indexOf(' ') + 1);
      double value = Double.parseDouble(condition.substring(condition.indexOf('>') + 2));
      String rules = RuleSetText.prometheus(RULES);
      String doubled =
          rules.replace(condition + "\n", condition.replace("" + value, "" + 2 * value) + "\n");
      assertThat(doubled).isNotEqualTo(rules);
      assertThat(failures(promises, doubled))
          .anyMatch(failure -> failure.contains(threshold.substring(0, threshold.indexOf(' '))));
    }
  }

  /** On the other run everybody suffers far beyond every threshold, and the test says so. */
  @Test
  void aRunThatCannotTellTwiceTheThresholdSaysSo() {
    MemoryRun heavy = RehearsedRuns.recovering(RehearsedRuns.Mix.LONG_PROMPTS, 1);
    assertThat(blunt(heavy)).contains("VLLMTTFTObjectiveMissed", "VLLMHighTTFT");
    String written =
        RuleTestText.of(
            RuleTest.of(DERIVED, RULES, heavy, Map.of("cluster", "test")), "rules.yaml");
    assertThat(written).contains("# BLUNT: VLLMTTFTObjectiveMissed: would keep its");
  }

  private static List<String> blunt(MemoryRun run) {
    return RuleTest.of(DERIVED, RULES, run, Map.of("cluster", "test")).promises().blunt().stream()
        .map(line -> line.substring(0, line.indexOf(':')))
        .toList();
  }

  private static List<String> failures(String promises, String rules) {
    return new PromtoolFile(
            promises, RuleFile.read("rules.yaml", rules).evaluable(), PrometheusVersion.V2_42)
        .failures();
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void damagedRulesBreakThePromisesInOurOwnReplay(Damage damage) {
    assertThat(failures(promisesAlone(), damage.rules()))
        .anyMatch(failure -> failure.contains(damage.alert));
  }

  @Test
  @NeedsProgram("promtool")
  void promtoolChecksTheRulesAndPassesTheirTest() throws Exception {
    Files.writeString(folder.resolve("rules.yaml"), RuleSetText.prometheus(RULES));
    Files.writeString(folder.resolve("rules_test.yaml"), text);
    assertThat(Promtool.say(folder, "check", "rules", "rules.yaml")).contains("SUCCESS");
    assertThat(Promtool.say(folder, "test", "rules", "rules_test.yaml")).contains("SUCCESS");
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  @NeedsProgram("promtool")
  void promtoolFailsThePromisesOfDamagedRules(Damage damage) throws Exception {
    Files.writeString(folder.resolve("rules.yaml"), damage.rules());
    Files.writeString(folder.resolve("rules_test.yaml"), promisesAlone());
    assertThat(Promtool.say(folder, "check", "rules", "rules.yaml")).contains("SUCCESS");
    assertThat(Promtool.say(folder, "test", "rules", "rules_test.yaml"))
        .contains("FAILED", damage.alert);
  }
}
