package tallystick.report.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;

/** Both sides over one time axis: the client's charts above, the engine's below. */
public final class TimelineChart {
  private static final int INTERVALS = 3; // layout

  /** So many engines are named one by one beside a chart; more are read out together. */
  private static final int MOST_NAMED = 4;

  private static final String TOOLS =
      """
      <div class="tools" id="tools" role="toolbar" aria-label="Zoom, scale and save" hidden>
      <button type="button" data-do="in">Zoom in</button>
      <button type="button" data-do="out">Zoom out</button>
      <button type="button" data-do="all">Whole run</button>
      <button type="button" data-do="svg">Save SVG</button>
      <button type="button" data-do="png">PNG</button>
      <button type="button" data-do="csv">CSV</button>
      <button type="button" data-do="copy">Copy values</button>
      <label>Scale <select id="scale">
      <option value="usual">as drawn</option><option value="linear">linear</option>
      <option value="log">logarithmic</option><option value="clip">without spikes</option>
      </select></label>
      </div>
      """;

  private final Markup html;
  private final Scale time;
  private final TrackValues values;
  private final List<Double> boundaries;

  private TimelineChart(Markup html, Scale time, TrackValues values, List<Double> boundaries) {
    this.html = html;
    this.time = time;
    this.values = values;
    this.boundaries = boundaries;
  }

  /** Both sides over time, a picture; a sentence where neither side left a track. */
  public static Section section(RunAnalysis analysis) {
    boolean isEmpty = Panel.of(analysis).isEmpty();
    Block none = new Block.Text(Tone.MUTED, "No timeline: neither side left samples over time.");
    Block chart = Drawn.picture(html -> write(html, analysis));
    return Section.of("time", "Over time", isEmpty ? none : chart);
  }

  private static void write(Markup html, RunAnalysis analysis) {
    List<Panel> panels = Panel.of(analysis);
    Scale time = timeAxis(analysis, panels);
    int tracks = panels.stream().mapToInt(panel -> panel.lines().size()).sum();
    List<Double> boundaries =
        analysis.phases().stream().skip(1).map(PhaseAnalysis::startSeconds).toList();
    TrackValues values = new TrackValues(time, tracks);
    html.raw(TOOLS)
        .raw("<div class=\"timeline\" id=\"timeline\" tabindex=\"0\" role=\"group\"")
        .raw(" aria-label=\"Charts over one time axis; arrow keys move the read-out\"")
        .raw(" data-low=\"" + time.low() + "\" data-high=\"" + time.high() + "\">\n");
    PhaseStrip.write(html, analysis.phases(), time);
    new TimelineChart(html, time, values, boundaries).panels(panels);
    axis(html, time, analysis);
    html.raw("<div class=\"cursor\" aria-hidden=\"true\"></div>")
        .raw("<div class=\"chosen\" aria-hidden=\"true\"></div></div>\n");
    values.write(html);
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

  private void panels(List<Panel> panels) {
    Tone side = Tone.PLAIN;
    for (Panel panel : panels) {
      if (panel.side() != side) {
        side = panel.side();
        boolean client = side == Tone.CLIENT;
        html.element(
            "h3", "side " + side.css(),
            client ? "Client: what users waited" : "Engine: what its /metrics said");
      }
      panel(panel);
    }
  }

  private void panel(Panel panel) {
    Scale scale = scale(panel);
    html.raw("<figure class=\"panel " + panel.side().css() + " " + panel.kind().css())
        .raw("\" data-kind=\"" + panel.kind() + "\" data-low=\"" + scale.low() + "\" data-high=\"")
        .raw(scale.high() + "\"" + (scale.logarithmic() ? " data-log" : ""))
        .raw(panel.kind().isGrowth() ? " data-growth>\n" : ">\n");
    html.open("figcaption", "").term(panel.title());
    html.raw("<span class=\"how\">" + (scale.logarithmic() ? ", log scale" : "") + "</span>");
    html.close("figcaption");
    yLabels(panel, scale);
    List<Integer> numbers = panel.lines().stream().map(values::add).toList();
    plot(panel, scale, numbers);
    labels(panel, scale, numbers);
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
      case MARKS -> new Scale(0, 1, false, List.of());
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
      case LATENCY -> LatencyUnit.tick(value);
      case RATIO -> Numbers.percent(value);
      case COUNT, RATE, BARS, MARKS -> Numbers.count(Math.rint(value * 1e6) / 1e6);
    };
  }

  private void plot(Panel panel, Scale scale, List<Integer> numbers) {
    html.raw("<svg class=\"plot\" viewBox=\"0 0 " + PlotPath.WIDTH + " " + PlotPath.HEIGHT)
        .raw("\" preserveAspectRatio=\"none\" role=\"img\"><title>")
        .text(description(panel))
        .raw("</title>\n<path class=\"grid\" d=\"" + grid(scale) + "\"/>\n");
    for (double limit : panel.limits()) {
      if (limit >= scale.low() && limit <= scale.high()) {
        String y = Scale.css((1 - scale.position(limit)) * PlotPath.HEIGHT);
        html.raw("<path class=\"limit\" data-limit=\"" + limit + "\" d=\"M0 " + y + "H")
            .raw(PlotPath.WIDTH + "\"/>\n");
      }
    }
    for (double boundary : boundaries) {
      String x = Scale.css(time.position(boundary) * PlotPath.WIDTH);
      html.raw("<path class=\"boundary\" data-at=\"" + boundary + "\" d=\"M" + x + " 0V")
          .raw(PlotPath.HEIGHT + "\"/>\n");
    }
    for (int i = 0; i < numbers.size(); i++) {
      drawing(panel, panel.lines().get(i), scale, numbers.get(i));
    }
    html.raw("</svg>\n");
  }

