package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Document;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.markup.Drawn;
import tallystick.report.picture.TimelineChart;
import tallystick.report.screen.Answers;
import tallystick.report.section.AgainSection;
import tallystick.report.section.DefinitionSection;
import tallystick.report.section.EngineSection;
import tallystick.report.section.FindingSection;
import tallystick.report.section.Glances;
import tallystick.report.section.GoodputSection;
import tallystick.report.section.HarnessSection;
import tallystick.report.section.Headline;
import tallystick.report.section.LatencySection;
import tallystick.report.section.LedgerSection;
import tallystick.report.section.LoadSection;
import tallystick.report.section.MachinesSection;
import tallystick.report.section.MeaningSection;
import tallystick.report.section.ObjectiveSection;
import tallystick.report.section.PhaseSection;
import tallystick.report.section.PointsSection;
import tallystick.report.section.ReplicaSection;
import tallystick.report.section.SessionSection;
import tallystick.report.section.StallSection;
import tallystick.report.section.TraceSection;
import tallystick.report.section.WaterfallSection;

/** The account of one run: which sections it has, in the order a reader needs them. */
final class RunDocument {
  private RunDocument() {}

  /** The document, with this section on alerts. */
  static Document of(RunAnalysis analysis, Section alerts) {
    List<Block> lead = new ArrayList<>();
    lead.add(Drawn.picture(html -> Answers.draw(html, analysis), Headline.judgements(analysis)));
    List<Block> steps = steps(analysis);
    if (!steps.isEmpty()) {
      lead.add(Drawn.picture(html -> html.element("h2", "", GoodputSection.TITLE)));
      lead.addAll(steps);
    }
    lead.add(Drawn.picture(html -> Glances.draw(html, analysis)));
    lead.add(Headline.facts(analysis));
    return new Document(
        analysis.run().scenario(), Headline.marks(analysis), lead, sections(analysis, alerts));
  }

  /** What is seen of a run that goes on; its verdicts come at its end. */
  static Document soFar(RunAnalysis analysis) {
    RunAnalysis.Counts counts = analysis.counts();
    Block sent =
        new Block.Text(
            Tone.PLAIN,
            "This run goes on: %s of %s requests have ended, %s of them ok. What it says comes at"
                .formatted(
                    Numbers.count(counts.ended()), Numbers.count(counts.planned()),
                    Numbers.count(counts.ok()))
                + " its end.");
    return new Document(
        analysis.run().scenario(), List.of(new Mark(Tone.CAUTION, "RUNNING")), List.of(sent),
        List.of(
            TimelineChart.section(analysis), LatencySection.of(analysis),
            LatencySection.all(analysis), EngineSection.of(analysis)));
  }

  private static List<Block> steps(RunAnalysis analysis) {
    return isSpoiled(analysis)
        ? List.of()
        : GoodputSection.of(analysis.phases(), analysis.unitOfRates()).blocks();
  }

  private static boolean isSpoiled(RunAnalysis analysis) {
    return !Wording.invalidity(analysis).isEmpty();
  }

  private static List<Section> sections(RunAnalysis analysis, Section alerts) {
    List<Section> sections = new ArrayList<>();
    Section timeline = TimelineChart.section(analysis);
    // The picture comes first; of steps it stands above every section. But what spoils every
    // figure is read before any of them.
    boolean isFirst = steps(analysis).isEmpty() && !isSpoiled(analysis);
    if (isFirst) {
      sections.add(timeline);
    }
    sections.add(ObjectiveSection.of(
        analysis.objectives(), analysis.steps().isPresent(), analysis.load().goodput()));
    sections.add(isSpoiled(analysis) ? 0 : sections.size(), findings(analysis));
    Section meaning = MeaningSection.of(analysis.interpretation());
    if (analysis.interpretation().available()) {
      sections.add(meaning);
    }
    if (!isFirst) {
      sections.add(timeline);
    }
    sections.add(LatencySection.of(analysis));
    sections.add(WaterfallSection.of(analysis.decompositions()));
    if (!analysis.interpretation().available()) {
      sections.add(meaning);
    }
    evidence(analysis, alerts).stream().map(Section::folded).forEach(sections::add);
    return sections;
  }

  // What the answers above rest on: whoever doubts them looks here.
  private static List<Section> evidence(RunAnalysis analysis, Section alerts) {
    return List.of(
        MeaningSection.changes(analysis.interpretation()),
        LatencySection.all(analysis),
        SessionSection.of(analysis.sessions()),
        TraceSection.of(analysis.traces()),
        StallSection.of(analysis.stalls()),
        LedgerSection.of(analysis.reconciliation()),
        PointsSection.of(analysis.surroundings()),
        MachinesSection.of(analysis.surroundings()),
        LoadSection.of(analysis),
        ReplicaSection.of(analysis.load().replicas()),
        PhaseSection.of(
            analysis.phases(), analysis.unitOfRates(), Usability.of(analysis).isRough()),
        alerts,
        EngineSection.of(analysis),
        HarnessSection.of(analysis),
        AgainSection.of(analysis),
        DefinitionSection.section());
  }

  private static Section findings(RunAnalysis analysis) {
    return FindingSection.of(analysis.findings());
  }
}
