package tallystick.report.picture;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import tallystick.answer.chart.LevelSeries;
import tallystick.answer.chart.LevelSeries.Change;
import tallystick.answer.chart.LevelSeries.Level;
import tallystick.answer.chart.LevelSeries.Run;
import tallystick.report.markup.Markup;
import tallystick.report.picture.SvgText.Anchor;

/**
 * Draws a figure run by run, evenly spaced, with its levels and where they changed. A thin line
 * marks the first run of each release.
 */
record LevelChart(
    String name,
    String words,
    List<Run> runs,
    List<Level> levels,
    List<Change> changes,
    DoubleFunction<String> unit) {
  private static final int WIDE = 460; // units of the drawing
  private static final int HIGH = 220; // units of the drawing
  private static final int LEFT = 64; // room for labels
  private static final int RIGHT = 14; // room for labels
  private static final int TOP = 24; // room for labels
  private static final int BOTTOM = 42; // room for labels
  private static final int TICKS = 4; // layout
  private static final double ROOM = 0.08; // of the values' spread
  private static final double LEAST_ROOM = 0.02; // of the value, where all are equal

  /** So many units are free between two labels of releases. */
  private static final int APART = 64;

  /** So many letters fit into them, of this width each. */
  private static final int FEWEST_LETTERS = 9;

  private static final double LETTER = 7; // a letter's width

  static void draw(Markup html, LevelSeries series) {
    new LevelChart(
            series.name(), series.words(), series.runs(), series.levels(), series.changes(),
            series.unit())
        .draw(html);
  }

  /** Draws it below its name, with the same in words. */
  private void draw(Markup html) {
    double low = runs.stream().mapToDouble(Run::value).min().orElse(0);
    double high = runs.stream().mapToDouble(Run::value).max().orElse(1);
    double room = Math.max(ROOM * (high - low), LEAST_ROOM * Math.max(high, Double.MIN_NORMAL));
    Scale scale = Scale.exactly(low - room, high + room, TICKS);
    String caption = words + (scale.low() > 0 ? " The axis does not begin at 0." : "");
    html.raw("<figure class=\"levels\">")
        .element("h3", "", name)
        .raw("<svg role=\"img\" viewBox=\"0 0 " + WIDE + " " + HIGH + "\" aria-label=\"")
        .text(name + ". " + caption)
        .raw("\">\n");
    for (double tick : scale.ticks()) {
      html.raw(path("grid", LEFT, y(scale, tick), "H", WIDE - RIGHT, "var(--grid)", ""));
      SvgText.put(
          html, LEFT - 6, y(scale, tick) + 4, Anchor.END, SvgText.SOFT, unit.apply(tick));
    }
    releases(html);
    for (Level level : levels) {
      html.raw(
          path(
              "level", between(level.from()), y(scale, level.value()), "H", between(level.to()),
              "var(--engine)", " stroke-width=\"3\" stroke-opacity=\"0.55\""));
    }
    runs(html, scale);
    changes.forEach(change -> change(html, change));
    html.raw("</svg><figcaption>").text(caption).raw("</figcaption></figure>\n");
  }

  private void releases(Markup html) {
    double free = LEFT;
    for (int i = 0; i < runs.size(); i++) {
      String release = runs.get(i).release();
      boolean isNew = i == 0 || !release.equals(runs.get(i - 1).release());
      if (!isNew || release.isEmpty()) {
        continue;
      }
      html.raw(path("release", x(i), TOP, "V", HIGH - BOTTOM, "var(--line)", ""));
      // A label that would touch the one before, or the edge, is left to the list of runs.
      if (x(i) >= free && x(i) <= WIDE - RIGHT - APART || i == 0) {
        SvgText.put(
            html, x(i), HIGH - BOTTOM + 16, Anchor.START, SvgText.SOFT, label(i));
        free = x(i) + APART;
      }
    }
    SvgText.put(
        html, WIDE - RIGHT, HIGH - 6, Anchor.END, SvgText.SOFT,
        runs.size() + " runs, in order of time");
  }

  // Whole if it ends before the next release does begin; never shorter than what APART holds.
  private String label(int run) {
    String release = runs.get(run).release();
    int next = run;
    while (next < runs.size() && runs.get(next).release().equals(release)) {
      next++;
    }
    double room = (next < runs.size() ? x(next) : WIDE - RIGHT) - x(run);
    int most = Math.max(FEWEST_LETTERS, (int) (room / LETTER) - 1);
    return release.length() > most ? release.substring(0, most - 1) + "…" : release;
  }

  private void runs(Markup html, Scale scale) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < runs.size(); i++) {
      line.append(i == 0 ? 'M' : 'L').append(Scale.css(x(i))).append(' ')
          .append(Scale.css(y(scale, runs.get(i).value())));
    }
    html.raw(
        "<path d=\"" + line + "\" stroke=\"var(--client)\" stroke-opacity=\"0.45\""
            + " fill=\"none\"/>\n");
    for (int i = 0; i < runs.size(); i++) {
      html.raw(
              String.format(
                  Locale.ROOT,
                  "<circle class=\"run\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"var(--client)\">"
                      + "<title>",
                  x(i), y(scale, runs.get(i).value())))
          .text(runs.get(i).title())
          .raw("</title></circle>\n");
    }
  }

  private void change(Markup html, Change change) {
    double x = between(change.at());
    String colour = "var(--" + change.tone().name().toLowerCase(Locale.ROOT) + ")";
    html.raw("<g class=\"change\"><title>").text(change.title()).raw("</title>")
        .raw(path("", x, TOP, "V", HIGH - BOTTOM, colour,
            " stroke-width=\"1.5\" stroke-dasharray=\"4 3\""));
    SvgText.put(
        html, Math.clamp(x, LEFT + 30, WIDE - RIGHT - 30), TOP - 8, Anchor.MIDDLE, colour,
        change.words());
    html.raw("</g>\n");
  }

  private static String path(
      String name, double x, double y, String command, double end, String colour, String pen) {
    return String.format(
        Locale.ROOT, "<path class=\"%s\" d=\"M%.1f %.1f%s%.1f\" stroke=\"%s\" fill=\"none\"%s/>%n",
        name, x, y, command, end, colour, pen);
  }

  private double x(int run) {
    return between(run + 0.5);
  }

  /** Where the runs before one end and it begins. */
  private double between(double run) {
    return LEFT + (WIDE - LEFT - RIGHT) * run / runs.size();
  }

  private static double y(Scale scale, double value) {
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * scale.position(value);
  }
}
