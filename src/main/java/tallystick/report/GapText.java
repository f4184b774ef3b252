package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.analysis.result.GapAnalysis;

/** How the gap between samples and buckets reads. */
final class GapText {
  private GapText() {}

  static List<Fact> facts(GapAnalysis gap) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("gap of the means", IntervalText.latency(gap.meanGap())));
    facts.add(new Fact("constant overhead", IntervalText.latency(gap.constantGap())));
    facts.add(new Fact("overhead covering every edge", Numbers.latency(gap.boundSeconds())));
    String violated =
        gap.orderViolations().stream()
            .map(edge -> LatencyUnit.SECONDS.edge(edge) + " s")
            .collect(Collectors.joining(", "));
    facts.add(new Fact("edges out of order", violated.isEmpty() ? "none" : violated));
    return facts;
  }

  /** Cells of one edge. */
  static List<String> row(GapAnalysis.Edge edge) {
    LatencyUnit unit = LatencyUnit.fitting(edge.edge());
    boolean last = Double.isInfinite(edge.edge());
    return List.of(
        last ? "+Inf" : unit.edge(edge.edge()) + " " + unit.symbol(),
        Numbers.count(edge.engineCount()),
        Numbers.count(edge.clientCount()),
        Numbers.count(edge.crossers()),
        Numbers.latency(edge.gapLow()),
        Numbers.latency(edge.gapHigh()));
  }
}
