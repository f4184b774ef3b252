package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;
import tallystick.answer.Answer;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.ChangeSteps;
import tallystick.answer.chart.Effects;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.answer.words.Wording;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Counted;

/**
 * A base and a candidate, judged: what stands around the verdict. What each verdict says is in
 * {@link ComparisonEnd}.
 */
public record ComparisonAnswer(RegressReport report) implements Decision {
  /** Equal runs of a quiet machine hardly differ so much. */
  private static final double UNSTEADY = 0.2;

  /** Equal runs of a noisy machine differ by half of it. */
  private static final double OF_ORDER = 0.1;

  /** Of each kind a screen shows no more; the others are in the file of figures. */
  private static final int MOST_DIFFERENCES = 6;

  /** Reasons against a comparison that the shortest screen keeps. */
  private static final int LEAST_REASONS = 2;

  /** Parts of a wait named in one sentence; the table below it has all. */
  private static final int MOST_PARTS = 3;

  /** A part of the rise that is named though no part is proven: more than all others together. */
  private static final double MOST_OF_IT = 0.5;

  private static final String EFFECTS =
      "The bar is the 95 % interval, the dashed line the margin. Left of the thin line the"
          + " candidate is better.";

  @Override
  public Answer answer(Invocation asked) {
    ComparisonEnd.Said end = new ComparisonEnd(report, asked).said();
    Answer.Builder answer =
        Answer.of(report.command(), subject().toArray(String[]::new))
            .say(end.mark().tone(), end.mark().word(), end.verdict());
    for (int i = 0; i < Math.min(MOST_DIFFERENCES, end.below().size()); i++) {
      answer.say(Tone.PLAIN, "", end.below().get(i), i < LEAST_REASONS ? 0 : i);
    }
    where().ifPresent(why -> answer.say(Tone.PLAIN, "WHY", why));
    answer.trust(isInvalid() ? Tone.BAD : Tone.GOOD, end.trust());
    allCautions().forEach(line -> answer.say(Tone.CAUTION, "", line));
    if (!report.regression().metrics().isEmpty()) {
      answer.block(table());
    }
    if (!report.regression().isBaseAlone()) {
      differs(answer);
    }
    answer.next(end.next());
    end.cases().forEach(answer::testCase);
    report.regression().metrics().forEach(one -> answer.testCase(new MetricText(one).testCase()));
    simulated().ifPresent(answer::badge);
    if (report.purpose() == Purpose.COMPARE) {
      answer.strength(report.regression().strength());
    }
    return answer
        .detail(effects())
        .detail(new PairPlots(report).section())
        .detail(parts())
        .detail(differences())
        .suite(report.title() + " (comparison)", startedUtc(), 0)
        .figures(ComparisonFigures.FILE, ComparisonFigures.of(report))
        .comesTo(end.outcome());
  }

  private boolean isInvalid() {
    return report.regression().verdict() == Verdict.INVALID;
  }

  private String startedUtc() {
    return report.baseRuns().isEmpty() ? "" : report.baseRuns().getFirst().startedUtc();
  }

  private List<String> subject() {
    List<String> all = new ArrayList<>(List.of(report.title(), "base " + report.base()));
    Regression.Design design = report.regression().design();
    if (report.regression().isBaseAlone()) {
      all.add(Counted.of(design.base(), "run", "runs"));
    } else {
      all.add("candidate " + report.candidate());
      all.add(
          design.paired()
              ? Counted.of(design.base(), "pair", "pairs") + ofMost(design)
              : design.base() + " runs against " + design.candidate());
    }
    if (!report.time().isEmpty()) {
      all.add(report.time());
    }
    return all;
  }

  private String ofMost(Regression.Design design) {
    return report.repeats() > design.base() ? " of at most " + report.repeats() : "";
  }

