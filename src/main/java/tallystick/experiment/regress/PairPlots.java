package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Plot;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.scenario.Formatted;

/** Every run as a dot, metric by metric: how far the sides lie apart, and how far their runs do. */
record PairPlots(RegressReport report) {
  private static final int FEWEST = 2; // of one run the table tells all

  /** Nothing where either side has fewer than two runs. */
  Section section() {
    int fewest = Math.min(report.baseRuns().size(), report.candidateRuns().size());
    List<Plot> plots =
        report.regression().metrics().stream()
            .filter(one -> !one.isUnknown())
            .map(this::plot)
            .toList();
    return Section.of(
        "pairs", isPaired() ? "Pair by pair" : "Run by run",
        fewest < FEWEST || plots.isEmpty() ? List.of() : List.of(Chart.besides(plots)));
  }

  private boolean isPaired() {
    return report.regression().design().paired();
  }

  private Plot plot(Judged one) {
    List<Plot.Series> series = new ArrayList<>();
    if (isPaired()) {
      series.add(
          new Plot.Series("", Tone.MUTED, Plot.Shape.NONE, Plot.Line.SOLID, stems(one)));
    }
    series.add(side("base", one, report.baseRuns(), Tone.MUTED, Plot.Shape.RING));
    Tone tone = new MetricText(one).drawn().tone();
    series.add(side("candidate", one, report.candidateRuns(), tone, Plot.Shape.DISC));
    String of = isPaired() ? "Each line is a pair: " : "";
    return new Plot(
        one.metric().words(),
        of + (one.metric().isBetterHigh() ? "higher is better." : "lower is better."),
        new Plot.Axis(
            isPaired() ? "pair" : "run", Plot.Reach.PLACES,
            place -> Formatted.of("%.0f", place)),
        new Plot.Axis(
            one.metric().words(), Plot.Reach.WITHIN,
            one.metric().isShare() ? 1 : Double.POSITIVE_INFINITY, one.metric()::text),
        series, List.of(Plot.Guide.at(false, allowed(one), Tone.BAD, "allowed")));
  }

  /** As bad as the mean of the base's runs may become. */
  private static double allowed(Judged one) {
    if (one.metric().isShare()) {
      return one.base() - one.margin();
    }
    return one.metric().isBetterHigh()
        ? one.base() / (1 + one.margin())
        : one.base() * (1 + one.margin());
  }

  private List<Plot.Point> stems(Judged one) {
    List<Plot.Point> stems = new ArrayList<>();
    for (int i = 0; i < Math.min(report.baseRuns().size(), report.candidateRuns().size()); i++) {
      stems.add(point(one, report.baseRuns(), i, ""));
      stems.add(point(one, report.candidateRuns(), i, ""));
      stems.add(Plot.Point.of(Double.NaN, Double.NaN));
    }
    return stems;
  }

  private static Plot.Series side(
      String name, Judged one, List<ComparedRun> runs, Tone tone, Plot.Shape shape) {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Plot.Point point = point(one, runs, i, name);
      if (Double.isFinite(point.y())) {
        points.add(point);
      }
    }
    return new Plot.Series(name, tone, shape, Plot.Line.NONE, points);
  }

  private static Plot.Point point(Judged one, List<ComparedRun> runs, int place, String side) {
    ComparedRun run = runs.get(place);
    double value = run.figure(one.metric()).orElse(Double.NaN);
    return new Plot.Point(
        place + 1, value, "",
        side.isEmpty() ? "" : side + " " + run.runId() + ": " + one.metric().text(value));
  }
}
