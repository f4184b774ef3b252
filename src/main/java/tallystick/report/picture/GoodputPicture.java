package tallystick.report.picture;

import java.util.List;
import java.util.Locale;
import tallystick.answer.chart.GoodputCurve;
import tallystick.report.markup.Markup;

/** What the fresh runs of a search carried; the band is where the capacity lies. */
record GoodputPicture(GoodputCurve curve) {

  void draw(Markup html) {
    List<GoodputChart.Point> points =
        curve.points().stream()
            .map(
                point ->
                    new GoodputChart.Point(
                        "", point.offered(), point.good(),
                        point.holds() ? GoodputChart.Shape.HOLDS : GoodputChart.Shape.FAILS, false))
            .toList();
    new GoodputChart(
            points, false, new GoodputChart.Band(curve.low(), curve.high()), curve.unit())
        .draw(html, words());
  }

  /** The picture in words, below it and for those who do not see it. */
  private String words() {
    long hold = curve.points().stream().filter(GoodputCurve.Point::holds).count();
    return String.format(
        Locale.ROOT,
        "Each mark is one fresh run: a disc holds %s, a cross does not. %d of %d hold. On the"
            + " dashed line every request is good. %s",
        curve.objective(), hold, curve.points().size(), band());
  }

  private String band() {
    boolean isLow = curve.low() > 0;
    boolean isHigh = Double.isFinite(curve.high());
    String rates =
        isLow && isHigh
            ? String.format(
                Locale.ROOT, "between %.3g and %.3g %s", curve.low(), curve.high(), curve.unit())
            : isLow
                ? String.format(Locale.ROOT, "above %.3g %s", curve.low(), curve.unit())
                : String.format(Locale.ROOT, "below %.3g %s", curve.high(), curve.unit());
    return isLow || isHigh
        ? "The band: the capacity " + (curve.isProven() ? "likely lies " : "seems to lie ") + rates
            + (curve.isProven() ? " (90 % interval)." : " by single runs, which differ by chance.")
        : "Nothing bounds the capacity: there is no band.";
  }
}
