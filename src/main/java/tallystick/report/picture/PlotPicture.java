package tallystick.report.picture;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.answer.Tone;
import tallystick.answer.chart.Plot;
import tallystick.answer.chart.Plot.Axis;
import tallystick.answer.chart.Plot.Guide;
import tallystick.answer.chart.Plot.Line;
import tallystick.answer.chart.Plot.Point;
import tallystick.answer.chart.Plot.Reach;
import tallystick.answer.chart.Plot.Series;
import tallystick.answer.chart.Plot.Shape;
import tallystick.report.markup.Markup;
import tallystick.report.picture.SvgText.Anchor;
import tallystick.scenario.Formatted;

/** Draws points and lines over two axes, with their legend and the same in words below. */
final class PlotPicture {
  private static final int WIDE = 400; // units of the drawing
  private static final int HIGH = 260; // units of the drawing
  private static final int LEFT = 58; // room for labels
  private static final int RIGHT = 16; // room for labels
  private static final int TOP = 36; // room for labels
  private static final int BOTTOM = 40; // room for labels
  private static final int TICKS = 4; // layout
  private static final double ARM = 4; // a mark's half width
  private static final double LETTER = 6.6; // a letter's width
  private static final double ROW = 13; // a row of words
  private static final double ROOM = 0.06; // of the values' spread, beside the outermost

  private static final String DASHES = " stroke-dasharray=\"4 4\"";

  private final Plot plot;
  private final Scale across;
  private final Scale up;
  private final List<Box> words = new ArrayList<>();

  /** Where words stand. */
  private record Box(double left, double top, double right) {
    private boolean meets(Box other) {
      return left < other.right && other.left < right && Math.abs(top - other.top) < ROW;
    }
  }

  PlotPicture(Plot plot) {
    this.plot = plot;
    this.across = scale(plot.across(), true, Point::x);
    this.up = scale(plot.up(), false, Point::y);
  }

  private Scale scale(Axis axis, boolean isAcross, ToDoubleFunction<Point> of) {
    double[] values =
        DoubleStream.concat(
                points().mapToDouble(of),
                plot.guides().stream()
                    .filter(guide -> guide.isAcross() == isAcross)
                    .flatMapToDouble(guide -> DoubleStream.of(guide.low(), guide.high())))
            .filter(Double::isFinite)
            .toArray();
    double low = DoubleStream.of(values).min().orElse(0);
    double most = Math.min(axis.most(), DoubleStream.of(values).max().orElse(1));
    double positive = DoubleStream.of(values).filter(one -> one > 0).min().orElse(most);
    double room = most > low ? ROOM * (most - low) : Math.max(ROOM * Math.abs(most), 1e-9);
    return switch (axis.reach()) {
      case FROM_ZERO -> Scale.fromZero(most, TICKS);
      case PLACES -> Scale.places((int) Math.ceil(low), (int) Math.floor(most));
      case WITHIN -> Scale.exactly(low - room, Math.min(axis.most(), most + room), TICKS);
      case LATENCY -> Scale.latency(positive, most, TICKS);
      case LOGARITHMIC -> Scale.logarithmic(positive, Math.max(most, 2 * positive));
    };
  }

  private Stream<Point> points() {
    return plot.series().stream().flatMap(series -> series.points().stream());
  }

