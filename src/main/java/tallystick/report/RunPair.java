package tallystick.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.analysis.result.Usability;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.ComparisonText;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.chart.ChangeSteps;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.SettingsText;
import tallystick.answer.words.Wording;
import tallystick.plan.Settings;
import tallystick.report.picture.OverlaidRuns;
import tallystick.report.section.EngineSection;
import tallystick.report.section.Headline;
import tallystick.report.section.LatencyRow;
import tallystick.report.section.LatencyTable;
import tallystick.report.section.LedgerSection;
import tallystick.report.section.LoadSection;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/**
 * Two finished runs side by side: what changed, largest first. That is no verdict: one run each
 * says nothing about how much runs differ by themselves.
 *
 * @param a the first
 * @param b the second
 */
public record RunPair(Side a, Side b) implements Decision {
  private static final List<Column> BESIDE =
      List.of(Column.name(""), Column.words("A"), Column.words("B"));
  private static final String CAUTION =
      "No verdict: with one run each, a difference between A and B may be chance.";

  /**
   * One of the two.
   *
   * @param name how the user named it
   * @param plan what was to be played
   */
  public record Side(String name, RunAnalysis analysis, Settings plan) {
    private boolean isValid() {
      return Usability.of(analysis).isForVerdicts();
    }

    private String trust() {
      if (!isValid()) {
        return "INVALID: " + Wording.invalidity(analysis).getFirst();
      }
      String sizes =
          Usability.of(analysis).isForLatencies() ? "" : "; the client was late, sizes are rough";
      return Stream.concat(
              Stream.of(
                  Wording.verdictSentence(analysis.reconciliation().verdict())
                          .replaceFirst("\\.$", "")
                      + sizes),
              Wording.cautions(analysis.run()).stream().limit(1))
          .collect(Collectors.joining(". "));
    }

    private Tone tone() {
      return isValid() ? Tone.PLAIN : Tone.BAD;
    }
  }

  @Override
  public Answer answer(Invocation asked) {
    Answer.Builder answer = Answer.of("compare", "A " + a.name(), "B " + b.name());
    engines().forEach(answer::badge);
    RunDifferences differences = new RunDifferences(first(), second());
    headline(answer, differences);
    if (a.trust().equals(b.trust())) {
      answer.trust(a.tone(), "both: " + a.trust());
    } else {
      answer.trust(a.tone(), "A: " + a.trust());
      answer.say(b.tone(), "", "B: " + b.trust());
    }
    table(answer, differences);
    List<Block.Row> differing = differing();
    answer.say(
        Tone.PLAIN, "DIFFERS", differing.stream().map(RunPair::change).toList(), 0, 1,
        new Block.Rest(left -> settings(left, left < differing.size() ? "more " : "")));
    OverlaidRuns.sections(first(), second()).forEach(answer::detail);
    answer.detail(changes());
    return answer
        .next(
            "./tally report " + PlainText.argument(b.name()) + " --baseline "
                + PlainText.argument(a.name()) + "  # what changed",
            "./tally compare A1 A2 … -- B1 B2 …  # a verdict from repeats")
        .say(Tone.PLAIN, "", "The same command with --verbose shows every figure.", 1)
        .detail(runs())
        .detail(section("Settings and versions that differ", false, BESIDE, differing))
        .detail(outcome())
        .detail(latencies())
        .detail(comparisons())
        .detail(ledger())
        .comesTo(AnswerStatus.GOOD);
  }

  /** No more than what changed, for who has seen the second run's own answer. */
  public Answer changed() {
    RunDifferences differences = new RunDifferences(first(), second());
    Answer.Builder answer = Answer.of("changed", "A " + a.name(), "B " + b.name());
    headline(answer, differences);
    table(answer, differences);
    return answer.comesTo(AnswerStatus.GOOD);
  }

  private static void table(Answer.Builder answer, RunDifferences differences) {
    answer.block(differences.table());
    answer.say(
        Tone.CAUTION, "SURE?",
        "one run each, so chance is not excluded: ./tally regress SCENARIO --base URL --candidate"
            + " URL");
  }

  private void headline(Answer.Builder answer, RunDifferences differences) {
    if (first().run().equals(second().run())) {
      answer.say(Tone.PLAIN, "ALIKE", "A and B are the same run");
      return;
    }
    differences.load().ifPresent(told -> answer.say(Tone.CAUTION, "LOAD", told));
    Optional<String> changed = differences.headline();
    answer.say(
        Tone.PLAIN, changed.isPresent() ? "CHANGED" : "ALIKE",
        changed.orElse("no figure differs by more than 5 %"));
    changed.flatMap(some -> differences.why()).ifPresent(why -> answer.say(Tone.PLAIN, "WHY", why));
  }

