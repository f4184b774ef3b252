package tallystick.report.picture;

import java.util.List;
import tallystick.answer.Tone;
import tallystick.answer.chart.ChangeSteps;
import tallystick.report.markup.Markup;

/** The waterfall of a change: from one mean to the other, each part where the last one ended. */
final class ChangeChart {
  private ChangeChart() {}

  /** Draws it; parts without a number have none of the picture. */
  static void draw(Markup html, ChangeSteps chart) {
    ChangeSteps.End from = chart.from();
    ChangeSteps.End to = chart.to();
    List<ChangeSteps.Step> steps = chart.steps();
    double lowest = 0;
    double highest = Math.max(from.mean(), to.mean());
    double at = from.mean();
    for (ChangeSteps.Step step : steps) {
      at += known(step.rise());
      lowest = Math.min(lowest, at);
      highest = Math.max(highest, at);
    }
    Scale scale = Scale.exactly(lowest, highest > lowest ? highest : lowest + 1, 4);
    html.open("div", "waterfall change").element("h3", "", chart.title());
    row(html, Tone.PLAIN, from.name(), scale, 0, from.mean(), from.text());
    double end = from.mean();
    for (ChangeSteps.Step step : steps) {
      double next = end + known(step.rise());
      row(html, step.tone(), step.name(), scale, end, next, step.text());
      end = next;
    }
    row(html, Tone.PLAIN, to.name(), scale, 0, to.mean(), to.text());
    html.close("div");
  }

  private static void row(
      Markup html, Tone tone, String name, Scale scale, double from, double to, String text) {
    html.raw("<div class=\"row " + tone.css() + "\">")
        .element("span", "level", name)
        .raw("<span class=\"track\"><i style=\"" + scale.bar(from, to) + "\"></i></span>")
        .element("span", "value", text)
        .raw("</div>\n");
  }

  private static double known(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