  /** Which part of the way the change comes from. */
  private Optional<String> where() {
    if (OverloadEvidence.isOf(report.baseRuns())
        || OverloadEvidence.isOf(report.candidateRuns())) {
      // A queue grows with the run, and hides what made it.
      return Optional.empty();
    }
    Optional<Judged> worse =
        report.regression().metrics().stream()
            .filter(one -> one.verdict() == Verdict.REGRESSED)
            .findFirst();
    Latency wanted = worse.map(one -> one.metric().explainedBy()).orElse(Latency.TTFT);
    return report.regression().changes().stream()
        .filter(change -> change.quantity() == wanted)
        .findFirst()
        .or(() -> report.regression().changes().stream().findFirst())
        .map(change -> moved(change, worse.isPresent()));
  }

  private static String moved(Change change, boolean isWorse) {
    List<Change.Part> moved =
        change.parts().stream()
            .filter(part -> part.grew() || part.rise().high().orNaN() < 0)
            .sorted(
                Comparator.comparingDouble(
                    (Change.Part part) -> -Math.abs(part.rise().value().orNaN())))
            .toList();
    String name = Wording.name(change.quantity()) + " mean ";
    String reached = Numbers.latency(change.whole().judged());
    String whole = name + rise(change.whole()) + ", to " + reached;
    if (moved.isEmpty()) {
      return largest(change)
          .filter(part -> isWorse)
          .map(
              part ->
                  whole + ", most of it in " + Wording.name(part.name()) + " (" + rise(part)
                      + "); these runs differ too much to prove it")
          .orElse(name + reached + "; no part of it changed significantly");
    }
    String shown =
        moved.stream()
            .limit(MOST_PARTS)
            .map(part -> Wording.name(part.name()) + " " + rise(part))
            .collect(Collectors.joining(", "));
    String rest =
        change.parts().stream()
            .filter(part -> !moved.contains(part) && part.judged().orNaN() > 0)
            .map(part -> Wording.name(part.name()))
            .limit(MOST_PARTS)
            .collect(Collectors.joining(", "));
    return whole + ": " + shown + (rest.isEmpty() ? "" : "; no change seen: " + rest);
  }

  /** The part that makes up most of a rise, proven or not; none where the whole fell. */
  private static Optional<Change.Part> largest(Change change) {
    double whole = change.whole().rise().value().orNaN();
    return change.parts().stream()
        .filter(part -> whole > 0 && part.rise().value().orNaN() > MOST_OF_IT * whole)
        .findFirst();
  }

  private static String rise(Change.Part part) {
    double seconds = part.rise().value().orNaN();
    return Numbers.signed(seconds, LatencyUnit.fitting(seconds)::text);
  }

  /** What answered; a file of figures may come from a build that knows another kind. */
  private Optional<Manifest.Source> source() {
    String kind =
        report.baseRuns().isEmpty()
            ? ""
            : report.baseRuns().getFirst().likeness().getOrDefault("engine kind", "unknown");
    return Stream.of(Manifest.Source.values())
        .filter(one -> one.name().equalsIgnoreCase(kind))
        .findFirst();
  }

  /** What answered, where it was no server: the list of runs must not look like real figures. */
  private Optional<Mark> simulated() {
    return source()
        .filter(one -> !Wording.engineCaution(one).isEmpty())
        .map(one -> new Mark(Tone.CAUTION, Wording.engine(one)));
  }

  private List<String> allCautions() {
    List<String> all = new ArrayList<>();
    source().map(Wording::engineCaution).filter(one -> !one.isEmpty()).ifPresent(all::add);
    if (!report.baseRuns().isEmpty() && report.baseRuns().getFirst().load().closedLoop()) {
      all.add("closed loop: a slower engine gets less load, so tokens/s are judged too");
    }
    double drift = Math.abs(report.regression().design().drift());
    if (drift >= UNSTEADY) {
      all.add(
          "the machine was not steady: its first and last run of the base differ by "
              + PercentText.plain(drift)
              + ". Comparing neighbouring runs allows for that; a quiet machine would show"
              + " smaller effects");
    }
    all.addAll(report.cautions());
    double order = report.regression().design().order();
    if (Math.abs(order) >= OF_ORDER) {
      all.add(
          "whichever side runs second measures " + PercentText.signed(order)
              + ": caches, or a machine that warms up");
    }
    if (OverloadEvidence.isOf(report.baseRuns())) {
      all.add(
          "the base doesn't keep up with this load: only shares of requests and tokens/s can be"
              + " judged");
    }
    return all;
  }

