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
import tallystick.answer.Tone;
import tallystick.answer.chart.Plot;
import tallystick.report.SampleLater;

class GoodputSectionTest {
  private static final Figure FEW = Figure.missing("n=3, need 20");

  @Test
  void everyStepIsAMarkOfItsVerdictOnOneLine() {
    List<Plot> plots =
        plots(
            SampleLater.step("low", 10, MET, good(1)),
            SampleLater.step("high", 20, TOO_CLOSE, good(0.9)),
            SampleLater.step("over", 50, MISSED, good(0.1)));

    assertThat(plots).extracting(Plot::title).containsExactly("Good requests", "TTFT P95");
    List<Plot.Series> series = plots.getFirst().series();
    assertThat(series).extracting(Plot.Series::shape)
        .containsExactly(
            Plot.Shape.NONE, Plot.Shape.DISC, Plot.Shape.RING, Plot.Shape.CROSS);
    assertThat(series.getFirst().points()).extracting(Plot.Point::x)
        .containsExactly(10.0, 20.0, 50.0);
    assertThat(series.getLast().points().getFirst().title())
        .isEqualTo("over, 50.0/s: good 10 %, missed (sure)");
    assertThat(plots.getFirst().words()).doesNotContain("no goodput");
    assertThat(plots.getLast().words()).doesNotContain("Grey");
  }

  @Test
  void aStepAfterAHigherOneIsGreyAndOffTheLine() {
    List<Plot> plots =
        plots(
            SampleLater.step("low", 10, MET, good(1)),
            SampleLater.step("over", 50, MISSED, good(0.1)),
            SampleLater.step("drain", 20, MISSED, good(0.1)));

    List<Plot.Series> series = plots.getFirst().series();
    assertThat(series.getFirst().points()).extracting(Plot.Point::x).containsExactly(10.0, 50.0);
    assertThat(plots.getLast().words()).contains("Grey: after a higher step");
    // What is on the line is drawn last and hides none of it.
    assertThat(series).extracting(Plot.Series::tone)
        .containsExactly(Tone.CLIENT, Tone.MUTED, Tone.GOOD, Tone.BAD);
  }

  @Test
  void aStepWithoutGoodputIsNoMarkAndToldOfInWords() {
    Plot plot =
        plots(
                SampleLater.step("low", 10, MET, good(1)),
                SampleLater.step("few", 20, MET, new PhaseGoodput(3, 3, FEW, FEW)),
                SampleLater.step("over", 50, MISSED, good(0.1)))
            .getFirst();

    assertThat(plot.words()).contains("One phase has no goodput");
    assertThat(plot.series().getFirst().points()).hasSize(2);
  }

  @Test
  void oneStepIsNoCurve() {
    assertThat(
            GoodputSection.of(
                    List.of(
                        SampleLater.step("low", 10, MET, good(1)),
                        SampleLater.step("few", 20, MET, new PhaseGoodput(3, 3, FEW, FEW))),
                    "requests/s")
                .blocks())
        .isEmpty();
  }

  private static PhaseGoodput good(double share) {
    return new PhaseGoodput(100, 100, Figure.of(share), Figure.of(1));
  }

  private static List<Plot> plots(PhaseAnalysis... phases) {
    Block.Groups only =
        (Block.Groups) GoodputSection.of(List.of(phases), "requests/s").blocks().getFirst();
    return only.groups().stream()
        .map(group -> (Plot) ((Block.Picture) group.blocks().getFirst()).drawing())
        .toList();
  }
}
