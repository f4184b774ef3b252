package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Mark;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Wording;
import tallystick.runrecord.Manifest;

/** What a reader sees first: what ran, on what, and whether to trust it. */
public final class Headline {
  /** What happened to the engine comes before any figure of it. */
  private static final Finding.Code STOOD_STILL = Finding.Code.ENGINE_STOOD_STILL;

  private Headline() {}

  /** Engine, state, verdict of the ledger, and whether the run is invalid. */
  public static List<Mark> marks(RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    Reconciliation.Verdict verdict = analysis.reconciliation().verdict();
    boolean isWhole = Wording.stateSentence(run).isEmpty();
    List<Mark> marks = new ArrayList<>();
    marks.add(engine(analysis));
    marks.add(new Mark(isWhole ? Tone.PLAIN : Tone.BAD, Wording.state(run.state())));
    marks.add(LedgerSection.mark(verdict));
    if (analysis.findings().stream().anyMatch(finding -> finding.code() == STOOD_STILL)) {
      marks.add(new Mark(Tone.BAD, "ENGINE STOOD STILL"));
    }
    if (!Wording.invalidity(analysis).isEmpty()) {
      marks.add(new Mark(Tone.BAD, "INVALID"));
    }
    return marks;
  }

  /** What answered; one that is no real server's stands out. */
  public static Mark engine(RunAnalysis analysis) {
    boolean isReal = analysis.run().source() == Manifest.Source.REAL;
    return new Mark(isReal ? Tone.PLAIN : Tone.CAUTION, Wording.engine(analysis));
  }

  /** What spoils the figures, and what the verdict means. */
  public static List<Block> judgements(RunAnalysis analysis) {
    Reconciliation.Verdict verdict = analysis.reconciliation().verdict();
    List<Block> lead = new ArrayList<>();
    for (String reason : Wording.invalidity(analysis)) {
      lead.add(new Block.Text(Tone.BAD, "INVALID: " + reason));
    }
    for (String caution : Wording.cautions(analysis.run())) {
      lead.add(new Block.Text(Tone.CAUTION, caution));
    }
    Tone tone = LedgerSection.mark(verdict).tone();
    lead.add(new Block.Text(tone, Wording.verdictSentence(verdict)));
    return lead;
  }

  /** What was run. */
  public static Block facts(RunAnalysis analysis) {
    return new Block.Facts(facts(analysis.run()));
  }

  private static List<Fact> facts(RunAnalysis.RunFacts run) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("run", run.runId()));
    facts.add(new Fact("model", run.model().isEmpty() ? "not known" : run.model()));
    if (!run.targets().isEmpty() && run.source() != Manifest.Source.VIRTUAL) {
      facts.add(new Fact("targets", String.join(", ", run.targets())));
    }
    facts.add(new Fact("window", window(run)));
    facts.add(new Fact("loop", run.closedLoop() ? "closed" : "open"));
    if (!run.prompts().isEmpty()) {
      facts.add(new Fact("prompts", run.prompts()));
    }
    facts.add(new Fact("seed", String.valueOf(run.seed())));
    facts.addAll(Fact.sorted(run.labels()));
    return facts;
  }

  private static String window(RunAnalysis.RunFacts run) {
    String length = LatencyUnit.SECONDS.text(run.windowSeconds());
    String started = Wording.toTheSecond(run.startedUtc());
    return started.isEmpty() ? length : length + " from " + started;
  }
}
