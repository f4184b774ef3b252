package tallystick.report.picture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.answer.chart.Thresholds;
import tallystick.answer.chart.Thresholds.Threshold;
import tallystick.answer.chart.Thresholds.Window;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

/**
 * Why a threshold stands where it does: each window's share of bad requests over the signal's
 * value, the threshold with its interval, and the objective. A window that users suffered in is a
 * cross, one that kept the objective a disc, one that proves neither a faint dot.
 */
final class ThresholdChart {
  /** More windows are thinned; the extremes of both axes stay. */
  static final int MOST_WINDOWS = 400;

  private static final int WIDE = 300; // units of the drawing
  private static final int HIGH = 222; // units of the drawing
  private static final int LEFT = 48; // room for labels
  private static final int RIGHT = 18; // room for labels
  private static final int TOP = 36; // room for labels
  private static final int BOTTOM = 40; // room for labels
  private static final int TICKS = 4; // layout

  /** So many thresholds wide is the axis at most: overload lies far beyond, and tells nothing. */
  private static final double MOST_THRESHOLDS = 4;

  private final Threshold threshold;
  private final List<Window> windows;
  private final Scale across;
  private final Scale up;

  private ThresholdChart(Threshold threshold) {
    this.threshold = threshold;
    this.windows = thinned(threshold.windows());
    double value = threshold.value();
    double bad = threshold.badAllowed();
    double reach = Math.max(MOST_THRESHOLDS * threshold.value(), threshold.high());
    for (Window window : threshold.windows()) {
      value = Math.max(value, window.value());
      bad = Math.max(bad, window.badShare());
    }
    this.across = Scale.fromZero(reach > 0 ? Math.min(value, reach) : value, TICKS);
    this.up = Scale.fromZero(100 * bad, TICKS);
  }

  /** Draws each of them. */
  static void draw(Markup html, Thresholds thresholds) {
    html.open("div", "plots");
    thresholds.all().forEach(threshold -> new ThresholdChart(threshold).draw(html));
    html.close("div");
  }

  static List<Window> thinned(List<Window> all) {
    if (all.size() <= MOST_WINDOWS) {
      return all;
    }
    List<Window> kept = new ArrayList<>();
    kept.add(Collections.max(all, Comparator.comparingDouble(Window::badShare)));
    kept.add(Collections.min(all, Comparator.comparingDouble(Window::badShare)));
    for (int i = 0; i < MOST_WINDOWS; i++) {
      kept.add(all.get((int) ((long) i * (all.size() - 1) / (MOST_WINDOWS - 1))));
    }
    return kept;
  }

  private void draw(Markup html) {
    String name = threshold.name();
    html.raw("<figure><svg role=\"img\" viewBox=\"0 0 " + WIDE + " " + HIGH + "\" aria-label=\"")
        .text("Share of bad requests over the " + name + ", window by window")
        .raw("\">\n");
    interval(html);
    axes(html);
    double allowed = y(100 * threshold.badAllowed());
    line(html, LEFT, allowed, WIDE - RIGHT, "H", "stroke-dasharray=\"3 3\"");
    marks(html, Verdict.NOT_JUDGED, "stroke=\"var(--soft)\" stroke-width=\"2\"");
    marks(html, Verdict.MET, "stroke=\"var(--good)\" stroke-width=\"5\"");
    marks(html, Verdict.MISSED, "stroke=\"var(--bad)\" stroke-width=\"1.6\"");
    line(html, x(threshold.value()), TOP, HIGH - BOTTOM, "V", "stroke-width=\"1.5\"");
    SvgText.put(
        html, Math.clamp(x(threshold.value()), LEFT + 58, WIDE - 60), TOP - 6,
        SvgText.Anchor.MIDDLE, SvgText.SOFT,
        "fires above " + Numbers.threshold(threshold.value()));
    html.raw("</svg><figcaption>").text(name + ". " + threshold.words() + beyond())
        .raw("</figcaption></figure>\n");
  }

  private String beyond() {
    long beyond = windows.stream().filter(one -> one.value() > across.high()).count();
    return beyond == 0 ? "" : " At the right edge: " + beyond + " beyond the axis.";
  }

  private void interval(Markup html) {
    double low = x(threshold.low());
    double high = x(threshold.high());
    html.raw(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"var(--engine)\""
                + " fill-opacity=\"0.16\"/>%n",
            low, TOP, Math.max(1, high - low), HIGH - TOP - BOTTOM));
  }

  private void axes(Markup html) {
    for (double tick : up.ticks()) {
      html.raw(
          String.format(
              Locale.ROOT, "<path d=\"M%d %.1fH%d\" stroke=\"var(--grid)\"/>%n", LEFT, y(tick),
              WIDE - RIGHT));
      SvgText.put(
          html, LEFT - 4, y(tick) + 4, SvgText.Anchor.END, SvgText.SOFT,
          Scale.css(tick) + " %");
    }
    SvgText.put(html, 4, 12, SvgText.Anchor.START, SvgText.SOFT, "bad requests");
    SvgText.put(
        html, WIDE - RIGHT, HIGH - 6, SvgText.Anchor.END, SvgText.SOFT, threshold.unit());
    for (double tick : across.ticks()) {
      SvgText.put(
          html, x(tick), HIGH - BOTTOM + 14, SvgText.Anchor.MIDDLE, SvgText.SOFT,
          Numbers.threshold(tick));
    }
  }

  private void marks(Markup html, Verdict label, String pen) {
    StringBuilder path = new StringBuilder();
    for (Window window : windows) {
      if (window.users() == label) {
        double x = x(window.value());
        double y = y(100 * window.badShare());
        path.append(
            label == Verdict.MISSED
                ? String.format(Locale.ROOT, "M%.1f %.1fl5 5m0-5l-5 5", x - 2.5, y - 2.5)
                : String.format(Locale.ROOT, "M%.1f %.1fh0", x, y));
      }
    }
    if (!path.isEmpty()) {
      html.raw(
          "<path class=\"" + label.name().toLowerCase(Locale.ROOT) + "\" d=\"" + path + "\" " + pen
              + " stroke-linecap=\"round\" stroke-opacity=\"0.75\" fill=\"none\"/>\n");
    }
  }

  private static void line(
      Markup html, double x, double y, double end, String command, String pen) {
    html.raw(
        String.format(
            Locale.ROOT, "<path d=\"M%.1f %.1f%s%.1f\" stroke=\"var(--ink)\" %s/>%n", x, y,
            command, end, pen));
  }

  private double x(double value) {
    return LEFT + (WIDE - LEFT - RIGHT) * Math.min(1, across.position(value));
  }

  private double y(double percent) {
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * up.position(percent);
  }
}