  void draw(Markup html) {
    html.raw("<figure class=\"plotted\" data-across=\"")
        .text(plot.across().name())
        .raw("\" data-up=\"")
        .text(plot.up().name().isEmpty() ? plot.title() : plot.up().name())
        .raw("\">\n")
        .open("h3", "")
        .term(plot.title())
        .close("h3")
        .raw("<svg role=\"img\" viewBox=\"0 0 " + WIDE + " " + HIGH + "\" aria-label=\"")
        .text(plot.title() + ". " + plot.words())
        .raw("\">\n");
    axes(html);
    plot.guides().forEach(guide -> guide(html, guide));
    for (int i = 0; i < plot.series().size(); i++) {
      series(html, plot.series().get(i), i);
    }
    List<Point> labelled = points().filter(point -> !point.label().isEmpty()).toList();
    for (Point point : labelled) {
      words.add(new Box(x(point.x()) - 2 * ARM, y(point.y()) + ARM, x(point.x()) + 2 * ARM));
    }
    labelled.forEach(point -> label(html, point, labelled));
    html.raw("</svg>\n");
    legend(html);
    String log =
        up.logarithmic()
            ? " The vertical axis is logarithmic."
            : across.logarithmic() ? " The horizontal axis is logarithmic." : "";
    String cut =
        plot.up().reach() == Reach.WITHIN && up.low() > 0
            ? " The vertical axis does not begin at 0."
            : "";
    html.element("figcaption", "", (plot.words() + log + cut + beyond()).strip()).close("figure");
  }

  private String beyond() {
    long beyond = points().filter(one -> one.x() > across.high() || one.y() > up.high()).count();
    return beyond == 0 ? "" : " At the edge: " + beyond + " beyond the axis.";
  }

  private void axes(Markup html) {
    for (double tick : up.ticks()) {
      html.raw(path("grid", LEFT, y(tick), "H", WIDE - RIGHT, "var(--grid)", ""));
      put(html, LEFT - 6, y(tick) + 4, Anchor.END, SvgText.SOFT, plot.up().text().apply(tick));
    }
    double free = 0;
    for (double tick : across.ticks()) {
      String text = plot.across().text().apply(tick);
      double half = LETTER * text.length() / 2;
      boolean isLast = x(tick) + half > WIDE - LETTER;
      double x = isLast ? WIDE - half : x(tick);
      if (x - half >= free && !text.isEmpty()) {
        put(
            html, isLast ? WIDE : x, HIGH - BOTTOM + 16, isLast ? Anchor.END : Anchor.MIDDLE,
            SvgText.SOFT, text);
        free = x + half + LETTER;
      }
    }
    html.raw(path("axis", LEFT, HIGH - BOTTOM, "H", WIDE - RIGHT, SvgText.SOFT, ""));
    if (!plot.up().name().equals(plot.title())) {
      put(html, 4, 14, Anchor.START, SvgText.SOFT, plot.up().name());
    }
    put(html, WIDE - RIGHT, HIGH - 6, Anchor.END, SvgText.SOFT, plot.across().name());
  }

  private void guide(Markup html, Guide guide) {
    Scale scale = guide.isAcross() ? across : up;
    if (guide.low() > scale.high() || guide.high() < scale.low()) {
      return;
    }
    double from = guide.isAcross() ? x(guide.low()) : y(guide.high());
    double size = Math.abs((guide.isAcross() ? x(guide.high()) : y(guide.low())) - from);
    if (guide.high() > guide.low()) {
      html.raw(Formatted.of(
          "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
              + " fill=\"%s\" fill-opacity=\"0.16\"/>%n",
          guide.isAcross() ? from : LEFT, guide.isAcross() ? TOP : from,
          guide.isAcross() ? Math.max(1, size) : WIDE - RIGHT - LEFT,
          guide.isAcross() ? HIGH - TOP - BOTTOM : Math.max(1, size), colour(guide.tone())));
    } else if (guide.isAcross()) {
      String colour = guide.label().isEmpty() ? "var(--line)" : colour(guide.tone());
      html.raw(path("guide", from, TOP, "V", HIGH - BOTTOM, colour, ""));
    } else {
      html.raw(path("guide", LEFT, from, "H", WIDE - RIGHT, colour(guide.tone()), DASHES));
    }
    double half = LETTER * guide.label().length() / 2;
    if (guide.isAcross()) {
      put(
          html, Math.clamp(from + size / 2, LEFT + half, WIDE - half), TOP - 6, Anchor.MIDDLE,
          colour(guide.tone()), guide.label());
    } else {
      put(
          html, LEFT + 6, from - 4 < TOP + ROW ? from + ROW : from - 4, Anchor.START,
          colour(guide.tone()), guide.label());
    }
  }

