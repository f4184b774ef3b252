package tallystick.report.picture;

import tallystick.answer.chart.ChangeSteps;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Effects;
import tallystick.answer.chart.FiringBands;
import tallystick.answer.chart.HeatMap;
import tallystick.answer.chart.Plot;
import tallystick.answer.chart.RunLanes;
import tallystick.answer.chart.Strip;
import tallystick.report.markup.Markup;

/** Draws each kind of chart. */
public final class Charts {
  private Charts() {}

  /** Draws one. */
  public static void draw(Markup html, Chart chart) {
    switch (chart) {
      case ChangeSteps steps -> ChangeChart.draw(html, steps);
      case Effects effects -> ForestPlot.draw(html, effects.effects());
      case FiringBands bands -> AlertBands.draw(html, bands);
      case HeatMap map -> new HeatPicture(map).draw(html);
      case Plot plot -> new PlotPicture(plot).draw(html);
      case RunLanes lanes -> AlertBands.draw(html, lanes);
      case Strip strip -> StripPicture.draw(html, strip);
    }
  }
}
