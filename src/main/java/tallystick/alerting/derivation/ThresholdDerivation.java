package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.Urgency;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Evidence;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.derivation.ThresholdFit.Weights;
import tallystick.analysis.statistics.Isotonic;

/**
 * Finds for each signal the threshold that tells windows in which users suffered from those in
 * which they did not, or says which number is missing. The limits are those of docs/alerts.md.
 */
public final class ThresholdDerivation {
  private static final int LEAST_WINDOWS = 5;
  private static final int LEAST_CLUSTERS = 2;
  private static final long LEAST_OBSERVED = 100;
  private static final double LEAST_PRESENT = 0.8;
  private static final double LEAST_AREA = 0.8;
  private static final double LEAST_YOUDEN = 0.6;
  private static final double MOST_RELATIVE_WIDTH = 1;
  private static final double MOST_SPREAD = 2;
  private static final double MOST_FALSE_ALARMS = 0.1;
  private static final double LEAST_RECALL = 0.6;
  private static final double MOST_VIOLATION_SHARE = 0.1;

  private final WindowTable table;
  private final List<WindowLabel> labels;
  private final long seed;

  private ThresholdDerivation(WindowTable table, long seed) {
    this.table = table;
    this.labels = WindowLabel.of(table.rows(), table.target());
    this.seed = seed;
  }

  /**
   * The outcome for each signal asked for, in that order.
   *
   * @param seed of the bootstrap
   */
  public static List<SignalOutcome> derive(
      WindowTable table, List<Signal> signals, long seed) {
    ThresholdDerivation derivation = new ThresholdDerivation(table, seed);
    Optional<Refusal> ofTable = derivation.tableRefusal();
    return signals.stream()
        .map(
            signal ->
                ofTable
                    .map(refusal -> (SignalOutcome) refusal.of(signal))
                    .orElseGet(() -> derivation.outcome(signal)))
        .toList();
  }

  /**
   * Balanced accuracy of a signal's threshold on runs left out, whatever else speaks against it;
   * NaN where no run can be left out.
   */
  public static double agreement(WindowTable table, Signal signal) {
    ThresholdDerivation derivation = new ThresholdDerivation(table, 0);
    Confusion confusion =
        derivation
            .heldOut(signal, row -> row.place().run(), derivation.fitter(signal))
            .confusion();
    return (confusion.recall() + 1 - confusion.falseAlarms()) / 2;
  }

  private record Refusal(RefusalCode code, String missing) {
    Refused of(Signal signal) {
      return new Refused(signal, code, missing);
    }
  }

  /** What forbids every threshold: the labels, whatever the signal. */
  private Optional<Refusal> tableRefusal() {
    if (!table.unreconciled().isEmpty()) {
      return refuse(
          RefusalCode.UNRECONCILED,
          "%d of the runs not reconciled or not valid, allowed 0: %s",
          table.unreconciled().size(),
          String.join(", ", table.unreconciled()));
    }
    Optional<Refusal> violated =
        tooFew(WindowLabel.VIOLATED, RefusalCode.NO_VIOLATING_WINDOW);
    Optional<Refusal> healthy = tooFew(WindowLabel.MET, RefusalCode.NO_HEALTHY_WINDOW);
    return violated
        .or(() -> healthy)
        .or(this::fewObserved)
        .or(this::onlyOverloaded)
        .or(this::notMonotone);
  }

  private Optional<Refusal> tooFew(WindowLabel label, RefusalCode code) {
    List<WindowRow> rows = labelled(label);
    Set<String> clusters = new HashSet<>();
    rows.forEach(row -> clusters.add(row.place().cluster()));
    if (rows.size() >= LEAST_WINDOWS && clusters.size() >= LEAST_CLUSTERS) {
      return Optional.empty();
    }
    return refuse(
        code,
        "%d %s windows from %d steps, need >= %d from >= %d; %d of %d windows are not proven",
        rows.size(),
        label.name().toLowerCase(Locale.ROOT),
        clusters.size(),
        LEAST_WINDOWS,
        LEAST_CLUSTERS,
        labelled(WindowLabel.NOT_PROVEN).size(),
        table.rows().size());
  }

  private Optional<Refusal> fewObserved() {
    long[] counts = table.rows().stream().mapToLong(WindowRow::observed).sorted().toArray();
    double middle = counts[counts.length / 2];
    return middle >= LEAST_OBSERVED
        ? Optional.empty()
        : refuse(
            RefusalCode.TOO_FEW_OBSERVATIONS,
            "median of %.0f requests in a window, need >= %d",
            middle,
            LEAST_OBSERVED);
  }

