package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.GoodputCurve;
import tallystick.answer.chart.GoodputCurve.Point;

class GoodputPictureTest {
  private static final List<Point> RUNS =
      List.of(new Point(20, 20, true), new Point(40, 39.9, true), new Point(50, 12, false));

  private static String page(GoodputCurve curve) {
    Section drawn =
        Section.of("goodput", "Goodput over the offered rate", new Block.Picture(curve, List.of()));
    return AnswerFiles.page(
        Answer.of("capacity", "chat on an engine")
            .verdict(Tone.CAUTION, "not proven")
            .detail(drawn)
            .comesTo(AnswerStatus.TOO_CLOSE));
  }

  @Test
  void everyRunIsAMarkOfItsShapeAndTheIntervalABand() {
    String page =
        page(new GoodputCurve("requests/s", "TTFT <= 1 s for 99 %", RUNS, 40, 45, true));

    assertThat(page.split("<circle class=\"holds\"", -1)).hasSize(3);
    assertThat(page.split("<path class=\"fails\"", -1)).hasSize(2);
    // 50 requests/s lie 400 of 400 units from the left edge at 46, so 40 at 366 and 45 at 406.
    assertThat(page).contains("<rect class=\"band\" x=\"366.0\" y=\"22\" width=\"40.0\"");
    assertThat(page)
        .contains(
            "2 of 3 hold",
            "the capacity likely lies between 40.0 and 45.0 requests/s (90 % interval).")
        .contains("offered 50.0/s, good 12.0/s: does not hold");
  }

  @Test
  void whatIsNotBoundedHasNoBandAndWhatIsNotProvenSaysSo() {
    assertThat(page(curve("requests/s", RUNS, 0, true)))
        .contains("Nothing bounds the capacity")
        .doesNotContain("class=\"band\"");
    assertThat(page(curve("requests/s", RUNS, 40, false)))
        .contains("seems to lie above 40.0 requests/s by single runs, which differ by chance.")
        .contains("class=\"band\"");
  }

  @Test
  void ratesOfConversationsAreCalledSo() {
    assertThat(page(curve("sessions/s", RUNS, 40, true)))
        .contains("good sessions/s", "offered sessions/s", "above 40.0 sessions/s")
        .doesNotContain("requests/s");
  }

  private static GoodputCurve curve(
      String unit, List<GoodputCurve.Point> runs, double low, boolean isProven) {
    return new GoodputCurve(
        unit, "TTFT <= 1 s for 99 %", runs, low, Double.POSITIVE_INFINITY, isProven);
  }
}
