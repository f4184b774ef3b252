package tallystick.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline.Track;

/** Both sides over one time axis: the client's charts above, the engine's below. */
final class TimelineChart {
  private static final int INTERVALS = 3;

  private final Markup html;
  private final Scale time;
  private final List<Track> drawn = new ArrayList<>();
  private final List<Double> boundaries = new ArrayList<>();

  private TimelineChart(Markup html, Scale time) {
    this.html = html;
    this.time = time;
  }

  /** Both sides over time, a picture; a sentence where neither side left a track. */
  static Section section(RunAnalysis analysis) {
    boolean isEmpty = Panel.of(analysis).isEmpty();
    Block none = new Block.Text(Tone.MUTED, "No timeline: neither side left samples over time.");
    Block chart = new Block.Picture(html -> write(html, analysis), List.of());
    return Section.of("time", "Over time", isEmpty ? none : chart);
  }

  private static void write(Markup html, RunAnalysis analysis) {
    List<Panel> panels = Panel.of(analysis);
    TimelineChart chart = new TimelineChart(html, timeAxis(analysis, panels));
    html.raw("<div class=\"timeline\" id=\"timeline\" tabindex=\"0\" role=\"group\"")
        .raw(" aria-label=\"Charts over one time axis; arrow keys move the read-out\"")
        .raw(" data-low=\"" + chart.time.low() + "\" data-high=\"" + chart.time.high() + "\">\n");
    Tone side = Tone.PLAIN;
    chart.phases(analysis.phases());
    for (Panel panel : panels) {
      if (panel.side() != side) {
        side = panel.side();
        chart.sideHead(side);
      }
      chart.panel(panel.thinned(chart.time));
    }
    chart.axis(analysis);
    html.raw("<div class=\"cursor\" aria-hidden=\"true\"></div></div>\n");
    chart.values();
  }

  private static Scale timeAxis(RunAnalysis analysis, List<Panel> panels) {
    double low = 0;
    double high = analysis.run().windowSeconds();
    for (Panel panel : panels) {
      for (Panel.Line line : panel.lines()) {
        for (double second : line.track().seconds()) {
          low = Math.min(low, second);
          high = Math.max(high, second);
        }
      }
    }
    return Scale.exactly(low, high > low ? high : low + 1, 8);
  }

  // One phase is the whole window; its name says nothing.
  private void phases(List<PhaseAnalysis> phases) {
    if (phases.size() < 2) {
      return;
    }
    html.raw("<div class=\"phases\" aria-hidden=\"true\">");
    for (PhaseAnalysis phase : phases) {
      double from = 100 * time.position(phase.startSeconds());
      double to = 100 * time.position(phase.endSeconds());
      html.raw("<span style=\"left:" + Scale.css(from) + "%;width:" + Scale.css(to - from))
          .raw("%\" title=\"")
          .text(phase.phase())
          .raw("\">")
          .text(phase.phase())
          .raw("</span>");
      boundaries.add(phase.startSeconds());
    }
    html.raw("</div>\n");
  }

  private void sideHead(Tone side) {
    boolean client = side == Tone.CLIENT;
    html.element(
        "h3",
        "side " + css(side),
        client ? "Client: what users waited" : "Engine: what its /metrics said");
  }

  private static String css(Tone side) {
    return side.name().toLowerCase(Locale.ROOT);
  }

  private void panel(Panel panel) {
    Scale scale = scale(panel);
    html.raw("<figure class=\"panel " + css(panel.side()) + "\">\n").open("figcaption", "");
    html.text(panel.title() + (scale.logarithmic() ? ", log scale" : "")).close("figcaption");
    yLabels(panel, scale);
    plot(panel, scale);
    labels(panel, scale);
    html.raw("</figure>\n");
  }

  private static Scale scale(Panel panel) {
    double largest = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (Panel.Line line : panel.lines()) {
      for (double value : line.track().values()) {
        if (Double.isFinite(value)) {
          largest = Math.max(largest, value);
          smallest = value > 0 ? Math.min(smallest, value) : smallest;
        }
      }
    }
    return switch (panel.kind()) {
      case LATENCY -> Scale.latency(smallest, largest, INTERVALS);
      case COUNT, BARS -> Scale.wholeFromZero(largest, INTERVALS);
      case RATE -> Scale.fromZero(largest, INTERVALS);
      case RATIO -> new Scale(0, Math.max(1, largest), false, List.of(0.0, 0.5, 1.0));
    };
  }

  private void yLabels(Panel panel, Scale scale) {
    html.raw("<div class=\"y\" aria-hidden=\"true\">");
    for (double tick : scale.ticks()) {
      html.raw("<span style=\"top:" + Scale.css(100 * (1 - scale.position(tick))) + "%\">")
          .text(axisText(panel.kind(), tick))
          .raw("</span>");
    }
    html.raw("</div>\n");
  }

  private static String axisText(Panel.Kind kind, double value) {
    return switch (kind) {
      case LATENCY -> latencyTick(value);
      case RATIO -> Numbers.percent(value);
      case COUNT, RATE, BARS -> Numbers.count(Math.rint(value * 1e6) / 1e6);
    };
  }

  private static String latencyTick(double seconds) {
    LatencyUnit unit = LatencyUnit.fitting(seconds);
    double clean = Double.parseDouble(String.format(Locale.ROOT, "%.6g", seconds));
    return seconds == 0 ? "0" : unit.edge(clean) + " " + unit.symbol();
  }

