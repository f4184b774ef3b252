package tallystick.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.answer.Tone;
import tallystick.answer.chart.Plot;
import tallystick.answer.chart.Plot.Axis;
import tallystick.answer.chart.Plot.Guide;
import tallystick.answer.chart.Plot.Line;
import tallystick.answer.chart.Plot.Point;
import tallystick.answer.chart.Plot.Reach;
import tallystick.answer.chart.Plot.Series;
import tallystick.answer.chart.Plot.Shape;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

class PlotPictureTest {
  private static final Axis TEN = new Axis("of ten", Reach.FROM_ZERO, Numbers::threshold);

  // The axis across reaches from 58 to 384, the axis up from 220 to 36.
  @Test
  void everyPointIsAMarkOfItsShapeAtItsPlace() {
    String drawn =
        drawn(
            List.of(),
            series(Shape.DISC, Line.NONE, point(0, 0), point(10, 10)),
            series(Shape.CROSS, Line.NONE, point(5, 5)),
            series(Shape.RING, Line.NONE, point(5, 0)));

    assertThat(drawn)
        .contains("<circle cx=\"58.0\" cy=\"220.0\" r=\"4.0\" fill=\"var(--good)\">")
        .contains("<circle cx=\"384.0\" cy=\"36.0\" r=\"4.0\" fill=\"var(--good)\">")
        .contains("<path class=\"cross\" d=\"M217.0 124.0l8.0 8.0m0 -8.0l-8.0 8.0\"")
        .contains("cx=\"221.0\" cy=\"220.0\" r=\"4.0\" fill=\"var(--paper)\"")
        .contains("data-values=\"0,0 10,10\"", "<title>5, 5</title>");
  }

  @Test
  void manyMarksWithoutATitleAreOnePath() {
    String drawn =
        drawn(List.of(), series(Shape.DISC, Line.NONE, Point.of(0, 0), Point.of(10, 10)));

    assertThat(drawn).contains("d=\"M58.0 220.0h0M384.0 36.0h0\"");
    assertThat(drawn.split("<circle cx", -1)).as("the legend's").hasSize(2);
  }

  @Test
  void aHolePartsALineAndAPointBetweenTwoHolesIsADot() {
    Point hole = Point.of(Double.NaN, Double.NaN);
    String drawn =
        drawn(
            List.of(),
            series(
                Shape.NONE, Line.SOLID, Point.of(0, 0), Point.of(5, 5), hole, Point.of(10, 10)));

    assertThat(drawn).contains("d=\"M58 220h0L221 128M384 36h0\"");
  }

  @Test
  void aLimitIsALineAndAnIntervalABand() {
    String drawn =
        drawn(
            List.of(
                new Guide(true, 5, 10, Tone.ENGINE, ""),
                Guide.at(false, 5, Tone.BAD, "limit 5"),
                new Guide(true, 5, Double.POSITIVE_INFINITY, Tone.ENGINE, "")),
            series(Shape.DISC, Line.NONE, point(10, 10)));

    assertThat(drawn)
        .contains("<rect class=\"band\" x=\"221.0\" y=\"36.0\" width=\"163.0\" height=\"184.0\"")
        .contains("<path class=\"guide\" d=\"M58.0 128.0H384.0\" stroke=\"var(--bad)\"")
        .contains(">limit 5</text>");
    assertThat(drawn.split("x=\"221.0\" y=\"36.0\" width=\"163.0\"", -1)).hasSize(3);
  }

  @Test
  void whatLiesFarBeyondAnAxisIsSaidAndHidesNothing() {
    Markup html = new Markup();
    Axis upToTen = new Axis("value", Reach.FROM_ZERO, 10, Numbers::threshold);
    Series all = series(Shape.DISC, Line.NONE, point(5, 5), point(750, 5));
    new PlotPicture(new Plot("Name", "Words.", upToTen, TEN, List.of(all), List.of())).draw(html);

    assertThat(html.toString()).contains("At the edge: 1 beyond the axis.", "cx=\"221.0\"");
  }

  @Test
  void labelsThatWouldTouchOneAnotherAreLeftToTheTitle() {
    List<Point> close = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      close.add(new Point(5 + i / 100.0, 5, "32/4096", "32/4096: a setting"));
    }
    String drawn = drawn(List.of(), series(Shape.DISC, Line.NONE, close.toArray(Point[]::new)));

    assertThat(drawn.split(">32/4096</text>", -1)).hasSizeBetween(3, 5);
    assertThat(drawn.split("<title>32/4096: a setting</title>", -1)).hasSize(10);
  }

  @Test
  void anAxisThatDoesNotBeginAtZeroSaysSo() {
    assertThat(within(100, 101, 102)).contains("Words. The vertical axis does not begin at 0.");
    // The room below the lowest value reaches to zero and beyond.
    assertThat(within(10, 300, 310)).contains("Words.").doesNotContain("does not begin");
  }

  private static String within(double... values) {
    List<Point> points = new ArrayList<>();
    for (double value : values) {
      points.add(point(points.size(), value));
    }
    Markup html = new Markup();
    new PlotPicture(
            new Plot(
                "Name", "Words.", new Axis("run", Reach.PLACES, run -> "run " + (int) run),
                new Axis("", Reach.WITHIN, Numbers::threshold),
                List.of(series(Shape.DISC, Line.NONE, points.toArray(Point[]::new))), List.of()))
        .draw(html);
    assertThat(html.toString()).contains(">run 0</text>", ">run 1</text>", ">run 2</text>");
    return html.toString();
  }

  private static Point point(double x, double y) {
    return new Point(x, y, "", Numbers.threshold(x) + ", " + Numbers.threshold(y));
  }

  private static Series series(Shape shape, Line line, Point... points) {
    return new Series("made", Tone.GOOD, shape, line, List.of(points));
  }

  private static String drawn(List<Guide> guides, Series... series) {
    Markup html = new Markup();
    new PlotPicture(new Plot("Name", "Words.", TEN, TEN, List.of(series), guides)).draw(html);
    return html.toString();
  }
}
