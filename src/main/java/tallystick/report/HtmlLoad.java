package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.EngineDistribution.Bracket;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.ReplicaAccount;

/** What was offered, admitted and completed, the workload's shape, and the phases apart. */
final class HtmlLoad {
  private HtmlLoad() {}

  static void load(Markup html, LoadAccount load) {
    html.raw("<section id=\"load\">\n").element("h2", "", "Offered, admitted, completed");
    html.element(
        "p",
        "lead",
        "The engine's request_success counts what it finished, for whatever reason. It is no"
            + " success rate: requests refused at the door, cut or abandoned never reach it."
            + " Statuses are those the client saw.");
    html.raw("<div class=\"columns\"><div>");
    html.facts(Fact.flow(load));
    html.facts(
        List.of(
            new Fact("output tokens/s at the client", number(load.clientTokensPerSecond())),
            new Fact("output tokens/s in the engine", number(load.engineTokensPerSecond())),
            new Fact("prompt tokens/s in the engine", number(load.promptTokensPerSecond()))));
    html.raw("</div><div>");
    html.facts(
        List.of(
            new Fact("prefix-cache hits of tokens", Numbers.percent(load.prefixHitRatio())),
            new Fact("preemptions per finished request", number(load.preemptionsPerFinished())),
            new Fact("tokens per scheduler step", number(load.tokensPerIteration())),
            new Fact("accepted draft tokens", Numbers.percent(load.speculativeAcceptance()))));
    html.raw("</div><div>");
    html.facts(counts(load));
    html.raw("</div></div>\n");
    shape(html, load.shape());
    replicas(html, load.replicas());
    html.raw("</section>\n");
  }

  private static String number(Figure figure) {
    return Numbers.number(figure);
  }

  private static List<Fact> counts(LoadAccount load) {
    List<Fact> facts = new ArrayList<>();
    new TreeMap<>(load.statuses())
        .forEach((status, n) -> facts.add(new Fact("HTTP " + status, Numbers.count(n))));
    new TreeMap<>(load.engineFinished())
        .forEach((reason, n) -> facts.add(new Fact("engine: " + reason, Numbers.count(n))));
    new TreeMap<>(load.waitingByReason())
        .forEach((reason, n) -> facts.add(new Fact("most waiting: " + reason, Numbers.count(n))));
    return facts;
  }

  private static void replicas(Markup html, ReplicaAccount account) {
    if (!ReplicaText.isShown(account)) {
      return;
    }
    HtmlTable table = new HtmlTable(html, ReplicaText.TITLE);
    table.head(1, ReplicaText.HEADS.toArray(String[]::new));
    account.replicas().forEach(replica -> table.row(ReplicaText.cells(replica)));
    table.end();
    html.element("p", "", ReplicaText.sentence(account));
  }

  private static void shape(Markup html, List<LoadAccount.ShapeRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    HtmlTable table = new HtmlTable(html, "Shape of the workload");
    table.head(2, "mean per request", "", "client", "engine", "engine P50", "engine P95");
    for (LoadAccount.ShapeRow row : rows) {
      table.row(
          List.of(
              row.quantity(),
              row.source(),
              number(row.client()),
              number(row.engine()),
              bracket(row, 0.5),
              bracket(row, 0.95)));
    }
    table.end();
  }

  private static String bracket(LoadAccount.ShapeRow row, double level) {
    return row.engineBrackets().stream()
        .filter(bracket -> bracket.level() == level)
        .map(HtmlLoad::text)
        .findFirst()
        .orElse("");
  }

  private static String text(Bracket bracket) {
    return switch (bracket.high()) {
      case Figure.Unavailable missing -> Numbers.notAvailable(missing);
      case Figure.Known high ->
          bracket.low() instanceof Figure.Known low
              ? "(" + Numbers.count(low.value()) + ", " + Numbers.count(high.value()) + "]"
              : Numbers.count(bracket.low());
    };
  }

  static void phases(Markup html, List<PhaseAnalysis> phases) {
    if (phases.isEmpty()) {
      return;
    }
    html.raw("<section id=\"phases\">\n").element("h2", "", "Phases");
    HtmlTable table = new HtmlTable(html, "Phases");
    table.head(
        1, "phase", "from, s", "to, s", "offered/s", "requests", "ok", "TTFT P50", "TTFT P95",
        "largest gap P95", "E2E P95");
    for (PhaseAnalysis phase : phases) {
      table.row(
          List.of(
              phase.phase(),
              Numbers.number(phase.startSeconds()),
              Numbers.number(phase.endSeconds()),
              number(phase.offeredPerSecond()),
              Numbers.count(phase.requests()),
              Numbers.count(phase.ok()),
              latency(phase.ttft(), 0.5),
              latency(phase.ttft(), 0.95),
              latency(phase.largestGaps(), 0.95),
              latency(phase.e2e(), 0.95)));
    }
    table.end();
    html.open("ul", "notes");
    phases.forEach(phase -> notes(html, phase));
    html.close("ul").raw("</section>\n");
  }

  private static String latency(Distribution samples, double level) {
    return Fact.percentile(samples, level);
  }

  private static void notes(Markup html, PhaseAnalysis phase) {
    html.element("li", "", phase.phase() + ": " + PhaseText.notes(phase));
  }
}
