package tallystick.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Stamp;
import tallystick.plan.Settings;
import tallystick.report.LatencyRow.Cell;
import tallystick.report.LatencyRow.Side;

/**
 * Two finished runs side by side, without a verdict: one run each says nothing about how much runs
 * differ by themselves.
 */
public final class RunPair {
  private static final int WIDTH = ConsoleSummary.WIDTH;
  private static final List<String> SHOWN = List.of("mean", "P50", "P95", "P99", "max");
  private static final String CAUTION =
      "No verdict: one run each cannot tell a difference between A and B from the difference"
          + " between any two runs.";

  private final RunAnalysis first;
  private final RunAnalysis second;
  private final Map<String, String> firstSettings;
  private final Map<String, String> secondSettings;

  /** Two runs; the first is called A, the second B. */
  public RunPair(
      RunAnalysis first, Settings firstPlan, RunAnalysis second, Settings secondPlan) {
    this.first = first;
    this.second = second;
    this.firstSettings = settings(first, firstPlan);
    this.secondSettings = settings(second, secondPlan);
  }

  /** The comparison as text of at most 100 columns. */
  public String text(boolean colour) {
    List<String> out = new ArrayList<>();
    out.add("");
    for (String headline : headlines()) {
      Lines.wrap("", headline, WIDTH)
          .forEach(line -> out.add(ConsoleStyle.HEADING.mark(line, colour)));
    }
    Lines.wrap("! ", CAUTION, WIDTH)
        .forEach(line -> out.add(ConsoleStyle.CAUTION.mark(line, colour)));
    for (Grid grid : grids(SHOWN)) {
      out.add("");
      out.add(ConsoleStyle.HEADING.mark(grid.title(), colour));
      out.addAll(grid.rows().isEmpty() ? List.of("  none") : grid.lines(WIDTH));
    }
    out.addAll(reasons("A: ", first));
    out.addAll(reasons("B: ", second));
    return String.join("\n", out) + "\n";
  }

  private static List<String> reasons(String run, RunAnalysis analysis) {
    List<String> lines = new ArrayList<>();
    LatencyRow.reasons(LatencyTable.of(analysis), SHOWN)
        .forEach(reason -> lines.addAll(Lines.wrap("  ", run + reason, WIDTH)));
    return lines;
  }

  /** The comparison as Markdown. */
  public String markdown() {
    MarkdownText text = new MarkdownText();
    text.heading(1, "Two runs side by side");
    headlines().forEach(text::item);
    text.blank();
    text.quote(CAUTION);
    grids(LatencyRow.HEADS).forEach(grid -> grid.write(text));
    return text.toString();
  }

  private List<String> headlines() {
    return List.of("A  " + headline(first), "B  " + headline(second));
  }

  private static String headline(RunAnalysis analysis) {
    List<String> parts = new ArrayList<>(Wording.headline(analysis));
    parts.set(1, "[" + parts.get(1) + "]");
    return analysis.run().runId() + " " + String.join(" ", parts);
  }

  private List<Grid> grids(List<String> columns) {
    return List.of(differences(), outcome(), latencies(columns), comparisons(), ledger());
  }

  private Grid differences() {
    Map<String, String> names = new TreeMap<>(firstSettings);
    names.putAll(secondSettings);
    List<List<String>> rows = new ArrayList<>();
    for (String name : names.keySet()) {
      String left = firstSettings.getOrDefault(name, "absent");
      String right = secondSettings.getOrDefault(name, "absent");
      if (!left.equals(right)) {
        rows.add(List.of(name, left, right));
      }
    }
    return new Grid("Settings and versions that differ", 3, List.of("", "A", "B"), rows);
  }

