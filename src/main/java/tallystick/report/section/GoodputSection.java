package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Section;
import tallystick.report.markup.Drawn;
import tallystick.report.picture.GoodputChart;
import tallystick.report.picture.GoodputChart.Shape;

/** The goodput curve of a run with steps: what each step carried of what it was offered. */
public final class GoodputSection {
  private static final int FEWEST = 2; // one point is no curve

  private GoodputSection() {}

  /** Only a page draws it; not shown where fewer than two steps have a goodput. */
  public static Section of(List<PhaseAnalysis> phases) {
    List<PhaseAnalysis> steps = PhaseAnalysis.steps(phases);
    List<GoodputChart.Point> points = new ArrayList<>();
    for (PhaseAnalysis phase : phases) {
      if (phase.offeredPerSecond() instanceof Figure.Known offered
          && phase.goodput().requestsPerSecond() instanceof Figure.Known good) {
        points.add(
            new GoodputChart.Point(
                phase.phase(), offered.value(), good.value(), shape(phase.judgement()),
                !steps.contains(phase)));
      }
    }
    long rising = points.stream().filter(point -> !point.isAside()).count();
    String words = words(points.size() > rising, phases.size() - points.size());
    GoodputChart chart = new GoodputChart(points, true, GoodputChart.Band.NONE, "requests/s");
    return Section.of(
        "goodput", "Goodput over the offered rate",
        rising < FEWEST
            ? List.of()
            : List.of(Drawn.picture(html -> chart.draw(html, words), List.of())));
  }

  private static Shape shape(Judgement judged) {
    return judged.isMet() ? Shape.HOLDS : judged.isMissed() ? Shape.FAILS : Shape.OPEN;
  }

  private static String words(boolean hasLater, int left) {
    return "Each mark is one step: a disc meets every objective, a cross misses one, a ring"
        + " is too close to call. On the dashed line every request is good."
        + (hasLater
            ? " Faint: steps after a higher one, which may still carry its queue."
            : "")
        + (left == 0
            ? ""
            : left == 1
                ? " One phase has no goodput: see the table of phases."
                : " " + left + " phases have no goodput: see the table of phases.");
  }
}