  private void plot(Panel panel, Scale scale) {
    html.raw("<svg class=\"plot\" viewBox=\"0 0 " + PlotPath.WIDTH + " " + PlotPath.HEIGHT)
        .raw("\" preserveAspectRatio=\"none\" role=\"img\"><title>")
        .text(description(panel))
        .raw("</title>\n<path class=\"grid\" d=\"" + grid(scale) + "\"/>\n");
    for (double limit : panel.limits()) {
      if (limit >= scale.low() && limit <= scale.high()) {
        String y = Scale.css((1 - scale.position(limit)) * PlotPath.HEIGHT);
        html.raw("<path class=\"limit\" d=\"M0 " + y + "H" + PlotPath.WIDTH + "\"/>\n");
      }
    }
    for (double boundary : boundaries) {
      String x = Scale.css(time.position(boundary) * PlotPath.WIDTH);
      html.raw("<path class=\"boundary\" d=\"M" + x + " 0V" + PlotPath.HEIGHT + "\"/>\n");
    }
    for (Panel.Line line : panel.lines()) {
      drawing(panel, line, scale);
    }
    html.raw("</svg>\n");
  }

  private static String description(Panel panel) {
    List<String> labels = panel.lines().stream().map(Panel.Line::label).toList();
    return css(panel.side()) + ": " + panel.title() + " over time (" + String.join(", ", labels)
        + ")";
  }

  private String grid(Scale scale) {
    StringBuilder path = new StringBuilder();
    for (double tick : scale.ticks()) {
      path.append("M0 ").append(Scale.css((1 - scale.position(tick)) * PlotPath.HEIGHT));
      path.append("H").append(PlotPath.WIDTH);
    }
    for (double tick : time.ticks()) {
      path.append("M").append(Scale.css(time.position(tick) * PlotPath.WIDTH)).append(" 0V");
      path.append(PlotPath.HEIGHT);
    }
    return path.toString();
  }

  private void drawing(Panel panel, Panel.Line line, Scale scale) {
    String weight = line.strong() ? "strong" : "faint";
    if (panel.kind() == Panel.Kind.BARS) {
      html.raw("<path class=\"bars\" d=\"" + PlotPath.bars(line.track(), time, scale) + "\"/>\n");
      return;
    }
    if (panel.kind() == Panel.Kind.RATIO) {
      html.raw("<path class=\"area\" d=\"" + PlotPath.area(line.track(), time, scale) + "\"/>\n");
    }
    html.raw("<path class=\"line " + weight + "\" d=\"");
    html.raw(PlotPath.line(line.track(), time, scale) + "\"/>\n<path class=\"dots " + weight);
    html.raw("\" d=\"" + PlotPath.dots(line.track(), time, scale) + "\"/>\n");
  }

  private void labels(Panel panel, Scale scale) {
    html.raw("<ul class=\"labels\">");
    for (int i = panel.lines().size() - 1; i >= 0; i--) {
      Panel.Line line = panel.lines().get(i);
      html.raw("<li class=\"" + (line.strong() ? "strong" : "faint") + "\"><i></i>")
          .text(isEmptyBars(panel, line) ? "none" : line.label())
          .raw(" <b data-track=\"" + drawn.size() + "\" data-kind=\"" + panel.kind())
          .raw("\"></b></li>");
      drawn.add(line.track());
    }
    for (double limit : panel.limits()) {
      boolean seen = limit >= scale.low() && limit <= scale.high();
      html.raw("<li class=\"limit\"><i></i>objective ")
          .text(latencyTick(limit) + (seen ? "" : limit > scale.high() ? ", above" : ", below"))
          .raw("</li>");
    }
    html.raw("</ul>\n");
  }

  private static boolean isEmptyBars(Panel panel, Panel.Line line) {
    return panel.kind() == Panel.Kind.BARS
        && Arrays.stream(line.track().values()).noneMatch(value -> value > 0);
  }

  private void axis(RunAnalysis analysis) {
    html.raw("<div class=\"x\" aria-hidden=\"true\">");
    for (double tick : time.ticks()) {
      html.raw("<span style=\"left:" + Scale.css(100 * time.position(tick)) + "%\">")
          .text(Numbers.count(Math.rint(tick * 1e6) / 1e6) + " s")
          .raw("</span>");
    }
    String started = Wording.toTheSecond(analysis.run().startedUtc());
    html.raw("<b class=\"now\"></b></div>\n<p class=\"origin\">Seconds after ")
        .text(started.isEmpty() ? "the start" : started)
        .raw(", the start of the measured window. A gap in a line is a time without a value.</p>");
  }

  private void values() {
    html.raw("<script type=\"application/json\" id=\"tracks\">[");
    for (int i = 0; i < drawn.size(); i++) {
      html.raw(i == 0 ? "" : ",").raw("{\"x\":").raw(numbers(drawn.get(i).seconds()));
      html.raw(",\"y\":").raw(numbers(drawn.get(i).values())).raw("}");
    }
    html.raw("]</script>\n");
  }

  private static String numbers(double[] values) {
    StringBuilder json = new StringBuilder("[");
    for (double value : values) {
      json.append(json.length() == 1 ? "" : ",");
      json.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.5g", value) : "null");
    }
    return json.append(']').toString();
  }
}
