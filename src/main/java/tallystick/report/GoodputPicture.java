package tallystick.report;

import java.util.List;
import java.util.Locale;
import tallystick.experiment.capacity.GoodputCurve;
import tallystick.report.document.Block;
import tallystick.report.document.Markup;
import tallystick.report.document.Section;
import tallystick.report.document.Tone;
import tallystick.report.picture.Scale;
import tallystick.report.picture.SvgText.Anchor;
import tallystick.report.picture.SvgText;

/**
 * Good requests over offered ones: a run on the diagonal had only good requests. One that holds is
 * a disc, one that fails a cross; the band is where the capacity lies.
 */
record GoodputPicture(GoodputCurve curve) {
  private static final int WIDE = 460;
  private static final int HIGH = 300;
  private static final int LEFT = 46;
  private static final int BOTTOM = 40;
  private static final int TOP = 22;
  private static final int RIGHT = 14;
  private static final int TICKS = 5;
  private static final double ARM = 4;

  /** Not shown where no run can be used. */
  static Section section(GoodputCurve curve) {
    List<Block> blocks =
        curve.points().isEmpty()
            ? List.of()
            : List.of(
                new Block.Picture(new GoodputPicture(curve)::draw, List.of()),
                new Block.Text(Tone.PLAIN, new GoodputPicture(curve).words()));
    return Section.of("goodput", "Goodput over the offered rate", blocks);
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
                Locale.ROOT, "between %.3g and %.3g requests/s", curve.low(), curve.high())
            : isLow
                ? String.format(Locale.ROOT, "above %.3g requests/s", curve.low())
                : String.format(Locale.ROOT, "below %.3g requests/s", curve.high());
    return isLow || isHigh
        ? "The band: the capacity lies " + rates
            + (curve.isProven() ? "." : ", as single runs show; that is no proof.")
        : "Nothing bounds the capacity: there is no band.";
  }

  private void draw(Markup html) {
    double most =
        curve.points().stream()
            .mapToDouble(point -> Math.max(point.offered(), point.good()))
            .max()
            .orElse(1);
    Scale scale = Scale.fromZero(most, TICKS);
    html.raw("<svg role=\"img\" style=\"width:100%;max-width:600px\" viewBox=\"0 0 " + WIDE + " "
            + HIGH + "\" aria-label=\"")
        .text(words())
        .raw("\">\n");
    double low = x(scale, curve.low());
    double high = Double.isFinite(curve.high()) ? x(scale, curve.high()) : WIDE - RIGHT;
    if (curve.low() > 0 || Double.isFinite(curve.high())) {
      html.raw(
          String.format(
              Locale.ROOT,
              "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\""
                  + " fill=\"var(--engine)\" fill-opacity=\"0.18\"/>%n",
              low, TOP, Math.max(1, high - low), HIGH - TOP - BOTTOM));
    }
    axes(html, scale);
    line(
        html, x(scale, 0), y(scale, 0), x(scale, scale.high()), y(scale, scale.high()),
        "var(--soft)\" stroke-dasharray=\"4 4");
    curve.points().forEach(point -> mark(html, scale, point));
    html.raw("</svg>\n");
  }

  private static void axes(Markup html, Scale scale) {
    for (double tick : scale.ticks()) {
      String label = Scale.css(tick);
      line(html, LEFT, y(scale, tick), WIDE - RIGHT, y(scale, tick), "var(--grid)");
      SvgText.put(html, LEFT - 6, y(scale, tick) + 4, Anchor.END, SvgText.SOFT, label);
      SvgText.put(html, x(scale, tick), HIGH - BOTTOM + 16, Anchor.MIDDLE, SvgText.SOFT, label);
    }
    line(html, LEFT, HIGH - BOTTOM, WIDE - RIGHT, HIGH - BOTTOM, "var(--soft)");
    SvgText.put(html, 4, 12, Anchor.START, SvgText.SOFT, "good requests/s");
    SvgText.put(
        html, WIDE - RIGHT, HIGH - 6, Anchor.END, SvgText.SOFT, "offered requests/s");
  }

  private static void mark(Markup html, Scale scale, GoodputCurve.Point point) {
    double x = x(scale, point.offered());
    double y = y(scale, point.good());
    String title =
        String.format(
            Locale.ROOT, "offered %.3g/s, good %.3g/s: %s", point.offered(), point.good(),
            point.holds() ? "holds" : "does not hold");
    if (point.holds()) {
      html.raw(
          String.format(
              Locale.ROOT, "<circle class=\"holds\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\""
                  + " fill=\"var(--good)\"><title>", x, y, ARM));
      html.text(title).raw("</title></circle>\n");
    } else {
      html.raw(
          String.format(
              Locale.ROOT,
              "<path class=\"fails\" d=\"M%.1f %.1fl%3$.1f %3$.1fm0 -%3$.1fl-%3$.1f %3$.1f\""
                  + " stroke=\"var(--bad)\" stroke-width=\"2.2\" fill=\"none\"><title>",
              x - ARM, y - ARM, 2 * ARM));
      html.text(title).raw("</title></path>\n");
    }
  }

  private static void line(
      Markup html, double x1, double y1, double x2, double y2, String stroke) {
    html.raw(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n", x1, y1, x2,
            y2, stroke));
  }

  private static double x(Scale scale, double value) {
    return LEFT + (WIDE - LEFT - RIGHT) * scale.position(value);
  }

  private static double y(Scale scale, double value) {
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * scale.position(value);
  }
}