  private static Map<String, String> settings(RunAnalysis analysis, Settings plan) {
    RunAnalysis.RunFacts run = analysis.run();
    Map<String, String> settings = new LinkedHashMap<>(SettingsText.of(plan));
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

  private Grid outcome() {
    Map<String, String> ours = outcome(first);
    Map<String, String> theirs = outcome(second);
    Map<String, String> names = new LinkedHashMap<>(ours);
    theirs.forEach(names::putIfAbsent);
    List<List<String>> rows = new ArrayList<>();
    names
        .keySet()
        .forEach(
            name ->
                rows.add(
                    List.of(
                        name,
                        ours.getOrDefault(name, "absent"),
                        theirs.getOrDefault(name, "absent"))));
    return new Grid("Load, engine, objectives", 3, List.of("", "A", "B"), rows);
  }

  private static Map<String, String> outcome(RunAnalysis analysis) {
    Map<String, String> facts = new LinkedHashMap<>();
    Fact.load(analysis.counts()).forEach(fact -> facts.put(fact.name(), fact.value()));
    Fact.pressure(analysis.engine()).forEach(fact -> facts.put(fact.name(), fact.value()));
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

  private Grid latencies(List<String> columns) {
    List<LatencyRow> ours = LatencyTable.of(first);
    List<LatencyRow> theirs = LatencyTable.of(second, ours);
    List<List<String>> rows = new ArrayList<>();
    for (LatencyRow row : ours) {
      rows.add(row("A", row, columns));
      theirs.stream()
          .filter(other -> isSame(row, other))
          .forEach(other -> rows.add(row("B", other, columns)));
    }
    theirs.stream()
        .filter(other -> ours.stream().noneMatch(row -> isSame(row, other)))
        .forEach(other -> rows.add(row("B", other, columns)));
    List<String> head = new ArrayList<>(List.of("", "", "", "", "n"));
    head.addAll(columns);
    return new Grid("Latencies: client exact, engine mean and bucket", 4, head, rows);
  }

  // An engine's metric may have another name in another version; it is the same quantity.
  private static boolean isSame(LatencyRow row, LatencyRow other) {
    boolean sameBasis = row.side() == Side.ENGINE || row.basis().equals(other.basis());
    return row.quantity().equals(other.quantity()) && row.side() == other.side() && sameBasis;
  }

  private static List<String> row(String run, LatencyRow row, List<String> columns) {
    List<String> cells = new ArrayList<>();
    cells.add(row.quantity());
    cells.add(row.shortSide());
    cells.addAll(List.of(run, row.unit().symbol(), row.count()));
    for (String column : columns) {
      Cell cell = row.cell(column);
      cells.add(columns.size() == LatencyRow.HEADS.size() ? cell.full() : cell.text());
    }
    return cells;
  }

  private Grid comparisons() {
    List<List<String>> rows = new ArrayList<>();
    first.comparisons().forEach(comparison -> rows.add(row("A", first, comparison)));
    second.comparisons().forEach(comparison -> rows.add(row("B", second, comparison)));
    rows.sort((left, right) -> left.get(0).compareTo(right.get(0)));
    return new Grid(
        "Client beside engine", 3, List.of("", "", "verdict", "client - engine mean"), rows);
  }

  private static List<String> row(
      String run, RunAnalysis of, Comparison comparison) {
    boolean stamped = of.reconciliation().verdict() == Reconciliation.Verdict.NOT_RECONCILED;
    return List.of(
        ComparisonText.name(comparison),
        run,
        Wording.stamped(
            stamped ? Stamp.UNRECONCILED : Stamp.NONE, comparison.verdict().words()),
        Numbers.latency(comparison.meanGap()));
  }

  private Grid ledger() {
    List<List<String>> rows = new ArrayList<>();
    first.reconciliation().rows().forEach(row -> rows.add(row("A", row)));
    second.reconciliation().rows().forEach(row -> rows.add(row("B", row)));
    rows.sort((left, right) -> (left.get(0) + left.get(1)).compareTo(right.get(0) + right.get(1)));
    return new Grid(
        "Ledgers", 3, List.of("", "", "", "client", "engine", "engine - client", "status"), rows);
  }

  private static List<String> row(String run, Reconciliation.Row row) {
    return List.of(
        row.id().code(),
        row.quantity(),
        run,
        LedgerText.count(row.client()),
        LedgerText.count(row.engine()),
        LedgerText.count(row.difference()),
        Wording.status(row.status()));
  }
}