  private RunAnalysis first() {
    return a.analysis();
  }

  private RunAnalysis second() {
    return b.analysis();
  }

  private static String settings(int count, String more) {
    return Counted.of(count, more + "setting", more + "settings");
  }

  private static String change(Block.Row row) {
    List<Cell> cells = row.cells();
    return cells.get(0).words() + ": " + cells.get(1).words() + " -> " + cells.get(2).words();
  }

  /** What answered; once where it was the same. */
  private List<Mark> engines() {
    Mark ours = Headline.engine(first());
    Mark theirs = Headline.engine(second());
    return ours.equals(theirs)
        ? List.of(ours)
        : List.of(
            new Mark(ours.tone(), "A: " + ours.word()),
            new Mark(theirs.tone(), "B: " + theirs.word()));
  }

  private Section runs() {
    return Section.of(
        "runs", "Two runs side by side",
        Block.Items.of(List.of("A  " + headline(first()), "B  " + headline(second()))),
        new Block.Text(Tone.CAUTION, CAUTION));
  }

  private Section changes() {
    List<Block> pictures = new ArrayList<>();
    for (Decomposition ours : first().decompositions()) {
      second().decompositions().stream()
          .filter(theirs -> RunDifferences.canBeSubtracted(ours, theirs))
          .findFirst()
          .ifPresent(theirs -> pictures.add(new Block.Picture(change(ours, theirs), List.of())));
    }
    return Section.of("change", "From A to B, part by part", pictures);
  }

  private static ChangeSteps change(Decomposition ours, Decomposition theirs) {
    List<ChangeSteps.Step> steps = new ArrayList<>();
    for (int i = 0; i < ours.parts().size(); i++) {
      Decomposition.Part part = ours.parts().get(i);
      double rise = theirs.parts().get(i).mean().value().orNaN() - part.mean().value().orNaN();
      LatencyUnit unit = LatencyUnit.fitting(rise);
      steps.add(new ChangeSteps.Step(
          part.name().words(), rise,
          part.name().isBeforeEngine() ? Tone.CLIENT : Tone.ENGINE,
          Double.isNaN(rise)
              ? "n/a"
              : Numbers.signed(rise, unit::text)));
    }
    return new ChangeSteps(
        Wording.name(ours.quantity()) + " mean", end("A", ours), steps, end("B", theirs));
  }

  private static ChangeSteps.End end(String name, Decomposition of) {
    return new ChangeSteps.End(
        name, of.whole().value().orNaN(), Numbers.latency(of.whole().value()));
  }

  private static String headline(RunAnalysis analysis) {
    List<String> parts = new ArrayList<>();
    parts.add(analysis.run().runId());
    parts.add(analysis.run().scenario());
    Headline.marks(analysis).forEach(mark -> parts.add(mark.word()));
    return String.join(" · ", parts);
  }

  private static Section section(
      String title, boolean grouped, List<Column> columns, List<Block.Row> rows) {
    String id = title.split("\\W")[0].toLowerCase(Locale.ROOT);
    return Section.of(id, title, new Block.Table(title, grouped, columns, rows));
  }

  private List<Block.Row> differing() {
    return beside(settings(a), settings(b)).stream()
        .filter(row -> !row.cells().get(1).equals(row.cells().get(2)))
        .toList();
  }

  private static List<Block.Row> beside(Map<String, String> ours, Map<String, String> theirs) {
    Map<String, String> names = new LinkedHashMap<>(ours);
    theirs.forEach(names::putIfAbsent);
    return names.keySet().stream()
        .map(
            name ->
                Block.Row.of(
                    Cell.of(name),
                    Cell.of(ours.getOrDefault(name, "absent")),
                    Cell.of(theirs.getOrDefault(name, "absent"))))
        .toList();
  }

  private static Map<String, String> settings(Side side) {
    RunAnalysis analysis = side.analysis();
    RunAnalysis.RunFacts run = analysis.run();
    Map<String, String> settings = new LinkedHashMap<>(SettingsText.of(side.plan()));
    settings.put("scenario", run.scenario());
    settings.put("engine", Wording.engine(run.source()));
    settings.put("model", run.model());
    settings.put("targets", String.join(", ", run.targets()));
    settings.put("seed", String.valueOf(run.seed()));
    settings.put("loop", run.closedLoop() ? "closed" : "open");
    settings.put("cache", run.warmCache() ? "warm" : "not known to be warm");
    analysis.engine().settings().forEach((name, value) -> settings.put("engine " + name, value));
    run.labels().forEach((name, value) -> settings.put("label " + name, value));
    run.versions().forEach((name, value) -> settings.put("version " + name, value));
    run.host().forEach((name, value) -> settings.put("host " + name, value));
    return settings;
  }

