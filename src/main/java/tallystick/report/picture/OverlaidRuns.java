package tallystick.report.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline.Track;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.Chart;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;

/** Two runs on the same axes: A dashed and grey, B solid. */
public record OverlaidRuns(RunAnalysis a, RunAnalysis b) {
  /** As wide as such a chart is on a screen. */
  private static final int COLUMNS = 300;

  private static final int FEWEST = 3; // two points are no shape

  /** How latencies are distributed, and how both runs went; each empty where neither tells. */
  public static List<Section> sections(RunAnalysis a, RunAnalysis b) {
    OverlaidRuns both = new OverlaidRuns(a, b);
    return List.of(
        section("overlaid", "Distributions of A and B", both.distributions()),
        section("timelines", "A and B over time", both.timelines()));
  }

  private static Section section(String id, String title, List<Plot> plots) {
    return Section.of(id, title, plots.isEmpty() ? List.of() : List.of(Chart.besides(plots)));
  }

  private List<Plot> distributions() {
    List<Plot> plots = new ArrayList<>();
    add(plots, Latency.TTFT, RunAnalysis.ClientLatencies::ttftFromIntended);
    add(plots, Latency.ITL, RunAnalysis.ClientLatencies::chunkGaps);
    add(plots, Latency.E2E, RunAnalysis.ClientLatencies::e2eFromIntended);
    return plots;
  }

  private void add(
      List<Plot> plots, Latency quantity, Function<RunAnalysis.ClientLatencies, Distribution> of) {
    List<Plot.Point> ours = compared(a, quantity);
    List<Plot.Point> theirs = compared(b, quantity);
    // Without an engine beside it a run tells its percentiles alone, from the intended start.
    if (ours.size() < FEWEST || theirs.size() < FEWEST) {
      ours = points(of.apply(a.client()));
      theirs = points(of.apply(b.client()));
    }
    if (ours.size() >= FEWEST && theirs.size() >= FEWEST) {
      plots.add(new Plot(
          quantity.name(), "Share of the client's samples at or below; exact at the dots.",
          new Plot.Axis(quantity.name(), Plot.Reach.LOGARITHMIC, LatencyUnit::tick),
          new Plot.Axis("share", Plot.Reach.FROM_ZERO, Numbers::percent),
          List.of(series("A", Plot.Shape.DOT, ours), series("B", Plot.Shape.DOT, theirs)),
          List.of()));
    }
  }

  private static List<Plot.Point> compared(RunAnalysis run, Latency quantity) {
    return run.comparisons().stream()
        .filter(comparison -> comparison.quantity() == quantity)
        .findFirst()
        .map(CdfChart::client)
        .orElse(List.of());
  }

  private static List<Plot.Point> points(Distribution samples) {
    return Stream.concat(
            samples.percentiles().stream()
                .map(one -> Plot.Point.of(one.value().orNaN(), one.level())),
            Stream.of(Plot.Point.of(samples.maximum().orNaN(), 1)))
        .filter(point -> point.x() > 0)
        .toList();
  }

  private static Plot.Series series(String name, Plot.Shape shape, List<Plot.Point> points) {
    boolean isA = name.equals("A");
    return new Plot.Series(
        name, isA ? Tone.MUTED : Tone.PLAIN, shape,
        shape == Plot.Shape.DISC
            ? Plot.Line.NONE
            : isA ? Plot.Line.DASHED : Plot.Line.SOLID,
        points);
  }

  // Of each chart of a run's own timeline the line to look at.
  private List<Plot> timelines() {
    List<Plot> plots = new ArrayList<>();
    List<Panel> theirs = Panel.of(b);
    for (Panel ours : Panel.of(a)) {
      theirs.stream()
          .filter(one -> one.title().equals(ours.title()) && ours.kind() != Panel.Kind.MARKS)
          .findFirst()
          .ifPresent(same -> plots.add(timeline(ours, same)));
    }
    return plots;
  }

  private static Plot timeline(Panel ours, Panel theirs) {
    List<Plot.Series> series = new ArrayList<>();
    for (Panel panel : List.of(ours, theirs)) {
      for (Panel.Line line : panel.lines()) {
        if (line.strong()) {
          Plot.Shape shape = line.isDots() ? Plot.Shape.DISC : Plot.Shape.NONE;
          series.add(series(panel == ours ? "A" : "B", shape, points(line.track())));
        }
      }
    }
    String strong =
        ours.lines().stream().filter(Panel.Line::strong).findFirst().orElseThrow().label();
    return new Plot(
        ours.title().endsWith(strong) ? ours.title() : ours.title() + ", " + strong, "",
        new Plot.Axis("seconds since the start", Plot.Reach.FROM_ZERO, Numbers::threshold),
        new Plot.Axis("", reach(ours.kind()), text(ours.kind())), series, List.of());
  }

  private static List<Plot.Point> points(Track track) {
    double[] at = track.seconds();
    double last = at.length == 0 ? 1 : Math.max(1, at[at.length - 1]);
    Track thin = Thinning.of(track, Scale.fromZero(last, 1), COLUMNS);
    return IntStream.range(0, thin.seconds().length)
        .mapToObj(i -> Plot.Point.of(thin.seconds()[i], thin.values()[i]))
        .toList();
  }

  private static Plot.Reach reach(Panel.Kind kind) {
    return kind == Panel.Kind.LATENCY ? Plot.Reach.LATENCY : Plot.Reach.FROM_ZERO;
  }

  private static DoubleFunction<String> text(Panel.Kind kind) {
    return switch (kind) {
      case LATENCY -> LatencyUnit::tick;
      case RATIO -> Numbers::percent;
      case COUNT, RATE, BARS, MARKS -> Numbers::threshold;
    };
  }
}
