package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Objective;

/** What each step of a run carried of what it was offered, and how long its users waited. */
public final class GoodputSection {
  public static final String TITLE = "Step by step";
  private static final int FEWEST = 2; // one point is no curve

  private static final Quantity GOOD =
      new Quantity(
          new Plot.Axis("good", Plot.Reach.FROM_ZERO, Numbers::percent),
          step -> step.goodput().share(), Numbers::percent);
  private static final Quantity TTFT =
      new Quantity(
          new Plot.Axis("TTFT P95", Plot.Reach.LATENCY, LatencyUnit::tick),
          step -> step.ttft().percentile(0.95), Numbers::latency);

  private final List<PhaseAnalysis> phases;
  private final List<PhaseAnalysis> steps;
  private final String unit;

  /** A figure of a step, on its axis and in words. */
  private record Quantity(
      Plot.Axis up, Function<PhaseAnalysis, Figure> figure, Function<Figure, String> words) {
    private boolean isKnown(PhaseAnalysis phase) {
      return phase.offeredPerSecond() instanceof Figure.Known
          && figure.apply(phase) instanceof Figure.Known;
    }

    private Plot.Point point(PhaseAnalysis phase) {
      Figure told = figure.apply(phase);
      return new Plot.Point(
          phase.offeredPerSecond().orNaN(), told.orNaN(), "",
          phase.phase() + ", " + Numbers.number(phase.offeredPerSecond()) + "/s: " + up.name()
              + " " + words.apply(told) + ", " + phase.judgement().words());
    }
  }

  private GoodputSection(List<PhaseAnalysis> phases, String unit) {
    this.phases = phases;
    this.unit = unit;
    this.steps = LoadSteps.of(phases).map(LoadSteps::steps).orElse(List.of());
  }

  /**
   * Only a page draws it; not shown where fewer than two steps have a goodput.
   *
   * @param unit of the phases' rates
   */
  public static Section of(List<PhaseAnalysis> phases, String unit) {
    return new GoodputSection(phases, unit).section();
  }

  private Section section() {
    long rising = steps.stream().filter(GOOD::isKnown).count();
    List<Plot> plots = rising < FEWEST ? List.of() : List.of(goodRequests(), firstTokens());
    return Section.of(
        "goodput", TITLE, plots.isEmpty() ? List.of() : List.of(Chart.besides(plots)));
  }

  private Plot goodRequests() {
    long left = phases.stream().filter(phase -> !GOOD.isKnown(phase)).count();
    String without =
        left == 0
            ? ""
            : left == 1
                ? " One phase has no goodput: see the table of phases."
                : " " + left + " phases have no goodput: see the table of phases.";
    List<Plot.Guide> wanted =
        phases.stream()
            .flatMap(phase -> phase.objectives().stream())
            .map(result -> result.objective().share())
            .limit(1)
            .map(least -> Plot.Guide.at(false, least, Tone.BAD, Numbers.percent(least) + " wanted"))
            .toList();
    return plot(
        "Good requests", "Each mark is one step: a disc meets every objective, a cross misses one,"
            + " a ring is too close to call." + without,
        GOOD, wanted);
  }

  private Plot firstTokens() {
    List<Plot.Guide> limits =
        phases.stream()
            .flatMap(phase -> phase.objectives().stream())
            .flatMap(result -> result.objective().parts().stream())
            .filter(objective -> objective.metric() == Objective.Metric.TTFT)
            .map(GoodputSection::limit)
            .distinct()
            .toList();
    boolean hasLater = steps.size() < phases.size();
    return plot(
        "TTFT P95", "The wait for the first token in the same steps."
            + (hasLater ? " Grey: after a higher step, whose queue may still be there." : ""),
        TTFT, limits);
  }

  private static Plot.Guide limit(Objective objective) {
    double most = objective.thresholdSeconds();
    return Plot.Guide.at(false, most, Tone.BAD, Numbers.limit(most, objective.share()));
  }

  private Plot plot(String title, String words, Quantity of, List<Plot.Guide> guides) {
    List<Plot.Series> series = new ArrayList<>();
    series.add(
        new Plot.Series("", Tone.CLIENT, Plot.Shape.NONE, Plot.Line.SOLID, points(steps, of)));
    for (boolean isLater : List.of(true, false)) {
      for (Plot.Shape shape : List.of(Plot.Shape.DISC, Plot.Shape.RING, Plot.Shape.CROSS)) {
        List<PhaseAnalysis> alike =
            phases.stream()
                .filter(phase -> steps.contains(phase) != isLater)
                .filter(phase -> shape(phase.judgement()) == shape)
                .toList();
        Tone tone = isLater ? Tone.MUTED : tone(shape);
        series.add(new Plot.Series("", tone, shape, Plot.Line.NONE, points(alike, of)));
      }
    }
    return new Plot(
        title, words,
        new Plot.Axis("offered " + unit, Plot.Reach.FROM_ZERO, Numbers::threshold), of.up(),
        series, guides);
  }

  private static List<Plot.Point> points(List<PhaseAnalysis> phases, Quantity of) {
    return phases.stream().filter(of::isKnown).map(of::point).toList();
  }

  private static Plot.Shape shape(Judgement judged) {
    return judged.isMet()
        ? Plot.Shape.DISC
        : judged.isMissed() ? Plot.Shape.CROSS : Plot.Shape.RING;
  }

  private static Tone tone(Plot.Shape shape) {
    return switch (shape) {
      case DISC -> Tone.GOOD;
      case CROSS -> Tone.BAD;
      case RING, DOT, HALO, NONE -> Tone.CAUTION;
    };
  }
}
