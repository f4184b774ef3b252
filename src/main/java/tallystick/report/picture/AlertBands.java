package tallystick.report.picture;

import java.util.List;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.chart.FiringBands.Alert;
import tallystick.answer.chart.FiringBands.Band;
import tallystick.answer.chart.FiringBands.Step;
import tallystick.answer.chart.RunLanes;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/** One picture for each run: when users suffered above, when each alert fired below. */
final class AlertBands {
  private static final int INTERVALS = 8; // ticks below the bands
  private static final int SHOWN = 3; // runs: more fill a page by themselves

  /** An axis of no length has no place for anything. */
  private static final double LEAST_MINUTES = 0.1;

  private final Markup html;
  private final Scale time;

  private AlertBands(Markup html, double minutes) {
    this.html = html;
    this.time = Scale.exactly(0, Math.max(LEAST_MINUTES, minutes), INTERVALS);
  }

  static void draw(Markup html, FiringBands all) {
    runs(html, all.runs().stream().limit(SHOWN).toList());
    html.raw("<ul class=\"legend\"><li class=\"suffer\"><i></i>users suffered</li>")
        .raw("<li class=\"right\"><i></i>fired, users suffered within 5 min</li>")
        .raw("<li class=\"wrong\"><i></i>fired, nobody did</li></ul>\n");
    int more = all.runs().size() - SHOWN;
    if (more > 0) {
      html.raw("<details>")
          .element("summary", "", "and " + Counted.of(more, "more run", "more runs"));
      runs(html, all.runs().stream().skip(SHOWN).toList());
      html.raw("</details>\n");
    }
  }

  private static void runs(Markup html, List<FiringBands.Run> runs) {
    for (FiringBands.Run run : runs) {
      html.raw("<figure class=\"bands\">\n<figcaption>")
          .text(run.name())
          .raw("<small>")
          .text(run.source())
          .raw("</small></figcaption>\n");
      AlertBands bands = new AlertBands(html, run.minutes());
      bands.steps(run.steps());
      bands.users(run.suffering());
      run.alerts().forEach(bands::alert);
      bands.axis();
      html.raw("</figure>\n");
    }
  }

  /** One row for each run, its steps beside each other. */
  static void draw(Markup html, RunLanes all) {
    double minutes =
        all.lanes().stream()
            .flatMap(lane -> lane.spans().stream())
            .mapToDouble(RunLanes.Span::to)
            .max()
            .orElse(0);
    AlertBands bands = new AlertBands(html, minutes);
    html.raw("<figure class=\"bands lanes\">\n");
    for (RunLanes.Lane lane : all.lanes()) {
      bands.open("steps", lane.name());
      for (RunLanes.Span span : lane.spans()) {
        bands.span(span.tone().css(), span.from(), span.to(), span.title());
        html.text(span.text()).raw("</span>");
      }
      bands.close(lane.note());
    }
    bands.axis();
    html.raw("</figure>\n<ul class=\"legend lanes\">")
        .raw("<li class=\"good\"><i></i>users got what the objective promises</li>")
        .raw("<li class=\"bad\"><i></i>users suffered (underlined)</li>")
        .raw("<li class=\"muted\"><i></i>not used</li>")
        .raw("<li>number: offered requests/s of a step</li></ul>\n");
    if (!all.page().isEmpty()) {
      html.raw("<p><a href=\"").text(all.page()).raw("\">").text(all.tells()).raw("</a></p>\n");
    }
  }

  private void steps(List<Step> steps) {
    if (steps.size() < 2) {
      return;
    }
    open("steps", "offered/s");
    for (Step step : steps) {
      String rate = step.perSecond() > 0 ? Numbers.number(step.perSecond()) : "";
      span(
          "", step.from(), step.to(),
          step.name() + (rate.isEmpty() ? "" : ", offered " + rate + "/s"));
      html.text(rate).raw("</span>");
    }
    close("");
  }

  private void users(List<Band> suffering) {
    open("users", "users suffered");
    suffering.forEach(band -> band("suffer", band));
    close(suffering.size() == 1 ? "1 stretch" : suffering.size() + " stretches");
  }

  private void alert(Alert alert) {
    open("alert", alert.name());
    alert.firings().forEach(band -> band(band.isRight() ? "right" : "wrong", band));
    close(times(alert));
  }

  private static String times(Alert alert) {
    return switch (alert.firings().size()) {
      case 0 -> alert.isReplayed() ? "never" : "refused";
      case 1 -> "once";
      default -> alert.firings().size() + " times";
    };
  }

  private void band(String css, Band band) {
    span(css, band.from(), band.to(), clock(band.from()) + " to " + clock(band.to()));
    html.raw("</span>");
  }

  private void span(String css, double fromMinutes, double toMinutes, String title) {
    html.raw("<span class=\"" + css + "\" style=\"" + time.bar(fromMinutes, toMinutes))
        .raw("\" title=\"")
        .text(title)
        .raw("\">");
  }

  private void open(String css, String name) {
    html.raw("<div class=\"row " + css + "\"><b>").text(name).raw("</b><div class=\"track\">");
  }

  private void close(String note) {
    html.raw("</div><small>").text(note).raw("</small></div>\n");
  }

  private void axis() {
    open("axis", "");
    for (double tick : time.ticks()) {
      html.raw("<span style=\"" + time.left(tick) + "\">").text(clock(tick)).raw("</span>");
    }
    close(time.high() < 60 ? "min:s" : "h:min:s");
  }

  /** Hours, minutes and, where there are no hours, seconds. */
  private static String clock(double minutes) {
    long whole = Math.round(minutes * 60);
    return whole >= 3600
        ? Formatted.of("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
        : Formatted.of("%d:%02d", whole / 60, whole % 60);
  }
}
