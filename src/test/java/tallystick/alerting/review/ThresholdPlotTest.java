package tallystick.alerting.review;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.SignalWindow;
import tallystick.analysis.result.Judgement.Verdict;

class ThresholdPlotTest {
  @Test
  void manyWindowsAreThinnedAndTheExtremesStay() {
    List<SignalWindow> many = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      many.add(new SignalWindow(i, i == 777 ? 0.9 : 0.1, Verdict.MET));
    }

    List<SignalWindow> kept = ThresholdPlot.thinned(many);

    assertThat(kept).hasSizeLessThanOrEqualTo(ThresholdPlot.MOST_WINDOWS + 2);
    assertThat(kept).contains(many.get(0), many.get(777), many.get(4999));
  }
}