  private void series(Markup html, Series series, int number) {
    html.raw("<g class=\"series\" data-series=\"" + number + "\" data-name=\"")
        .text(series.name())
        .raw("\" data-values=\"" + values(series) + "\">\n");
    if (series.line() != Line.NONE) {
      html.raw(
          "<path class=\"line\" d=\"" + joined(series) + "\" stroke=\"" + colour(series.tone())
              + "\" stroke-width=\"1.8\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
              + " fill=\"none\"" + (series.line() == Line.DASHED ? DASHES : "") + "/>\n");
    }
    if (series.points().stream().allMatch(point -> point.title().isEmpty())) {
      crowd(html, series);
    } else {
      series.points().stream()
          .filter(point -> series.shape() != Shape.NONE && isKnown(point))
          .forEach(point -> linked(html, series, point));
    }
    html.raw("</g>\n");
  }

  private void linked(Markup html, Series series, Point point) {
    if (!point.page().isEmpty()) {
      html.raw("<a href=\"").text(point.page()).raw("\">");
    }
    mark(html, series, x(point.x()), y(point.y()), point.title());
    html.raw(point.page().isEmpty() ? "" : "</a>\n");
  }

  // Many marks that tell nothing one by one are one path: a page stays small.
  private void crowd(Markup html, Series series) {
    double pen =
        switch (series.shape()) {
          case DISC -> 2 * ARM;
          case DOT -> ARM;
          case CROSS -> 1.6;
          case RING, HALO, NONE -> 0;
        };
    StringBuilder path = new StringBuilder();
    for (Point point : series.points()) {
      if (isKnown(point)) {
        double x = x(point.x());
        double y = y(point.y());
        path.append(
            series.shape() == Shape.CROSS
                ? Formatted.of("M%.1f %.1fl5 5m0-5l-5 5", x - 2.5, y - 2.5)
                : Formatted.of("M%.1f %.1fh0", x, y));
      }
    }
    if (pen > 0) {
      html.raw(
          "<path d=\"" + path + "\" stroke=\"" + colour(series.tone()) + "\" stroke-width=\""
              + Scale.css(pen) + "\" stroke-linecap=\"round\" stroke-opacity=\"0.75\""
              + " fill=\"none\"/>\n");
    }
  }

  private static String values(Series series) {
    StringBuilder values = new StringBuilder();
    for (Point point : series.points()) {
      if (isKnown(point)) {
        values.append(values.isEmpty() ? "" : " ")
            .append(digits(point.x())).append(',').append(digits(point.y()));
      }
    }
    return values.toString();
  }

  private static String digits(double value) {
    return new BigDecimal(value, new MathContext(6)).stripTrailingZeros().toPlainString();
  }

  private static boolean isKnown(Point point) {
    return Double.isFinite(point.x()) && Double.isFinite(point.y());
  }

  // A point between two holes is a dot.
  private String joined(Series series) {
    StringBuilder path = new StringBuilder();
    boolean isOpen = false;
    for (Point point : series.points()) {
      if (isKnown(point)) {
        String at = Scale.css(x(point.x())) + " " + Scale.css(y(point.y()));
        path.append(isOpen ? "L" + at : "M" + at + "h0");
      }
      isOpen = isKnown(point);
    }
    return path.toString();
  }

  private static void mark(Markup html, Series series, double x, double y, String title) {
    String colour = colour(series.tone());
    boolean isCross = series.shape() == Shape.CROSS;
    html.raw(
        switch (series.shape()) {
          case DISC -> disc(x, y, ARM, "fill=\"" + colour + "\"");
          case DOT -> disc(x, y, ARM / 2, "fill=\"" + colour + "\"");
          case RING -> disc(x, y, ARM, "fill=\"var(--paper)\" " + stroke(colour));
          case HALO -> disc(x, y, 2 * ARM, "fill=\"none\" " + stroke(colour));
          case CROSS -> Formatted.of(
              "<path class=\"cross\" d=\"M%.1f %.1fl%3$.1f %3$.1fm0 -%3$.1fl-%3$.1f %3$.1f\""
                  + " fill=\"none\" %4$s>",
              x - ARM, y - ARM, 2 * ARM, stroke(colour));
          case NONE -> Formatted.of(
              "<path d=\"M%.1f %.1fh%.1f\" fill=\"none\" %s>", x - 2 * ARM, y,
              4 * ARM, stroke(colour) + (series.line() == Line.DASHED ? DASHES : ""));
        });
    if (!title.isEmpty()) {
      html.raw("<title>").text(title).raw("</title>");
    }
    html.raw(isCross || series.shape() == Shape.NONE ? "</path>\n" : "</circle>\n");
  }