  private Block.Table table() {
    List<Column> columns =
        List.of(
            Column.name(""), Column.number("base"), Column.number("candidate"),
            Column.number("change"), Column.number("95 %"),
            Column.number("allowed"), Column.words("verdict"));
    return new Block.Table(
        "Metrics", false, columns,
        report.regression().metrics().stream().map(one -> new MetricText(one).row()).toList());
  }

  /** What differs beside the figures that are judged; a short screen keeps the first. */
  private void differs(Answer.Builder answer) {
    List<String> all =
        report.regression().differences().stream()
            .limit(MOST_DIFFERENCES)
            .map(one -> one.name() + " " + one.base() + " -> " + one.candidate())
            .toList();
    if (all.isEmpty()) {
      answer.say(
          Tone.PLAIN, "DIFFERS",
          "nothing else on record (settings, versions, engine figures)");
      return;
    }
    answer.say(Tone.PLAIN, "DIFFERS", all.getFirst());
    if (all.size() > 1) {
      answer.say(
          Tone.PLAIN, "", String.join("; ", all.subList(1, all.size())), MOST_DIFFERENCES);
    }
  }

  private Section effects() {
    List<Effects.Effect> effects =
        report.regression().metrics().stream().map(one -> new MetricText(one).drawn()).toList();
    return Section.of(
        "effects", "Worse by",
        effects.isEmpty()
            ? List.of()
            : List.of(
                new Block.PageOnly(
                    "",
                    List.of(
                        new Block.Text(Tone.MUTED, EFFECTS),
                        new Block.Picture(new Effects(effects), List.of())))));
  }

  private static Block waterfall(Change change) {
    List<ChangeSteps.Step> steps =
        change.parts().stream()
            .map(
                one ->
                    new ChangeSteps.Step(
                        one.name().words(), one.rise().value().orNaN(), tone(one),
                        IntervalText.latency(one.rise())))
            .toList();
    return new Block.Picture(
        new ChangeSteps(
            Wording.name(change.quantity()) + " mean", end("base", change.whole().reference()),
            steps, end("candidate", change.whole().judged())),
        List.of());
  }

  private static Tone tone(Change.Part part) {
    if (part.grew()) {
      return Tone.BAD;
    }
    return part.rise().high().orNaN() < 0 ? Tone.GOOD : Tone.PLAIN;
  }

  private static ChangeSteps.End end(String name, Figure mean) {
    return new ChangeSteps.End(name, mean.orNaN(), Numbers.latency(mean));
  }

  private Section parts() {
    List<Block> blocks = new ArrayList<>();
    List<Block.Row> rows = new ArrayList<>();
    for (Change change : report.regression().changes()) {
      blocks.add(waterfall(change));
      rows.add(row(Wording.name(change.quantity()) + " mean", change.whole()));
      change.parts().forEach(one -> rows.add(row(one.name().words(), one)));
    }
    List<Column> columns =
        List.of(
            Column.name("part"), Column.number("base"), Column.number("candidate"),
            Column.number("rise"), Column.words("grew"));
    blocks.add(new Block.Table("", false, columns, rows));
    return Section.of("parts", "Where the time went", blocks);
  }

  private static Block.Row row(String name, Change.Part part) {
    return Block.Row.of(
        Cell.of(name), Cell.of(Numbers.latency(part.reference())),
        Cell.of(Numbers.latency(part.judged())), Cell.latency(part.rise()),
        Cell.of(part.grew() ? "yes" : "not seen"));
  }

  private Section differences() {
    List<Column> columns =
        List.of(Column.name(""), Column.words("base"), Column.words("candidate"));
    return Section.of(
        "differences", "What else differs",
        new Block.Table(
            "", false, columns,
            report.regression().differences().stream()
                .map(
                    one ->
                        Block.Row.of(
                            Cell.of(one.name()), Cell.of(one.base()), Cell.of(one.candidate())))
                .toList()));
  }
}