  private Section outcome() {
    return section(
        "Load, engine, objectives", false, BESIDE, beside(outcome(first()), outcome(second())));
  }

  private static Map<String, String> outcome(RunAnalysis analysis) {
    Map<String, String> facts = new LinkedHashMap<>();
    LoadSection.load(analysis.counts()).forEach(fact -> facts.put(fact.name(), fact.value()));
    EngineSection.pressure(analysis.engine()).forEach(fact -> facts.put(fact.name(), fact.value()));
    analysis
        .objectives()
        .forEach(
            result ->
                facts.put(
                    Wording.objective(result.objective()),
                    result.verdict().words()
                        + ", "
                        + Numbers.percent(result.share())));
    return facts;
  }

  private Section latencies() {
    List<LatencyRow> ours = LatencyTable.of(first());
    List<LatencyRow> theirs = LatencyTable.of(second(), ours);
    List<Block.Row> rows = new ArrayList<>();
    for (LatencyRow row : ours) {
      rows.add(row("A", row));
      theirs.stream()
          .filter(other -> isSame(row, other))
          .forEach(other -> rows.add(row("B", other)));
    }
    theirs.stream()
        .filter(other -> ours.stream().noneMatch(row -> isSame(row, other)))
        .forEach(other -> rows.add(row("B", other)));
    List<Column> columns =
        new ArrayList<>(
            List.of(
                Column.name("quantity"), Column.name("side"), Column.name("run"),
                Column.words("unit"), Column.number("n")));
    columns.addAll(LatencyRow.columns());
    return section("Latencies: client exact, engine mean and bucket", false, columns, rows);
  }

  // An engine's metric may have another name in another version; it is the same quantity.
  private static boolean isSame(LatencyRow row, LatencyRow other) {
    return row.quantity().equals(other.quantity()) && row.name().equals(other.name());
  }

  private static Block.Row row(String run, LatencyRow row) {
    List<Cell> cells = new ArrayList<>();
    cells.addAll(List.of(Cell.of(row.quantity()), row.who(), Cell.of(run)));
    cells.addAll(List.of(Cell.of(row.unit().symbol()), Cell.of(row.count())));
    cells.addAll(row.cells());
    return new Block.Row(row.side(), cells);
  }

  private Section comparisons() {
    List<Block.Row> rows = new ArrayList<>();
    first().comparisons().forEach(comparison -> rows.add(row("A", first(), comparison)));
    second().comparisons().forEach(comparison -> rows.add(row("B", second(), comparison)));
    rows.sort(Comparator.comparing(row -> row.cells().getFirst().text()));
    List<Column> columns =
        List.of(
            Column.name("quantity"), Column.name("run"), Column.words("verdict"),
            Column.number("client - engine mean"));
    return section("Client beside engine", false, columns, rows);
  }

  private static Block.Row row(String run, RunAnalysis of, Comparison comparison) {
    boolean stamped = Usability.of(of).isLedgerOpen();
    Stamp stamp = stamped ? Stamp.UNRECONCILED : Stamp.NONE;
    Mark mark = ComparisonText.mark(comparison);
    return Block.Row.of(
        Cell.of(ComparisonText.name(comparison)),
        Cell.of(run),
        Cell.of(new Mark(mark.tone(), stamp.on(mark.word()))),
        Cell.latency(comparison.meanGap()));
  }

  private Section ledger() {
    List<Block.Row> rows = new ArrayList<>();
    first().reconciliation().rows().forEach(row -> rows.add(row("A", row)));
    second().reconciliation().rows().forEach(row -> rows.add(row("B", row)));
    rows.sort(Comparator.comparing(row -> row.cells().get(0).text() + row.cells().get(1).text()));
    List<Column> columns =
        List.of(
            Column.name("row"), Column.words("counted"), Column.name("run"),
            Column.number("client"), Column.number("engine"),
            Column.number("engine - client"), Column.words("status"));
    return section("Ledgers", false, columns, rows);
  }

  private static Block.Row row(String run, Reconciliation.Row row) {
    return Block.Row.of(
        Cell.of(row.id().code()),
        Cell.of(row.quantity()),
        Cell.of(run),
        Cell.count(row.client()),
        Cell.count(row.engine()),
        Cell.count(row.difference()),
        LedgerSection.status(row.status()));
  }
}
