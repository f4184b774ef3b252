package tallystick.report;

import java.util.List;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.TraceJoin;

/** The later stages of the analysis as Markdown. */
final class MarkdownMeaning {
  private MarkdownMeaning() {}

  static void write(MarkdownText text, RunAnalysis analysis) {
    decompositions(text, analysis.decompositions());
    traces(text, analysis.traces());
    replicas(text, analysis.load().replicas());
    surroundings(text, analysis.surroundings());
    text.heading(2, "Stalls and preemptions");
    text.paragraph(
        analysis.stalls().available()
            ? analysis.stalls().verdict().words() + ": " + analysis.stalls().text()
            : "n/a (" + analysis.stalls().absence() + ")");
    phases(text, analysis.phases());
    interpretation(text, analysis.interpretation());
  }

  private static void decompositions(MarkdownText text, List<Decomposition> decompositions) {
    if (decompositions.isEmpty()) {
      return;
    }
    text.heading(2, "Where the time went");
    for (Decomposition decomposition : decompositions) {
      if (!decomposition.available()) {
        text.paragraph(
            Wording.name(decomposition.quantity()) + ": n/a (" + decomposition.absence() + ")");
        continue;
      }
      text.tableHead(
          1,
          Wording.stamped(decomposition.stamp(), Wording.name(decomposition.quantity())),
          "mean (95 % CI)",
          "source");
      text.tableRow(List.of("whole", IntervalText.latency(decomposition.whole()), ""));
      for (Decomposition.Part part : decomposition.parts()) {
        text.tableRow(
            List.of(part.name().words(), IntervalText.latency(part.mean()), part.source()));
      }
      text.tableEnd();
    }
  }

  private static void traces(MarkdownText text, TraceJoin traces) {
    if (!traces.listened()) {
      return;
    }
    text.heading(2, "Request by request (traces)");
    text.paragraph(TraceText.sentence(traces));
    if (traces.available()) {
      text.tableHead(1, TraceText.HEADS.toArray(String[]::new));
      traces.parts().forEach(part -> text.tableRow(TraceText.cells(part)));
      text.tableEnd();
    }
  }

  private static void replicas(MarkdownText text, ReplicaAccount account) {
    if (!ReplicaText.isShown(account)) {
      return;
    }
    text.heading(2, ReplicaText.TITLE);
    text.tableHead(1, ReplicaText.HEADS.toArray(String[]::new));
    account.replicas().forEach(replica -> text.tableRow(ReplicaText.cells(replica)));
    text.tableEnd();
    text.paragraph(ReplicaText.sentence(account));
  }

  private static void surroundings(MarkdownText text, ExporterAccount surroundings) {
    if (!surroundings.points().isEmpty()) {
      text.heading(2, SurroundingsText.POINTS_TITLE);
      text.tableHead(1, SurroundingsText.heads(surroundings).toArray(String[]::new));
      SurroundingsText.rows(surroundings).forEach(text::tableRow);
      text.tableEnd();
      SurroundingsText.orders(surroundings).forEach(text::item);
      text.blank();
    }
    SurroundingsText.machines(surroundings).forEach(
        (machine, facts) -> {
          text.heading(2, machine);
          text.tableHead(1, "", "");
          facts.forEach(fact -> text.tableRow(List.of(fact.name(), fact.value())));
          text.tableEnd();
        });
  }

  private static void phases(MarkdownText text, List<PhaseAnalysis> phases) {
    if (phases.isEmpty()) {
      return;
    }
    text.heading(2, "Phases");
    text.tableHead(1, "phase", "offered/s", "requests", "ok", "TTFT P50", "TTFT P95", "notes");
    for (PhaseAnalysis phase : phases) {
      text.tableRow(
          List.of(
              phase.phase(),
              Numbers.number(phase.offeredPerSecond()),
              Numbers.count(phase.requests()),
              Numbers.count(phase.ok()),
              Fact.percentile(phase.ttft(), 0.5),
              Fact.percentile(phase.ttft(), 0.95),
              PhaseText.notes(phase)));
    }
    text.tableEnd();
  }

  private static void interpretation(MarkdownText text, Interpretation interpretation) {
    text.heading(2, "What it most likely means");
    if (!interpretation.available()) {
      text.paragraph("n/a (" + interpretation.absence() + ")");
      return;
    }
    text.paragraph(
        Wording.triage(interpretation));
    text.heading(3, ChangeText.TITLE);
    text.tableHead(1, ChangeText.HEADS.toArray(String[]::new));
    ChangeText.rows(interpretation).forEach(text::tableRow);
    text.tableEnd();
    text.tableHead(1, ChangeText.CIRCUMSTANCE_HEADS.toArray(String[]::new));
    ChangeText.circumstances(interpretation).forEach(text::tableRow);
    text.tableEnd();
    text.tableHead(2, "signal", "state", "P95, judged over reference");
    for (Interpretation.Signal signal : interpretation.signals()) {
      text.tableRow(
          List.of(
              Wording.name(signal.name()),
              Wording.state(signal.state()),
              IntervalText.ratio(signal.ratio())));
    }
    text.tableEnd();
    if (interpretation.directions().isEmpty()) {
      text.paragraph(Wording.noDirection(interpretation));
    }
    for (Interpretation.Direction direction : interpretation.directions()) {
      text.item(direction.text());
      direction.evidence().forEach(line -> text.subItem("for it: " + line));
      direction.contrary().forEach(line -> text.subItem("against it: " + line));
      direction.nextChecks().forEach(line -> text.subItem("check next: " + line));
    }
  }
}
