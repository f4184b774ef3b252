package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalWindow;
import tallystick.alerting.derivation.WindowLabel;
import tallystick.report.markup.Markup;
import tallystick.scenario.Objective;

class ThresholdChartTest {
  /** Fires above 0.75. */
  private static final Derived DERIVED =
      MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1).derived(Signal.TTFT_P95).orElseThrow();

  private static final List<SignalWindow> WINDOWS =
      List.of(
          new SignalWindow(0.2, 0, WindowLabel.MET),
          new SignalWindow(0.3, 0.004, WindowLabel.MET),
          new SignalWindow(0.5, 0.02, WindowLabel.NOT_PROVEN),
          new SignalWindow(0.7, 0.05, WindowLabel.VIOLATED),
          new SignalWindow(0.8, 0, WindowLabel.MET),
          new SignalWindow(0.9, 0.2, WindowLabel.VIOLATED),
          new SignalWindow(1.0, 0.4, WindowLabel.VIOLATED));

  @Test
  void everyWindowIsOneMarkOfItsKindAndTheCornersAreCounted() {
    Markup html = new Markup();
    ThresholdChart.draw(html, DERIVED, WINDOWS, 0.99);
    String text = html.toString();

    assertThat(marks(text, "met")).isEqualTo(3);
    assertThat(marks(text, "violated")).isEqualTo(2 * 3);
    assertThat(marks(text, "not_proven")).isEqualTo(1);
    assertThat(text)
        .contains("fires above 0.75")
        .contains(
            "Above 0.75: 2 windows in which users suffered, 1 in which they did not. Not above:"
                + " 1 and 2. Windows that prove neither and do not count: 1.");
    // The axis reaches from 0 to 1 over 234 units from 48 on.
    assertThat(text).contains("M223.5 36.0V182.0", ">bad requests<", ">seconds<");
  }

  @Test
  void overloadFarBeyondTheThresholdDoesNotHideIt() {
    List<SignalWindow> windows = new ArrayList<>(WINDOWS);
    windows.add(new SignalWindow(75, 1, WindowLabel.VIOLATED));
    Markup html = new Markup();
    ThresholdChart.draw(html, DERIVED, windows, 0.99);
    String text = html.toString();

    assertThat(text).contains("At the right edge: 1 beyond the axis.");
    var line = Pattern.compile("M([0-9.]+) 36.0V182.0").matcher(text);
    assertThat(line.find()).isTrue();
    assertThat(Double.parseDouble(line.group(1))).isGreaterThan(48 + 234 * 0.15);
    assertThat(marks(text, "violated")).isEqualTo(2 * 4);
  }

  /** A cross has two strokes. */
  private static long marks(String text, String kind) {
    var path = Pattern.compile("class=\"" + kind + "\" d=\"([^\"]*)\"").matcher(text);
    assertThat(path.find()).as(kind).isTrue();
    return path.group(1).chars().filter(c -> c == 'M' || c == 'm').count();
  }

  @Test
  void manyWindowsAreThinnedAndTheExtremesStay() {
    List<SignalWindow> many = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      many.add(new SignalWindow(i, i == 777 ? 0.9 : 0.1, WindowLabel.MET));
    }

    List<SignalWindow> kept = ThresholdChart.thinned(many);

    assertThat(kept).hasSizeLessThanOrEqualTo(ThresholdChart.MOST_WINDOWS + 2);
    assertThat(kept).contains(many.get(0), many.get(777), many.get(4999));
  }
}
