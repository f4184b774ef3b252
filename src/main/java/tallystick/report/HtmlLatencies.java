package tallystick.report;

import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.LatencyRow.Cell;
import tallystick.report.LatencyRow.Side;

/** The two sides' latencies: the comparisons as charts, then every figure as a table. */
final class HtmlLatencies {
  private HtmlLatencies() {}

  static void write(Markup html, RunAnalysis analysis) {
    html.raw("<section id=\"latencies\">\n").element("h2", "", "Two sides");
    html.raw("<p class=\"lead\"><span class=\"client\">Client</span> figures are exact. ")
        .raw("<span class=\"engine\">Engine</span> figures are exact means, and for each ")
        .raw("percentile the bucket it lies in: a histogram cannot say more. ")
        .raw("Small figures are 95 % confidence intervals that allow for requests that suffer ")
        .raw("together, none where the whole run is one trend or spike; <em>noisy</em> marks a ")
        .raw("tail known worse than to ±50 %.</p>\n");
    html.raw("<div class=\"comparisons\">\n");
    for (Comparison comparison : analysis.comparisons()) {
      comparison(html, comparison);
    }
    html.raw("</div>\n");
    table(html, LatencyTable.of(analysis));
    html.raw("</section>\n");
  }

  private static void comparison(Markup html, Comparison comparison) {
    html.raw("<div class=\"comparison\">\n")
        .raw("<h3>")
        .text(ComparisonText.name(comparison))
        .raw(" <span class=\"chip " + css(comparison.verdict()) + "\">")
        .text(comparison.verdict().words())
        .raw("</span></h3>\n");
    BracketChart.write(html, comparison);
    if (!ComparisonText.isChecked(comparison)) {
      html.element("p", "", ComparisonText.explanation(comparison)).raw("</div>\n");
      return;
    }
    html.raw("<p>Mean: <span class=\"client\">")
        .text(Numbers.latency(comparison.clientMean()))
        .raw("</span> client, <span class=\"engine\">")
        .text(Numbers.latency(comparison.engineMean()))
        .raw("</span> engine, gap ")
        .text(Numbers.latency(comparison.meanGap()) + ". ")
        .text(ComparisonText.explanation(comparison))
        .raw("</p>\n");
    edges(html, comparison);
    html.raw("</div>\n");
  }

  // The client's samples in the engine's own buckets: like beside like.
  private static void edges(Markup html, Comparison comparison) {
    GapAnalysis gap = comparison.gap();
    if (!gap.available() || gap.edges().isEmpty()) {
      return;
    }
    html.raw("<details><summary>Bucket by bucket, on the engine's own edges</summary>\n");
    html.facts(GapText.facts(gap));
    HtmlTable table = new HtmlTable(html, ComparisonText.name(comparison) + " bucket by bucket");
    table.head(0, "at or below", "engine", "client", "pushed over", "gap at least", "at most");
    for (GapAnalysis.Edge edge : gap.edges()) {
      table.row(GapText.row(edge));
    }
    table.end();
    html.raw("</details>\n");
  }

  private static String css(Comparison.Verdict verdict) {
    return switch (verdict) {
      case EXPLAINED -> "good";
      case INCONSISTENT -> "bad";
      case NOT_EXPLAINED -> "caution";
      case NOT_COMPARABLE, NOT_CHECKED -> "plain";
    };
  }

  private static void table(Markup html, List<LatencyRow> rows) {
    html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All latencies\">")
        .raw("<table class=\"latencies\">\n<thead><tr><th scope=\"col\">quantity</th>")
        .raw("<th scope=\"col\">side</th><th scope=\"col\">unit</th>")
        .raw("<th scope=\"col\" class=\"number\">n</th>");
    LatencyRow.HEADS.forEach(
        head -> html.raw("<th scope=\"col\" class=\"number\">").text(head).raw("</th>"));
    html.raw("</tr></thead>\n<tbody>\n");
    String previous = "";
    for (LatencyRow row : rows) {
      row(html, row, !row.quantity().equals(previous));
      previous = row.quantity();
    }
    html.raw("</tbody></table></div>\n");
  }

  private static void row(Markup html, LatencyRow row, boolean first) {
    String side = row.side().name().toLowerCase(Locale.ROOT);
    html.raw("<tr class=\"" + side + (first ? " first" : "") + "\"><th scope=\"row\">")
        .raw(first ? "" : "<span class=\"again\">")
        .text(row.quantity())
        .raw(first ? "" : "</span>")
        .raw("</th><td class=\"side\">");
    html.element("b", "", side);
    if (row.side() == Side.ENGINE) {
      html.metric(row.basis());
    } else {
      html.element("small", "", row.basis());
    }
    html.raw("</td>").element("td", "", row.unit().symbol()).element("td", "number", row.count());
    row.cells().forEach(cell -> cell(html, cell));
    html.raw("</tr>\n");
  }

  private static void cell(Markup html, Cell cell) {
    html.raw(cell.isMissing() ? "<td class=\"number missing\">" : "<td class=\"number\">");
    html.text(cell.text());
    if (cell.isMissing()) {
      html.raw(" ").element("small", "", "(" + cell.reason() + ")");
    }
    if (!cell.note().isEmpty()) {
      html.raw(" ").element("small", "", cell.note());
    }
    html.raw("</td>");
  }
}