  private static String description(Panel panel) {
    String labels =
        panel.lines().stream().map(Panel.Line::label).distinct().collect(Collectors.joining(", "));
    String side = panel.side() == Tone.PLAIN ? "" : panel.side().css() + ": ";
    return side + panel.title() + " over time (" + labels + ")";
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

  // Which of a few engines a line is of: each has a stroke of its own.
  private static String stroke(Panel panel, Panel.Line line) {
    List<String> owners =
        panel.lines().stream()
            .filter(one -> one.label().equals(line.label()))
            .map(one -> one.track().owner())
            .distinct()
            .toList();
    int place = owners.indexOf(line.track().owner());
    return place == 0 || owners.size() > MOST_NAMED ? "" : " stroke" + place;
  }

  private void drawing(Panel panel, Panel.Line line, Scale scale, int number) {
    var track = values.pictured(line);
    String weight = (line.strong() ? "strong" : "faint") + stroke(panel, line);
    PlotPath plot = new PlotPath(track, panel.kind().isGrowth(), time, scale);
    switch (panel.kind()) {
      case BARS -> path("bars", number, plot.bars());
      case MARKS -> path("ticks " + line.label(), number, plot.marks());
      case RATIO -> {
        path("area", number, plot.area());
        path("line " + weight, number, new PlotPath(track, false, time, scale).line());
      }
      case LATENCY, COUNT, RATE -> {
        boolean isDots = line.isDots();
        path((isDots ? "dots " : "line ") + weight, number, isDots ? plot.dots() : plot.line());
      }
    }
  }

  private void path(String css, int number, String drawn) {
    html.raw("<path class=\"" + css + "\" data-track=\"" + number + "\" d=\"" + drawn + "\"/>\n");
  }

  private void labels(Panel panel, Scale scale, List<Integer> numbers) {
    Map<String, List<Integer>> named = new LinkedHashMap<>();
    for (int i = numbers.size() - 1; i >= 0; i--) {
      named.computeIfAbsent(panel.lines().get(i).label(), label -> new ArrayList<>()).add(i);
    }
    html.raw("<ul class=\"labels\">");
    for (List<Integer> lines : named.values()) {
      lines.sort(Comparator.naturalOrder());
      if (lines.size() > MOST_NAMED || isEmpty(panel, lines)) {
        label(panel, lines, numbers, lines.size() + " engines");
      } else {
        for (int line : lines) {
          String owner = panel.lines().get(line).track().owner();
          label(panel, List.of(line), numbers, lines.size() > 1 ? owner : "");
        }
      }
    }
    for (double limit : panel.limits()) {
      boolean seen = limit >= scale.low() && limit <= scale.high();
      html.raw("<li class=\"limit\"><i></i>objective ")
          .text(LatencyUnit.tick(limit))
          .text(seen ? "" : limit > scale.high() ? ", above" : ", below")
          .raw("</li>");
    }
    html.raw("</ul>\n");
  }

  private void label(Panel panel, List<Integer> lines, List<Integer> numbers, String whose) {
    Panel.Line line = panel.lines().get(lines.getFirst());
    boolean isEmpty = isEmpty(panel, lines);
    String stroke = lines.size() > 1 ? "" : stroke(panel, line);
    String tracks =
        lines.stream().map(one -> "" + numbers.get(one)).collect(Collectors.joining(" "));
    html.raw("<li class=\"" + (line.strong() ? "strong " : "faint ") + line.label() + stroke)
        .raw("\"><i></i>")
        .text(isEmpty ? "none" : line.label() + (whose.isEmpty() ? "" : ", " + whose))
        .raw(" <b" + (line.isDots() ? " class=\"each\"" : "") + " data-tracks=\"" + tracks)
        .raw("\"></b></li>");
  }

  private static boolean isEmpty(Panel panel, List<Integer> lines) {
    return panel.kind() == Panel.Kind.BARS
        && lines.stream().noneMatch(one -> isAnyAboveZero(panel.lines().get(one)));
  }

  private static boolean isAnyAboveZero(Panel.Line line) {
    return java.util.Arrays.stream(line.track().values()).anyMatch(value -> value > 0);
  }

  private static void axis(Markup html, Scale time, RunAnalysis analysis) {
    html.raw("<div class=\"x\" aria-hidden=\"true\">");
    for (double tick : time.ticks()) {
      html.raw("<span class=\"tick\" style=\"" + time.left(tick) + "\">")
          .text(Numbers.count(Math.rint(tick * 1e6) / 1e6) + " s")
          .raw("</span>");
    }
    String started = Wording.toTheSecond(analysis.run().startedUtc());
    html.raw("<b class=\"now\"></b></div>\n<p class=\"origin\">Seconds after ")
        .text(started.isEmpty() ? "the start" : started)
        .raw(", the start of the measured window. A gap in a line is a time without a value.")
        .raw(" A counter's growth is drawn over the time since the scrape before, any other value")
        .raw(" around its scrape.")
        .raw(" Long series are thinned; each pixel column keeps its highest and lowest value.")
        .raw("<span class=\"keys\" hidden> Drag over a chart to zoom; press a name beside it to")
        .raw(" leave its line out. Keys: ← → read, + − zoom, 0 whole run.</span></p>");
  }
}
