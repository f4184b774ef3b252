package tallystick.report.section;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.report.Judged.MET;
import static tallystick.report.Judged.MISSED;
import static tallystick.report.Judged.TOO_CLOSE;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.PhaseAnalysis.PhaseGoodput;
import tallystick.answer.Block;
import tallystick.report.SampleLater;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;

class GoodputSectionTest {
  private static final Figure FEW = Figure.missing("n=3, need 20");

  @Test
  void everyStepIsAMarkOfItsVerdictOnOneLine() {
    String picture =
        picture(
            SampleLater.step("low", 10, MET, good(10)),
            SampleLater.step("high", 20, TOO_CLOSE, good(18)),
            SampleLater.step("over", 50, MISSED, good(5)));

    // 50 requests/s lie 400 of 400 units from the left edge at 46, and 238 above 260.
    assertThat(picture)
        .contains("<path class=\"curve\" d=\"M126 212.4L206 174.32L446 236.2\"")
        .contains("<circle class=\"holds\" cx=\"126.0\" cy=\"212.4\"")
        .contains("low: offered 10.0/s, good 10.0/s: holds")
        .contains("high: offered 20.0/s, good 18.0/s: not proven")
        .contains("over: offered 50.0/s, good 5.00/s: does not hold")
        .doesNotContain("class=\"band\"", "Faint", "no goodput");
  }

  @Test
  void aStepAfterAHigherOneIsFaintAndOffTheLine() {
    String picture =
        picture(
            SampleLater.step("low", 10, MET, good(10)),
            SampleLater.step("over", 50, MISSED, good(5)),
            SampleLater.step("drain", 20, MISSED, good(2)));

    assertThat(picture).contains("d=\"M126 212.4L446 236.2\"", "Faint: steps after a higher one");
    assertThat(picture.split("opacity=\"0.45\"", -1)).hasSize(2);
    // What is on the line is drawn last and hides none of it.
    assertThat(picture.indexOf("drain:")).isLessThan(picture.indexOf("low:"));
  }

  @Test
  void aStepWithoutGoodputIsNoMarkAndToldOfInWords() {
    String picture =
        picture(
            SampleLater.step("low", 10, MET, good(10)),
            SampleLater.step("few", 20, MET, new PhaseGoodput(3, 3, FEW, FEW)),
            SampleLater.step("over", 50, MISSED, good(5)));

    assertThat(picture).contains("One phase has no goodput").doesNotContain("few:");
  }

  @Test
  void oneStepIsNoCurve() {
    assertThat(
            GoodputSection.of(
                    List.of(
                        SampleLater.step("low", 10, MET, good(10)),
                        SampleLater.step("few", 20, MET, new PhaseGoodput(3, 3, FEW, FEW))))
                .blocks())
        .isEmpty();
  }

  private static PhaseGoodput good(double perSecond) {
    return new PhaseGoodput(100, 100, Figure.of(1), Figure.of(perSecond));
  }

  private static String picture(PhaseAnalysis... phases) {
    Markup html = new Markup();
    Block only = GoodputSection.of(List.of(phases)).blocks().getFirst();
    ((Drawn) ((Block.Picture) only).drawing()).draw(html);
    return html.toString();
  }
}
