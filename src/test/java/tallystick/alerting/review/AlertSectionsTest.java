package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.SignalWindow;
import tallystick.analysis.result.Judgement.Verdict;

class AlertSectionsTest {
  @Test
  void theWindowsOnEachSideOfAThresholdAreCounted() {
    List<SignalWindow> windows =
        List.of(
            new SignalWindow(0.2, 0, Verdict.MET),
            new SignalWindow(0.3, 0.004, Verdict.MET),
            new SignalWindow(0.5, 0.02, Verdict.NOT_JUDGED),
            new SignalWindow(0.7, 0.05, Verdict.MISSED),
            new SignalWindow(0.8, 0, Verdict.MET),
            new SignalWindow(0.9, 0.2, Verdict.MISSED),
            new SignalWindow(1.0, 0.4, Verdict.MISSED));

    assertThat(ThresholdPlot.sorted(0.75, windows))
        .isEqualTo(
            "Above 0.75: 2 windows in which users suffered, 1 in which they did not. Not above: 1"
                + " and 2. Undecided windows, not counted: 1.");
  }
}
