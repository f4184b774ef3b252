package tallystick.alerting.derivation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.statistics.Isotonic;
import tallystick.scenario.Counted;

/** What a table lacks whatever the signal. */
record TableChecks(WindowTable table) {
  private static final int LEAST_WINDOWS = 5; // docs/alerts.md, Refusals
  private static final int LEAST_STEPS = 2; // one step may be an accident
  private static final long LEAST_OBSERVED = 100; // docs/alerts.md, Refusals
  private static final double MOST_VIOLATION_SHARE = 0.1; // of the variation, against the load

  /** What forbids every threshold; the first is the reason of a refusal. */
  List<UnmetRequirement> lacks() {
    return Stream.of(
            untrusted(),
            tooFew(Verdict.MISSED, Requirement.VIOLATED_WINDOWS, Requirement.VIOLATED_STEPS),
            tooFew(Verdict.MET, Requirement.MET_WINDOWS, Requirement.MET_STEPS),
            fewObserved(),
            onlyOverloaded())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<UnmetRequirement> untrusted() {
    List<String> runs = table.unreconciled();
    return UnmetRequirement.above(
        Requirement.TRUSTED_RUNS,
        runs.size(),
        0,
        "runs not reconciled or not valid: %d, allowed 0: %s",
        runs.size(),
        String.join(", ", runs));
  }

  private Optional<UnmetRequirement> tooFew(
      Verdict label, Requirement ofWindows, Requirement ofSteps) {
    int windows = table.windows(label);
    int steps = table.steps(label);
    String sentence =
        String.format(
            Locale.ROOT,
            "%s from %s, need >= %d from >= %d; of %s, %d undecided",
            counted(windows, label.name().toLowerCase(Locale.ROOT) + " window"),
            counted(steps, "step"),
            LEAST_WINDOWS,
            LEAST_STEPS,
            counted(table.rows().size(), "window"),
            table.windows(Verdict.NOT_JUDGED));
    return UnmetRequirement.below(ofWindows, windows, LEAST_WINDOWS, "%s", sentence)
        .or(() -> UnmetRequirement.below(ofSteps, steps, LEAST_STEPS, "%s", sentence));
  }

  private static String counted(int count, String word) {
    return Counted.of(count, word, word + "s");
  }

  private Optional<UnmetRequirement> fewObserved() {
    long[] counts = table.rows().stream().mapToLong(WindowRow::observed).sorted().toArray();
    double middle = counts.length == 0 ? 0 : counts[counts.length / 2];
    return UnmetRequirement.below(
        Requirement.REQUESTS,
        middle,
        LEAST_OBSERVED,
        "median of %.0f requests in a window, need >= %d",
        middle,
        LEAST_OBSERVED);
  }

  private Optional<UnmetRequirement> onlyOverloaded() {
    List<WindowRow> violated = table.labelled(Verdict.MISSED);
    long mild = violated.stream().filter(row -> !row.overloaded()).count();
    return violated.isEmpty()
        ? Optional.empty()
        : UnmetRequirement.below(
            Requirement.MILD_SUFFERING,
            mild,
            1,
            "all %d missed windows come from steps whose queue kept growing: a threshold would"
                + " detect overload, not degradation",
            violated.size());
  }

  /**
   * Attainment must fall with load; where it does not, something else moved, and how full the
   * engine is does not tell whether users suffer. A symptom tells that whatever caused it.
   */
  Optional<UnmetRequirement> notMonotone() {
    Map<String, List<WindowRow>> mixes =
        new CarryOverFilter(table.rows())
            .rows().stream().collect(Collectors.groupingBy(row -> row.place().mix()));
    double worst = mixes.values().stream().mapToDouble(TableChecks::against).max().orElse(0);
    return UnmetRequirement.above(
        Requirement.LOAD_ORDER,
        worst,
        MOST_VIOLATION_SHARE,
        "not monotone: %.2f of the variation of attainment goes against the load, allowed %.2f:"
            + " something besides load changed the capacity",
        worst,
        MOST_VIOLATION_SHARE);
  }

  private static double against(List<WindowRow> rows) {
    TreeMap<Double, long[]> loads = new TreeMap<>();
    for (WindowRow row : rows) {
      long[] counts = loads.computeIfAbsent(row.place().load(), any -> new long[2]);
      counts[0] += row.good();
      counts[1] += row.observed();
    }
    loads.values().removeIf(counts -> counts[1] == 0);
    double[] attainment =
        loads.values().stream().mapToDouble(c -> (double) c[0] / c[1]).toArray();
    double[] weights = loads.values().stream().mapToDouble(c -> c[1]).toArray();
    return attainment.length < 2 ? 0 : Isotonic.falling(attainment, weights).violationShare();
  }
}
