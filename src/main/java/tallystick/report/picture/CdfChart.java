package tallystick.report.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.ComparisonText;
import tallystick.answer.chart.Plot;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;

/**
 * Both distributions on one axis. Of the engine a histogram tells the share at its edges, so its
 * line can lie anywhere in a step; of the client these are exact points.
 */
public record CdfChart(Markup html, Scale scale) {
  private static final double[] SHARES = {0, 0.25, 0.5, 0.75, 1}; // ticks
  private static final double LABEL_SHARE = 0.16; // a label's width of the axis

  /** The picture of one quantity; empty where a side has none. */
  public static Optional<Block> of(RunAnalysis analysis, Comparison comparison) {
    EngineDistribution engine = analysis.engine().distributions().get(comparison.quantity());
    List<Plot.Point> client = client(comparison);
    boolean isKnown = engine != null && engine.count() > 0 && client.size() > 1;
    return isKnown && ComparisonText.isChecked(comparison)
        ? Optional.of(Drawn.picture(html -> draw(html, comparison, engine, client)))
        : Optional.empty();
  }

  /**
   * The client's distribution, seconds across and the share at or below them up: what the
   * comparison compares, and nothing else, since E2E may end in two ways.
   */
  static List<Plot.Point> client(Comparison comparison) {
    List<Plot.Point> points = new ArrayList<>();
    for (Comparison.ComparedPercentile percentile : comparison.percentiles()) {
      if (percentile.client() instanceof Figure.Known known) {
        points.add(Plot.Point.of(known.value(), percentile.level()));
      }
    }
    List<GapAnalysis.Edge> edges = comparison.gap().edges();
    long all = edges.stream().mapToLong(GapAnalysis.Edge::clientCount).max().orElse(0);
    for (GapAnalysis.Edge edge : edges) {
      if (Double.isFinite(edge.edge()) && edge.clientCount() < all) {
        points.add(Plot.Point.of(edge.edge(), (double) edge.clientCount() / all));
      }
    }
    points.removeIf(point -> point.x() <= 0 || point.y() <= 0);
    points.sort(Comparator.comparingDouble(Plot.Point::y).thenComparing(Plot.Point::x));
    return points;
  }

  private static void draw(
      Markup html, Comparison comparison, EngineDistribution engine, List<Plot.Point> client) {
    double low = client.getFirst().x();
    double high = client.getLast().x();
    for (EngineDistribution.Bucket bucket : engine.buckets()) {
      boolean isInside = bucket.cumulative() > 0 && bucket.cumulative() < engine.count();
      if (isInside && Double.isFinite(bucket.edge()) && bucket.edge() > 0) {
        low = Math.min(low, bucket.edge());
        high = Math.max(high, bucket.edge());
      }
    }
    low = Math.min(low, lastEmpty(engine).orElse(low));
    String name = ComparisonText.name(comparison);
    html.raw("<figure class=\"cdf\">\n<figcaption>").text(name + ": share at or below")
        .raw("</figcaption>\n");
    new CdfChart(html, Scale.logarithmic(low, Math.max(high, low * 2))).plot(name, engine, client);
    html.raw("<p class=\"key\"><span class=\"client\">client</span>: exact at the dots. ")
        .raw("<span class=\"engine\">engine</span>: somewhere inside the steps of its")
        .raw(" buckets.</p></figure>\n");
  }

  // Where the first box begins.
  private static OptionalDouble lastEmpty(EngineDistribution engine) {
    return engine.buckets().stream()
        .filter(bucket -> bucket.cumulative() == 0 && bucket.edge() > 0)
        .mapToDouble(EngineDistribution.Bucket::edge)
        .max();
  }

  private void plot(String name, EngineDistribution engine, List<Plot.Point> client) {
    html.raw("<div class=\"y\" aria-hidden=\"true\">");
    for (double share : SHARES) {
      html.raw("<span style=\"top:" + Scale.css(100 * (1 - share)) + "%\">")
          .text(Numbers.percent(share)).raw("</span>");
    }
    html.raw("</div>\n<svg class=\"curve\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\"")
        .raw(" role=\"img\"><title>")
        .text(name + ": the client's distribution and the engine's buckets")
        .raw("</title>\n<path class=\"grid\" d=\"" + grid() + "\"/>\n")
        .raw("<path class=\"steps\" d=\"" + steps(engine) + "\"/>\n");
    StringBuilder line = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    for (Plot.Point point : client) {
      line.append(line.isEmpty() ? "M" : "L").append(at(point.x(), point.y()));
      dots.append("M").append(at(point.x(), point.y())).append("h0");
    }
    html.raw("<path class=\"line\" d=\"" + line + "\"/>\n<path class=\"dots\" d=\"" + dots)
        .raw("\"/>\n</svg>\n<div class=\"below\" aria-hidden=\"true\">");
    AxisLabel.latencies(html, scale, LABEL_SHARE);
    html.raw("</div>\n");
  }

  private String grid() {
    StringBuilder path = new StringBuilder();
    for (double share : SHARES) {
      path.append("M0 ").append(Scale.css(100 * (1 - share))).append("H1000");
    }
    for (double tick : scale.ticks()) {
      path.append("M").append(Scale.css(1000 * scale.position(tick))).append(" 0V100");
    }
    return path.toString();
  }

  // One box for each bucket: as wide as the bucket, as high as its share.
  private String steps(EngineDistribution engine) {
    StringBuilder path = new StringBuilder();
    double edge = scale.low();
    double share = 0;
    for (EngineDistribution.Bucket bucket : engine.buckets()) {
      double next = bucket.cumulative() / engine.count();
      double to = Math.min(bucket.edge(), scale.high());
      if (next > share && to > edge) {
        path.append("M").append(at(edge, share)).append("H").append(x(to)).append("V")
            .append(Scale.css(100 * (1 - next))).append("H").append(x(edge)).append("Z");
      }
      share = Math.max(share, next);
      edge = Math.max(edge, to);
    }
    return path.toString();
  }

  private String at(double seconds, double share) {
    return x(seconds) + " " + Scale.css(100 * (1 - share));
  }

  private String x(double seconds) {
    return Scale.css(1000 * scale.position(seconds));
  }
}
