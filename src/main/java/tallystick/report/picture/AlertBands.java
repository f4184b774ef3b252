package tallystick.report.picture;

import java.util.List;
import java.util.Locale;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.AlertReview.ReviewedRun;
import tallystick.answer.words.Numbers;
import tallystick.plan.Phase;
import tallystick.promql.Firing;
import tallystick.report.markup.Markup;

/** One picture for each run: when users suffered above, when each alert fired below. */
public final class AlertBands {
  private static final int INTERVALS = 8;
  private static final double MINUTE_MILLIS = 60_000;

  private final Markup html;
  private final RunTimeline timeline;
  private final Scale time;

  private AlertBands(Markup html, RunTimeline timeline) {
    this.html = html;
    this.timeline = timeline;
    this.time = Scale.exactly(0, Math.max(0.1, minutes(timeline.endMillis())), INTERVALS);
  }

  public static void draw(Markup html, AlertReview review) {
    List<String> alerts =
        review.judgements().getFirst().scores().stream().map(AlertScore::alert).toList();
    for (ReviewedRun run : review.runs()) {
      html.raw("<figure class=\"bands\">\n<figcaption>")
          .text(run.timeline().run())
          .raw("<small>")
          .text(run.source())
          .raw("</small></figcaption>\n");
      AlertBands bands = new AlertBands(html, run.timeline());
      bands.steps(run.steps());
      bands.users();
      alerts.forEach(bands::alert);
      bands.axis();
      html.raw("</figure>\n");
    }
    html.raw("<ul class=\"legend\"><li class=\"suffer\"><i></i>users suffered</li>")
        .raw("<li class=\"right\"><i></i>fired, users suffered within 5 min</li>")
        .raw("<li class=\"wrong\"><i></i>fired, nobody did</li></ul>\n");
  }

  private void steps(List<Phase> steps) {
    if (steps.size() < 2) {
      return;
    }
    open("steps", "offered/s");
    long first = steps.getFirst().startNanos();
    for (Phase step : steps) {
      double from = (step.startNanos() - first) / 60e9;
      String rate = step.requestsPerSecond() > 0 ? Numbers.number(step.requestsPerSecond()) : "";
      span(
          "", from, (step.endNanos() - first) / 60e9,
          step.name() + (rate.isEmpty() ? "" : ", offered " + rate + "/s"));
      html.text(rate).raw("</span>");
    }
    close("");
  }

  private void users() {
    open("users", "users suffered");
    for (Episode episode : timeline.episodes()) {
      long from = episode.onsetMillis() - timeline.windowMillis();
      band("suffer", from, episode.endMillis());
    }
    int count = timeline.episodes().size();
    close(count == 1 ? "1 stretch" : count + " stretches");
  }

  private void alert(String name) {
    List<Firing> firings =
        timeline.firings().stream().filter(firing -> firing.alert().equals(name)).toList();
    open("alert", name);
    for (Firing firing : firings) {
      String css = timeline.isFalse(firing) ? "wrong" : "right";
      band(css, firing.firedMillis(), timeline.endOf(firing));
    }
    close(times(name, firings.size()));
  }

  private String times(String name, int firings) {
    return switch (firings) {
      case 0 -> timeline.replays(name) ? "never" : "refused";
      case 1 -> "once";
      default -> firings + " times";
    };
  }

  private void band(String css, long fromMillis, long toMillis) {
    double from = minutes(fromMillis);
    double to = minutes(toMillis);
    span(css, from, to, clock(from) + " to " + clock(to));
    html.raw("</span>");
  }

  private double minutes(long millis) {
    return (millis - timeline.startMillis()) / MINUTE_MILLIS;
  }

  private void span(String css, double fromMinutes, double toMinutes, String title) {
    double left = 100 * time.position(fromMinutes);
    double width = 100 * time.position(toMinutes) - left;
    html.raw("<span class=\"" + css + "\" style=\"left:" + Scale.css(left) + "%;width:")
        .raw(Scale.css(width) + "%\" title=\"")
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
      html.raw("<span style=\"left:" + Scale.css(100 * time.position(tick)) + "%\">")
          .text(clock(tick))
          .raw("</span>");
    }
    close("");
  }

  /** Hours, minutes and, where there are no hours, seconds. */
  private static String clock(double minutes) {
    long whole = Math.round(minutes * 60);
    return whole >= 3600
        ? String.format(
            Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
