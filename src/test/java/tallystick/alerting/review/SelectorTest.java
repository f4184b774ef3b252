package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.writing.RuleTestText;

/** Matchers say where the rules will watch; the recorded runs are of that place. */
class SelectorTest {
  private static final List<DerivationRun> RUNS = RehearsedRuns.twoMixes(2, false);
  private static final AlertRequest USUAL = AlertRequest.usual(RehearsedRuns.OBJECTIVE);
  private static final AlertReview WITHOUT = AlertReview.of(RUNS, USUAL);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "namespace=\"prod\"",
        "job=\"chat\",cluster=\"eu\"",
        "namespace=~\"prod|canary\"",
        "namespace=~\"prod-.*\",pod!=\"old\""
      })
  void theEvidenceIsThatOfTheRulesWithoutMatchers(String selector) {
    AlertReview with = AlertReview.of(RUNS, USUAL.withSelector(selector));
    assertThat(with.judgements()).isEqualTo(WITHOUT.judgements());
    assertThat(with.test().orElseThrow().promises().sentence())
        .isEqualTo(WITHOUT.test().orElseThrow().promises().sentence());
    assertThat(with.rules().rules().getFirst().expression()).contains(selector);
  }

  @Test
  void theTestOfTheRulesHasSeriesThatTheyWatch() {
    AlertReview with = AlertReview.of(RUNS, USUAL.withSelector("namespace=\"prod\""));
    assertThat(RuleTestText.of(with.test().orElseThrow(), "rules.yaml").lines())
        .filteredOn(line -> line.contains("- series:"))
        .isNotEmpty()
        .allMatch(line -> line.contains("namespace=\"prod\""));
  }

  @Test
  void theFirstChoiceOfAPatternIsTheLabel() {
    assertThat(USUAL.withSelector("zone=~\"(a|b)\",pod=~\"x-.*\",rack=~\"r|s\"").labels())
        .isEqualTo(Map.of("zone", "a", "pod", "x-.*", "rack", "r"));
  }

  @Test
  void matchersThatNoLabelIsKnownForAreRefused() {
    assertThatThrownBy(() -> USUAL.withSelector("zone=~\"[a-c]\""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zone=~\"[a-c]\"");
    assertThatThrownBy(() -> USUAL.withSelector("zone=\"a\",zone!=\"a\""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
