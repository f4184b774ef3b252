package tallystick.report.picture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Comparison.ComparedPercentile;
import tallystick.analysis.result.Figure;
import tallystick.answer.ComparisonText;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

/**
 * The client's percentiles as points beside the engine's buckets as bands, on one logarithmic axis:
 * a point inside its band is as close as the engine's histogram can tell.
 */
public record BracketChart(Markup html, Scale scale) {
  // Part of the axis one label takes on a narrow screen.
  private static final double LABEL_SHARE = 0.3;

  /** Writes the chart; nothing where no percentile is known on both sides. */
  public static void write(Markup html, Comparison comparison) {
    List<ComparedPercentile> known =
        comparison.percentiles().stream().filter(BracketChart::isKnown).toList();
    if (known.isEmpty()) {
      return;
    }
    double[] ends = known.stream().flatMap(BracketChart::positives).mapToDouble(d -> d).toArray();
    double low = Arrays.stream(ends).min().orElse(0.001);
    double high = Arrays.stream(ends).max().orElse(1);
    BracketChart chart = new BracketChart(html, Scale.logarithmic(low, Math.max(high, low * 2)));
    html.raw("<div class=\"brackets\" role=\"img\" aria-label=\"")
        .text(ComparisonText.name(comparison) + ": client percentiles beside engine buckets")
        .raw("\">\n");
    comparison.percentiles().forEach(chart::row);
    chart.axis();
    html.raw("</div>\n");
  }

  private static boolean isKnown(ComparedPercentile percentile) {
    return percentile.client() instanceof Figure.Known
        && percentile.low() instanceof Figure.Known
        && percentile.high() instanceof Figure.Known;
  }

  private static Stream<Double> positives(ComparedPercentile percentile) {
    return Stream.of(percentile.client(), percentile.low(), percentile.high())
        .map(Figure::orNaN)
        .filter(value -> value > 0 && Double.isFinite(value));
  }

  private void row(ComparedPercentile percentile) {
    html.raw("<div class=\"row\">");
    html.element("span", "level", Numbers.percentile(percentile.level()));
    html.raw("<span class=\"track\">");
    if (isKnown(percentile)) {
      String band = scale.bar(percentile.low().orNaN(), percentile.high().orNaN());
      html.raw("<i class=\"band\" style=\"" + band + "\"></i><i class=\"dot\" style=\"")
          .raw(scale.left(percentile.client().orNaN()) + "\"></i>");
    }
    html.raw("</span>");
    words(percentile);
    html.raw("</div>\n");
  }

  private void words(ComparedPercentile percentile) {
    LatencyUnit unit = LatencyUnit.fittingFirstKnown(percentile.client(), percentile.low());
    boolean known = percentile.client() instanceof Figure.Known;
    html.element("span", known ? "client" : "absent", Numbers.latency(percentile.client()));
    if (percentile.low() instanceof Figure.Known low
        && percentile.high() instanceof Figure.Known high) {
      String bracket = unit.bracket(low.value(), high.value());
      html.element("span", "engine", bracket + " " + unit.symbol());
    } else if (known) {
      html.element("span", "engine", Numbers.latency(percentile.high()));
    }
  }

  private void axis() {
    html.raw("<div class=\"row axis\" aria-hidden=\"true\"><span class=\"level\"></span>");
    html.raw("<span class=\"track\">");
    AxisLabel.latencies(html, scale, LABEL_SHARE);
    html.raw("</span></div>\n");
  }
}
