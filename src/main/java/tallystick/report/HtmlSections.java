package tallystick.report;

import java.util.List;
import java.util.TreeMap;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;

/** The page's tables and lists. */
final class HtmlSections {
  private HtmlSections() {}

  static void objectives(Markup html, RunAnalysis analysis) {
    html.raw("<section id=\"objectives\">\n").element("h2", "", "Objectives");
    if (analysis.objectives().isEmpty()) {
      html.element("p", "none", "None were set.").raw("</section>\n");
      return;
    }
    html.raw("<ul class=\"objectives\">\n");
    for (ObjectiveResult result : analysis.objectives()) {
      html.raw("<li><span class=\"chip " + css(result.verdict()) + "\">")
          .text(result.verdict().words())
          .raw("</span> ");
      html.element("b", "", Wording.objective(result.objective()));
      html.element("small", "", ObjectiveText.result(result)).raw("</li>\n");
    }
    html.raw("</ul>\n</section>\n");
  }

  private static String css(ObjectiveResult.Verdict verdict) {
    return switch (verdict) {
      case MET -> "good";
      case VIOLATED -> "bad";
      case NOT_PROVEN -> "caution";
    };
  }

  static void findings(Markup html, RunAnalysis analysis) {
    if (analysis.findings().isEmpty()) {
      return;
    }
    html.raw("<section id=\"findings\">\n").element("h2", "", "Findings");
    for (Finding finding : analysis.findings()) {
      html.raw("<article class=\"finding " + css(finding.severity()) + "\">\n<h3>");
      html.raw("<span class=\"chip " + css(finding.severity()) + "\">")
          .text(Wording.severity(finding.severity()))
          .raw("</span> ")
          .text(finding.text())
          .raw("</h3>\n");
      html.list("evidence", finding.evidence());
      if (!finding.remedy().isEmpty()) {
        html.raw("<p class=\"remedy\"><b>What to do:</b> ").text(finding.remedy()).raw("</p>\n");
      }
      html.raw("</article>\n");
    }
    html.raw("</section>\n");
  }

  private static String css(Finding.Severity severity) {
    return switch (severity) {
      case INVALID -> "bad";
      case WARNING -> "caution";
      case NOTE -> "plain";
    };
  }

  static void ledger(Markup html, Reconciliation ledger) {
    html.raw("<section id=\"ledger\">\n<h2>Ledger <span class=\"chip ")
        .raw(HtmlHeadline.css(ledger.verdict()) + "\">")
        .text(Wording.verdict(ledger.verdict()))
        .raw("</span></h2>\n");
    html.element("p", "lead", Wording.verdictSentence(ledger.verdict()));
    if (!ledger.rows().isEmpty()) {
      html.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ledger\">")
          .raw("<table class=\"ledger\"><thead><tr><th scope=\"col\"></th>")
          .raw("<th scope=\"col\">counted</th><th scope=\"col\" class=\"number client\">client")
          .raw("</th><th scope=\"col\" class=\"number engine\">engine</th>")
          .raw("<th scope=\"col\" class=\"number\">engine − client</th>")
          .raw("<th scope=\"col\" class=\"number\">allowed</th>")
          .raw("<th scope=\"col\">status</th></tr></thead><tbody>\n");
      ledger.rows().forEach(row -> ledgerRow(html, row));
      html.raw("</tbody></table></div>\n");
    }
    html.raw("</section>\n");
  }

  private static void ledgerRow(Markup html, Reconciliation.Row row) {
    String css =
        switch (row.status()) {
          case EXACT -> "good";
          case WITHIN_TOLERANCE -> "caution";
          case DIFFERS -> "bad";
          case NOT_CHECKED -> "plain";
        };
    html.raw("<tr class=\"" + css + "\">").element("th", "", row.id().code());
    html.raw("<td class=\"what\">").text(row.quantity() + " ").metric(row.source()).raw("</td>");
    html.element("td", "number", Numbers.count(row.client()));
    html.element("td", "number", Numbers.count(row.engine()));
    html.element("td", "number", LedgerText.count(row.difference()));
    html.element("td", "number", Wording.allowed(row));
    html.raw("<td><span class=\"chip " + css + "\">")
        .text(Wording.status(row.status()))
        .raw("</span></td></tr>\n");
  }

  static void facts(Markup html, RunAnalysis analysis) {
    html.raw("<section id=\"details\" class=\"details\">\n");
    group(html, "Load", Fact.load(analysis.counts()));
    group(html, "Chunks", Fact.chunks(analysis.counts()));
    group(html, "Engine", Fact.engine(analysis));
    group(html, "Engine counters", Fact.counters(analysis.engine()));
    group(html, "KV residency and transfers", Fact.residency(analysis.engine()));
    group(html, "Harness", Fact.harness(analysis));
    group(html, "Versions", facts(analysis.run().versions()));
    group(html, "Host", facts(analysis.run().host()));
    html.raw("</section>\n");
  }

  private static List<Fact> facts(java.util.Map<String, String> words) {
    return new TreeMap<>(words)
        .entrySet().stream().map(entry -> new Fact(entry.getKey(), entry.getValue())).toList();
  }

  private static void group(Markup html, String title, List<Fact> facts) {
    if (!facts.isEmpty()) {
      html.raw("<div>").element("h2", "", title).facts(facts).raw("</div>\n");
    }
  }
}