  private static String stroke(String colour) {
    return "stroke=\"" + colour + "\" stroke-width=\"2\"";
  }

  private static String disc(double x, double y, double radius, String pen) {
    return Formatted.of("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s>", x, y, radius, pen);
  }

  // On the side where no mark is near; one that finds no room is left to the mark's own title.
  private void label(Markup html, Point point, List<Point> all) {
    double wide = LETTER * point.label().length();
    double x = x(point.x());
    double y = y(point.y());
    boolean isCrowded =
        all.stream()
            .filter(one -> Math.abs(y(one.y()) - y) < ROW)
            .anyMatch(one -> x(one.x()) > x && x(one.x()) < x + wide);
    List<Box> places = new ArrayList<>();
    for (double left : new double[] {x + 11, x - 11 - wide}) {
      places.add(isCrowded ? 0 : places.size(), new Box(left, y + 4, left + wide));
    }
    places.add(new Box(x - wide / 2, y - 11, x + wide / 2));
    places.add(new Box(x - wide / 2, y + 11 + ROW / 2, x + wide / 2));
    places.stream()
        .filter(box -> box.left() > LEFT && box.right() < WIDE && box.top() > TOP)
        .filter(box -> box.top() < HIGH - BOTTOM && words.stream().noneMatch(box::meets))
        .findFirst()
        .ifPresent(
            box ->
                put(
                    html, box.left(), box.top(), Anchor.START, "var(--ink)", point.label()));
  }

  private void put(Markup html, double x, double y, Anchor anchor, String colour, String text) {
    if (text.isEmpty()) {
      return;
    }
    double wide = LETTER * text.length();
    double left =
        switch (anchor) {
          case START -> x;
          case MIDDLE -> x - wide / 2;
          case END -> x - wide;
        };
    words.add(new Box(left, y, left + wide));
    SvgText.put(html, x, y, anchor, colour, text);
  }

  private void legend(Markup html) {
    List<Series> named = plot.series().stream().filter(one -> !one.name().isEmpty()).toList();
    if (named.isEmpty()) {
      return;
    }
    html.raw("<ul class=\"legend\">\n");
    for (Series series : named) {
      html.raw("<li data-series=\"" + plot.series().indexOf(series) + "\">")
          .raw("<svg width=\"20\" height=\"18\" aria-hidden=\"true\">");
      Shape shape = series.line() == Line.NONE ? series.shape() : Shape.NONE;
      mark(html, new Series("", series.tone(), shape, series.line(), List.of()), 10, 9, "");
      html.raw("</svg>").text(series.name()).raw("</li>\n");
    }
    html.close("ul");
  }

  private static String colour(Tone tone) {
    return switch (tone) {
      case PLAIN -> "var(--ink)";
      case MUTED -> SvgText.SOFT;
      case GOOD, CAUTION, BAD, CLIENT, ENGINE -> "var(--" + tone.css() + ")";
    };
  }

  private static String path(
      String css, double x, double y, String command, double end, String colour, String pen) {
    return Formatted.of(
        "<path class=\"%s\" d=\"M%.1f %.1f%s%.1f\" stroke=\"%s\" fill=\"none\"%s/>%n",
        css, x, y, command, end, colour, pen);
  }

  private double x(double value) {
    return LEFT + (WIDE - LEFT - RIGHT) * across.position(value);
  }

  private double y(double value) {
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * up.position(value);
  }
}
