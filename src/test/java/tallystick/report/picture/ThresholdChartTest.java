package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.answer.chart.Thresholds;
import tallystick.answer.chart.Thresholds.Window;
import tallystick.report.markup.Markup;

class ThresholdChartTest {
  private static final List<Window> WINDOWS =
      List.of(
          new Window(0.2, 0, Verdict.MET),
          new Window(0.3, 0.004, Verdict.MET),
          new Window(0.5, 0.02, Verdict.NOT_JUDGED),
          new Window(0.7, 0.05, Verdict.MISSED),
          new Window(0.8, 0, Verdict.MET),
          new Window(0.9, 0.2, Verdict.MISSED),
          new Window(1.0, 0.4, Verdict.MISSED));

  @Test
  void everyWindowIsOneMarkOfItsKind() {
    Markup html = new Markup();
    draw(html, WINDOWS);
    String text = html.toString();

    assertThat(marks(text, "met")).isEqualTo(3);
    assertThat(marks(text, "missed")).isEqualTo(2 * 3);
    assertThat(marks(text, "not_judged")).isEqualTo(1);
    assertThat(text)
        .contains("fires above 0.75", "In words.");
    // The axis reaches from 0 to 1 over 234 units from 48 on.
    assertThat(text).contains("M223.5 36.0V182.0", ">bad requests<", ">seconds<");
  }

  @Test
  void overloadFarBeyondTheThresholdDoesNotHideIt() {
    List<Window> windows = new ArrayList<>(WINDOWS);
    windows.add(new Window(75, 1, Verdict.MISSED));
    Markup html = new Markup();
    draw(html, windows);
    String text = html.toString();

    assertThat(text).contains("At the right edge: 1 beyond the axis.");
    var line = Pattern.compile("M([0-9.]+) 36.0V182.0").matcher(text);
    assertThat(line.find()).isTrue();
    assertThat(Double.parseDouble(line.group(1))).isGreaterThan(48 + 234 * 0.15);
    assertThat(marks(text, "missed")).isEqualTo(2 * 4);
  }

  /** Fires above 0.75. */
  private static void draw(Markup html, List<Window> windows) {
    ThresholdChart.draw(
        html,
        new Thresholds(
            List.of(
                new Thresholds.Threshold(
                    "P95 time to first token", "seconds", 0.75, 0.75, 0.75, 1 - 0.99, "In words.",
                    windows))));
  }

  /** A cross has two strokes. */
  private static long marks(String text, String kind) {
    var path = Pattern.compile("class=\"" + kind + "\" d=\"([^\"]*)\"").matcher(text);
    assertThat(path.find()).as(kind).isTrue();
    return path.group(1).chars().filter(c -> c == 'M' || c == 'm').count();
  }

  @Test
  void manyWindowsAreThinnedAndTheExtremesStay() {
    List<Window> many = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      many.add(new Window(i, i == 777 ? 0.9 : 0.1, Verdict.MET));
    }

    List<Window> kept = ThresholdChart.thinned(many);

    assertThat(kept).hasSizeLessThanOrEqualTo(ThresholdChart.MOST_WINDOWS + 2);
    assertThat(kept).contains(many.get(0), many.get(777), many.get(4999));
  }
}
