package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.RunAnalysis;
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
    lead.add(
        Drawn.picture(html -> Answers.draw(html, analysis), Headline.judgements(analysis)));
    lead.add(Headline.facts(analysis));
    lead.add(Drawn.picture(html -> Glances.draw(html, analysis), List.of()));
    return new Document(
        analysis.run().scenario(), Headline.marks(analysis), lead, sections(analysis, alerts));
  }

  /** What is seen of a run that goes on; its verdicts come at its end. */
  static Document soFar(RunAnalysis analysis) {
    RunAnalysis.Counts counts = analysis.counts();
    Block sent =
        new Block.Text(
            Tone.PLAIN,
            "This run goes on: %s of %s requests have ended, %s of them well. What it says comes at"
                .formatted(
                    Numbers.count(counts.ended()), Numbers.count(counts.planned()),
                    Numbers.count(counts.ok()))
                + " its end.");
    return new Document(
        analysis.run().scenario(), List.of(new Mark(Tone.CAUTION, "GOES ON")), List.of(sent),
        List.of(
            TimelineChart.section(analysis), LatencySection.of(analysis),
            EngineSection.of(analysis)));
  }

  private static List<Section> sections(RunAnalysis analysis, Section alerts) {
    List<Section> sections = new ArrayList<>();
    sections.add(
        ObjectiveSection.of(
            analysis.objectives(), analysis.phases(), analysis.load().goodput()));
    // What spoils every figure is read before any figure is judged.
    boolean isSpoiled = !Wording.invalidity(analysis).isEmpty();
    sections.add(isSpoiled ? 0 : 1, findings(analysis));
    if (!isSpoiled) {
      sections.add(GoodputSection.of(analysis.phases()));
    }
    Section meaning = MeaningSection.of(analysis.interpretation());
    if (analysis.interpretation().available()) {
      sections.add(meaning);
    }
    sections.add(TimelineChart.section(analysis));
    sections.add(LatencySection.of(analysis));
    sections.add(SessionSection.of(analysis.sessions()));
    sections.add(WaterfallSection.of(analysis.decompositions()));
    sections.add(TraceSection.of(analysis.traces()));
    sections.add(StallSection.of(analysis.stalls()));
    if (!analysis.interpretation().available()) {
      sections.add(meaning);
    }
    sections.add(LedgerSection.of(analysis.reconciliation()));
    sections.add(PointsSection.of(analysis.surroundings()));
    sections.add(MachinesSection.of(analysis.surroundings()));
    sections.add(LoadSection.of(analysis));
    sections.add(ReplicaSection.of(analysis.load().replicas()));
    sections.add(PhaseSection.of(analysis.phases()));
    sections.add(alerts);
    sections.add(EngineSection.of(analysis));
    sections.add(HarnessSection.of(analysis));
    sections.add(AgainSection.of(analysis));
    sections.add(DefinitionSection.section());
    return sections;
  }

  private static Section findings(RunAnalysis analysis) {
    return FindingSection.of(analysis.findings());
  }
}
