package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;

/** Whether the load side kept up, and on what it ran. */
public final class HarnessSection {
  private HarnessSection() {}

  public static Section of(RunAnalysis analysis) {
    Block details =
        new Block.Groups(List.of(
            Block.Group.of("Versions", Fact.sorted(analysis.run().versions())),
            Block.Group.of("Host", Fact.sorted(analysis.run().host()))));
    return Section.of(
        "harness",
        "Harness",
        new Block.Text(Tone.PLAIN, analysis.harness().limit().text()),
        new Block.Facts(harness(analysis)),
        new Block.PageOnly("", List.of(details)));
  }

  private static List<Fact> harness(RunAnalysis analysis) {
    RunAnalysis.HarnessHealth harness = analysis.harness();
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("lateness P50", percentile(harness.lateness(), 0.5)));
    facts.add(new Fact("lateness P99", percentile(harness.lateness(), 0.99)));
    facts.add(new Fact("lateness max", Numbers.latency(harness.lateness().maximum())));
    if (harness.turnaround().count() > 0) {
      facts.add(new Fact("turnaround P50", percentile(harness.turnaround(), 0.5)));
      facts.add(new Fact("turnaround P95", percentile(harness.turnaround(), 0.95)));
    }
    if (harness.wakeUps().count() > 0) {
      facts.add(new Fact("wake-up delay P95", percentile(harness.wakeUps(), 0.95)));
    }
    facts.add(new Fact("saturated", harness.saturated() ? "YES" : "no"));
    facts.add(new Fact("stalls", stalls(harness.stalls())));
    facts.add(new Fact(
        "GC pauses",
        Numbers.count(harness.gcPauses())
            + ", "
            + LatencyUnit.fitting(harness.gcSeconds()).text(harness.gcSeconds())));
    String heap = analysis.run().host().getOrDefault("load_heap", "");
    if (!heap.isEmpty()) {
      facts.add(new Fact("heap", heap));
    }
    facts.add(new Fact("dropped rows", dropped(analysis)));
    facts.add(new Fact("cores used", cores(harness)));
    facts.add(new Fact("most in flight", Numbers.count(harness.limit().mostInFlight())));
    return facts;
  }

  /** What lay in the queues of a harness that was killed, nobody counted. */
  private static String dropped(RunAnalysis analysis) {
    long rows = analysis.harness().droppedRows();
    boolean isTold = analysis.counts().withoutRow() instanceof Figure.Known;
    String least = isTold ? "" : "at least ";
    return isTold || rows > 0 ? least + Numbers.count(rows) : "not known";
  }

  private static String cores(RunAnalysis.HarnessHealth harness) {
    String mean = Numbers.number(harness.processCores());
    Figure cores = harness.limit().cores();
    return cores instanceof Figure.Known ? mean + " of " + Numbers.count(cores) : mean;
  }

  private static String stalls(Distribution stalls) {
    return stalls.count() == 0
        ? "0"
        : Numbers.count(stalls.count()) + ", longest " + Numbers.latency(stalls.maximum());
  }

  private static String percentile(Distribution samples, double level) {
    return Numbers.latency(samples.percentile(level));
  }
}