  private Optional<Refusal> onlyOverloaded() {
    List<WindowRow> violated = labelled(WindowLabel.VIOLATED);
    return violated.stream().allMatch(WindowRow::overloaded)
        ? refuse(
            RefusalCode.OVERLOAD_ONLY,
            "all %d violated windows come from steps whose queue grew without end: a threshold"
                + " would tell overload, not degradation",
            violated.size())
        : Optional.empty();
  }

  /** Attainment must fall with load; where it does not, load is not what the windows differ by. */
  private Optional<Refusal> notMonotone() {
    Map<String, List<WindowRow>> mixes =
        table.rows().stream().collect(Collectors.groupingBy(row -> row.place().mix()));
    double worst = 0;
    for (List<WindowRow> rows : mixes.values()) {
      worst = Math.max(worst, violationShare(rows));
    }
    return worst <= MOST_VIOLATION_SHARE
        ? Optional.empty()
        : refuse(
            RefusalCode.NOT_SEPARABLE,
            "not monotone: %.2f of the variation of attainment goes against the load, allowed %.2f",
            worst,
            MOST_VIOLATION_SHARE);
  }

  private static double violationShare(List<WindowRow> rows) {
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

  private SignalOutcome outcome(Signal signal) {
    LabelledValues values = LabelledValues.of(signal, table.rows(), labels);
    Optional<Refusal> early =
        tooOftenMissing(signal, values)
            .or(() -> unresolvable(signal, values))
            .or(this::oneRun);
    if (early.isPresent()) {
      return early.get().of(signal);
    }
    HeldOut.Fitter fitter = fitter(signal);
    Optional<ThresholdFit> fit = fitter.apply(values);
    Optional<ClusterBootstrap> chance =
        ClusterBootstrap.of(signal, table.rows(), labels, fitter, seed);
    if (fit.isEmpty() || chance.isEmpty()) {
      return new Refused(
          signal, RefusalCode.NOT_SEPARABLE, "the signal has one value in every window");
    }
    HeldOut byRun = heldOut(signal, row -> row.place().run(), fitter);
    HeldOut byMix = heldOut(signal, row -> row.place().mix(), fitter);
    Evidence evidence = evidence(values, chance.get(), byRun, byMix);
    return notSeparable(evidence)
        .or(() -> unstable(fit.get(), evidence))
        .or(() -> notTransferable(signal, byMix))
        .map(refusal -> (SignalOutcome) refusal.of(signal))
        .orElseGet(() -> derived(signal, fit.get(), evidence));
  }

  private Optional<Refusal> oneRun() {
    long runs = table.rows().stream().map(row -> row.place().run()).distinct().count();
    return runs > 1
        ? Optional.empty()
        : refuse(
            RefusalCode.NOT_SEPARABLE,
            "%d run: leaving one run out needs >= 2, better 3",
            runs);
  }

  private static SignalOutcome derived(Signal signal, ThresholdFit fit, Evidence evidence) {
    ThresholdFit shown = signal.scale() == Signal.Scale.FREE ? fit.rounded() : fit;
    boolean isSure = signal == Signal.BAD_RATIO && evidence.byMix().isPresent();
    Urgency urgency = isSure ? Urgency.TICKET : Urgency.WARNING;
    return new Derived(signal, shown.threshold(), urgency, evidence);
  }

  private HeldOut.Fitter fitter(Signal signal) {
    return switch (signal.scale()) {
      case FREE -> values -> ThresholdFit.anywhere(values, weights(signal));
      case EDGES -> values -> ThresholdFit.onEdge(values, weights(signal), usableEdges(signal));
    };
  }

  /** Only the share of bad requests is more than a warning, and must be right before all. */
  private static Weights weights(Signal signal) {
    return signal == Signal.BAD_RATIO ? Weights.PRECISE : Weights.EVEN;
  }

  /** At the last finite edge a quantile saturates and never exceeds it. */
  private List<Double> usableEdges(Signal signal) {
    List<Double> edges = table.edges().getOrDefault(signal, List.of());
    return edges.isEmpty() ? edges : edges.subList(0, edges.size() - 1);
  }

  private HeldOut heldOut(
      Signal signal, java.util.function.Function<WindowRow, String> group, HeldOut.Fitter fitter) {
    return HeldOut.of(signal, table.rows(), labels, group, fitter);
  }

  private Evidence evidence(
      LabelledValues values, ClusterBootstrap chance, HeldOut byRun, HeldOut byMix) {
    return new Evidence(
        labelled(WindowLabel.MET).size(),
        labelled(WindowLabel.VIOLATED).size(),
        labelled(WindowLabel.NOT_PROVEN).size(),
        values.areaUnderCurve(),
        chance.areaLow(),
        chance.areaHigh(),
        chance.thresholdLow(),
        chance.thresholdHigh(),
        Arrays.stream(values.healthy()).max().orElse(Double.NaN),
        byRun,
        byMix.groups() > 1 ? Optional.of(byMix) : Optional.empty());
  }

  private Optional<Refusal> tooOftenMissing(Signal signal, LabelledValues values) {
    long present =
        table.rows().stream().filter(row -> !Double.isNaN(row.signal(signal))).count();
    double share = present / (double) table.rows().size();
    return share >= LEAST_PRESENT && values.hasBoth()
        ? Optional.empty()
        : refuse(
            RefusalCode.TOO_FEW_OBSERVATIONS,
            "the signal is a number in %.0f %% of the windows, need >= %.0f %%",
            share * 100,
            LEAST_PRESENT * 100);
  }

  /** Where the best cut lies below the first edge or above the last, no edge can tell. */
  private Optional<Refusal> unresolvable(Signal signal, LabelledValues values) {
    if (signal.scale() == Signal.Scale.FREE) {
      return Optional.empty();
    }
    List<Double> edges = table.edges().getOrDefault(signal, List.of());
    if (edges.size() < 2) {
      return refuse(RefusalCode.UNRESOLVABLE, "%d bucket edges, need >= 2", edges.size());
    }
    Optional<ThresholdFit> free = ThresholdFit.anywhere(values, Weights.EVEN);
    boolean inside =
        free.isEmpty()
            || free.get().high() > edges.getFirst() && free.get().low() < edges.getLast();
    return inside
        ? Optional.empty()
        : refuse(
            RefusalCode.UNRESOLVABLE,
            "the best threshold, %.3g s, lies outside the finite buckets %.3g to %.3g s",
            free.get().threshold(),
            edges.getFirst(),
            edges.getLast());
  }

  private static Optional<Refusal> notSeparable(Evidence evidence) {
    if (evidence.areaLow() < LEAST_AREA) {
      return refuse(
          RefusalCode.NOT_SEPARABLE,
          "area under the curve %.3f, lower 90 %% bound %.3f, need >= %.1f",
          evidence.area(),
          evidence.areaLow(),
          LEAST_AREA);
    }
    if (evidence.byRun().thresholds().isEmpty()) {
      return refuse(
          RefusalCode.NOT_SEPARABLE,
          "0 of %d runs can be left out: the others lack a label, need >= 1",
          evidence.byRun().groups());
    }
    double youden = evidence.byRun().confusion().youden();
    return youden >= LEAST_YOUDEN
        ? Optional.empty()
        : refuse(
            RefusalCode.NOT_SEPARABLE,
            "Youden's J on runs left out %.2f, need >= %.1f",
            youden,
            LEAST_YOUDEN);
  }

  private static Optional<Refusal> unstable(ThresholdFit fit, Evidence evidence) {
    double width = (evidence.thresholdHigh() - evidence.thresholdLow()) / fit.threshold();
    if (width > MOST_RELATIVE_WIDTH) {
      return refuse(
          RefusalCode.UNSTABLE,
          "90 %% interval [%.3g, %.3g] is %.2f times the threshold %.3g wide, allowed %.0f",
          evidence.thresholdLow(),
          evidence.thresholdHigh(),
          width,
          fit.threshold(),
          MOST_RELATIVE_WIDTH);
    }
    double spread = evidence.byRun().spread();
    return spread <= MOST_SPREAD
        ? Optional.empty()
        : refuse(
            RefusalCode.UNSTABLE,
            "thresholds without one run differ by a factor %.2f, allowed %.0f: %s",
            spread,
            MOST_SPREAD,
            evidence.byRun().thresholds());
  }

  /** A resource signal must hold on another mix; a symptom without one may still warn. */
  private static Optional<Refusal> notTransferable(Signal signal, HeldOut byMix) {
    if (byMix.groups() < 2) {
      return signal.isSymptom()
          ? Optional.empty()
          : refuse(
              RefusalCode.NOT_TRANSFERABLE,
              "%d mix, need >= 2: a load test makes every resource signal rise with load",
              byMix.groups());
    }
    double falseAlarms = byMix.confusion().falseAlarms();
    double recall = byMix.confusion().recall();
    return falseAlarms <= MOST_FALSE_ALARMS && recall >= LEAST_RECALL
        ? Optional.empty()
        : refuse(
            RefusalCode.NOT_TRANSFERABLE,
            "on mixes left out: false alarms %.3f, allowed %.1f; recall %.3f, need >= %.1f",
            falseAlarms,
            MOST_FALSE_ALARMS,
            recall,
            LEAST_RECALL);
  }

  private List<WindowRow> labelled(WindowLabel label) {
    List<WindowRow> rows = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i) == label) {
        rows.add(table.rows().get(i));
      }
    }
    return rows;
  }

  private static Optional<Refusal> refuse(RefusalCode code, String form, Object... numbers) {
    return Optional.of(new Refusal(code, String.format(Locale.ROOT, form, numbers)));
  }
}
