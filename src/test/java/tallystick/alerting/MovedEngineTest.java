package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RehearsedRuns.Mix;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;

/** A run that met another engine tells what users feel there, and nothing about load. */
class MovedEngineTest {
  private static final List<DerivationRun> STILL = RehearsedRuns.twoMixes(2, false);
  private static final DerivationRun SLOW =
      new DerivationRun(
          RehearsedRuns.slowed(Mix.LONG_PROMPTS, 0.7, 3, 60, 1.5), true,
          Mix.LONG_PROMPTS.toString(), true);

  private static DerivedAlerts derived(List<DerivationRun> runs) {
    return AlertDerivation.derive(runs, AlertRequest.usual(RehearsedRuns.OBJECTIVE));
  }

  private static List<SignalOutcome> outcomes(DerivedAlerts derived, boolean isSymptom) {
    return derived.outcomes().stream()
        .filter(one -> one.signal().isSymptom() == isSymptom)
        .toList();
  }

  @Test
  void claimsAboutLoadAreThoseOfTheOtherRuns() {
    List<DerivationRun> all = new ArrayList<>(STILL);
    all.add(SLOW);
    DerivedAlerts with = derived(all);
    DerivedAlerts without = derived(STILL);

    assertThat(with.envelope()).isEqualTo(without.envelope());
    assertThat(outcomes(with, false)).isEqualTo(outcomes(without, false));
    assertThat(outcomes(with, true)).isNotEqualTo(outcomes(without, true));
  }
}
