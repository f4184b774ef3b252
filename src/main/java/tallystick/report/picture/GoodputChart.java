package tallystick.report.picture;

import java.util.List;
import java.util.Locale;
import tallystick.report.markup.Markup;
import tallystick.report.picture.SvgText.Anchor;

/**
 * Good requests over offered ones: a run or a step on the diagonal had only good requests. One that
 * holds is a disc, one that fails a cross, one that proves neither a ring.
 *
 * @param points in the order in which a line joins them, if one does
 * @param isJoined whether a line joins those that are not aside
 * @param band where the capacity lies
 * @param unit of both axes
 */
public record GoodputChart(List<Point> points, boolean isJoined, Band band, String unit) {
  private static final int WIDE = 460; // units of the drawing
  private static final int HIGH = 300; // units of the drawing
  private static final int LEFT = 46; // room for labels
  private static final int BOTTOM = 40; // room for labels
  private static final int TOP = 22; // room for labels
  private static final int RIGHT = 14; // room for labels
  private static final int TICKS = 5; // layout
  private static final double ARM = 4; // a mark's half width

  /** How a point did. */
  public enum Shape {
    HOLDS("holds"),
    FAILS("does not hold"),
    OPEN("not proven");

    private final String words;

    Shape(String words) {
      this.words = words;
    }
  }

  /**
   * A run or a step.
   *
   * @param name what a reader calls it; may be empty
   * @param offered requests per second that came
   * @param good requests per second that kept every limit
   * @param isAside whether what went before it is still felt in it: it is drawn faint
   */
  public record Point(String name, double offered, double good, Shape shape, boolean isAside) {
    private String title() {
      return String.format(
          Locale.ROOT, "%soffered %.3g/s, good %.3g/s: %s", name.isEmpty() ? "" : name + ": ",
          offered, good, shape.words);
    }
  }

  /**
   * A stretch of rates; bounds nothing where it goes from 0 without an end.
   *
   * @param low 0 where nothing bounds it
   * @param high infinite where nothing bounds it
   */
  public record Band(double low, double high) {
    /** No stretch. */
    public static final Band NONE = new Band(0, Double.POSITIVE_INFINITY);

    /** Whether one end or both are known. */
    public boolean isShown() {
      return low > 0 || Double.isFinite(high);
    }
  }

  public GoodputChart {
    points = List.copyOf(points);
  }

  /** Draws it, with the same in words below, for those who do not see it too. */
  public void draw(Markup html, String words) {
    double most =
        points.stream()
            .mapToDouble(point -> Math.max(point.offered(), point.good()))
            .max()
            .orElse(1);
    Scale scale = Scale.fromZero(most, TICKS);
    html.raw("<svg role=\"img\" style=\"width:100%;max-width:600px\" viewBox=\"0 0 " + WIDE + " "
            + HIGH + "\" aria-label=\"")
        .text(words)
        .raw("\">\n");
    if (band.isShown()) {
      band(html, scale);
    }
    axes(html, scale);
    line(
        html, x(scale, 0), y(scale, 0), x(scale, scale.high()), y(scale, scale.high()),
        "var(--soft)\" stroke-dasharray=\"4 4");
    if (isJoined) {
      join(html, scale);
    }
    points.stream().filter(Point::isAside).forEach(point -> mark(html, scale, point));
    points.stream().filter(point -> !point.isAside()).forEach(one -> mark(html, scale, one));
    html.raw("</svg>\n").element("p", "text", words);
  }

  private void band(Markup html, Scale scale) {
    double low = x(scale, band.low());
    double high = Double.isFinite(band.high()) ? x(scale, band.high()) : WIDE - RIGHT;
    html.raw(
        String.format(
            Locale.ROOT,
            "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\""
                + " fill=\"var(--engine)\" fill-opacity=\"0.18\"/>%n",
            low, TOP, Math.max(1, high - low), HIGH - TOP - BOTTOM));
  }

  private void axes(Markup html, Scale scale) {
    for (double tick : scale.ticks()) {
      String label = Scale.css(tick);
      line(html, LEFT, y(scale, tick), WIDE - RIGHT, y(scale, tick), "var(--grid)");
      SvgText.put(html, LEFT - 6, y(scale, tick) + 4, Anchor.END, SvgText.SOFT, label);
      SvgText.put(html, x(scale, tick), HIGH - BOTTOM + 16, Anchor.MIDDLE, SvgText.SOFT, label);
    }
    line(html, LEFT, HIGH - BOTTOM, WIDE - RIGHT, HIGH - BOTTOM, "var(--soft)");
    SvgText.put(html, 4, 12, Anchor.START, SvgText.SOFT, "good " + unit);
    SvgText.put(html, WIDE - RIGHT, HIGH - 6, Anchor.END, SvgText.SOFT, "offered " + unit);
  }

  private void join(Markup html, Scale scale) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      if (!point.isAside()) {
        path.append(path.isEmpty() ? 'M' : 'L').append(Scale.css(x(scale, point.offered())))
            .append(' ').append(Scale.css(y(scale, point.good())));
      }
    }
    html.raw(
        "<path class=\"curve\" d=\"" + path + "\" stroke=\"var(--client)\" stroke-width=\"1.5\""
            + " fill=\"none\"/>\n");
  }

  private static void mark(Markup html, Scale scale, Point point) {
    double x = x(scale, point.offered());
    double y = y(scale, point.good());
    String faint = point.isAside() ? " opacity=\"0.45\"" : "";
    html.raw(
        switch (point.shape()) {
          case HOLDS -> disc("holds", x, y, "fill=\"var(--good)\"" + faint);
          case OPEN -> disc("open", x, y,
              "fill=\"var(--paper)\" stroke=\"var(--caution)\" stroke-width=\"2\"" + faint);
          case FAILS -> String.format(
              Locale.ROOT,
              "<path class=\"fails\" d=\"M%.1f %.1fl%3$.1f %3$.1fm0 -%3$.1fl-%3$.1f %3$.1f\""
                  + " stroke=\"var(--bad)\" stroke-width=\"2.2\" fill=\"none\"%4$s>",
              x - ARM, y - ARM, 2 * ARM, faint);
        });
    html.raw("<title>").text(point.title()).raw("</title>")
        .raw(point.shape() == Shape.FAILS ? "</path>\n" : "</circle>\n");
  }

  private static String disc(String name, double x, double y, String pen) {
    return String.format(
        Locale.ROOT, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s>", name, x, y,
        ARM, pen);
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
