package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Evidence;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.derivation.ThresholdFit.Weights;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * Finds for each signal the threshold that tells windows in which users suffered from those in
 * which they did not, or says which number is missing. The limits are those of docs/alerts.md.
 */
public final class ThresholdDerivation {
  private static final int LEAST_RUNS = 2; // one is left out
  private static final double LEAST_AREA = 0.8; // docs/alerts.md, Refusals
  private static final double LEAST_YOUDEN = 0.6; // docs/alerts.md, Refusals
  private static final double MOST_RELATIVE_WIDTH = 1; // as wide as the threshold
  private static final double MOST_SPREAD = 2; // docs/alerts.md, Refusals
  private static final double MOST_BETWEEN = 0.03; // fewer hang on no end of the gap
  private static final int LEAST_MIXES = 2; // one is left out
  private static final double MOST_FALSE_ALARMS = 0.1; // docs/alerts.md, Refusals
  private static final double LEAST_RECALL = 0.6; // docs/alerts.md, Refusals

  private final WindowTable table;
  private final List<UnmetRequirement> ofTable;
  private final Optional<UnmetRequirement> ofLoad;
  private final long seed;

  private ThresholdDerivation(WindowTable table, long seed) {
    this.table = table;
    TableChecks checks = new TableChecks(table);
    this.ofTable = checks.lacks();
    this.ofLoad = checks.notMonotone();
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
    return signals.stream().map(derivation::outcome).toList();
  }

  /**
   * Balanced accuracy of a signal's threshold on runs left out, whatever else speaks against it;
   * NaN where no run can be left out.
   */
  public static double agreement(WindowTable table, Signal signal) {
    ThresholdDerivation derivation = new ThresholdDerivation(table, 0);
    Confusion confusion =
        HeldOut.of(signal, table.all(), row -> row.place().run(), derivation.fitter(signal))
            .confusion();
    return (confusion.recall() + 1 - confusion.falseAlarms()) / 2;
  }

  private SignalOutcome outcome(Signal signal) {
    LabelledValues values = LabelledValues.of(signal, table.all());
    List<UnmetRequirement> lacks = new ArrayList<>(ofTable);
    ofLoad.filter(lack -> !signal.isSymptom()).ifPresent(lacks::add);
    if (ofTable.isEmpty()) {
      lacks.addAll(new SignalChecks(table, signal, values).lacks());
    }
    oneRun().ifPresent(lacks::add);
    HeldOut.Fitter fitter = fitter(signal);
    Optional<ThresholdFit> fit = lacks.isEmpty() ? fitter.apply(values) : Optional.empty();
    Optional<Evidence> evidence = fit.flatMap(any -> evidence(signal, values, fitter));
    if (lacks.isEmpty()) {
      evidence.ifPresentOrElse(
          found -> lacks.addAll(ofFit(values, fit.get(), found)),
          () ->
              lacks.add(
                  UnmetRequirement.of(
                      Requirement.VARIATION, 1, 2, "the signal never changed")));
    }
    oneMix(signal).ifPresent(lacks::add);
    return lacks.isEmpty()
        ? derived(signal, fit.orElseThrow(), evidence.orElseThrow())
        : new Refused(signal, lacks);
  }

  private Optional<UnmetRequirement> oneRun() {
    int runs = table.runs();
    return UnmetRequirement.below(
        Requirement.RUNS,
        runs,
        LEAST_RUNS,
        "%d run: leaving one run out needs >= %d, better 3",
        runs,
        LEAST_RUNS);
  }

  /** A resource signal must hold on another mix; a symptom without one may still warn. */
  private Optional<UnmetRequirement> oneMix(Signal signal) {
    int mixes = table.mixes();
    return signal.isSymptom()
        ? Optional.empty()
        : UnmetRequirement.below(
            Requirement.MIXES,
            mixes,
            LEAST_MIXES,
            "%d mix, need >= %d: a load test makes every resource signal rise with load",
            mixes,
            LEAST_MIXES);
  }

  private static SignalOutcome derived(Signal signal, ThresholdFit fit, Evidence evidence) {
    ThresholdFit shown = signal.histogram().isEmpty() ? fit.rounded() : fit;
    boolean isSure = signal == Signal.BAD_RATIO && evidence.byMix().isPresent();
    AlertSeverity urgency = isSure ? AlertSeverity.TICKET : AlertSeverity.WARNING;
    return new Derived(signal, shown.threshold(), urgency, evidence);
  }

  /** Only the share of bad requests is more than a warning, and must be right before all. */
  private HeldOut.Fitter fitter(Signal signal) {
    if (signal == Signal.BAD_RATIO) {
      // Of suffering that no window showed, the objective itself says that it is suffering.
      double least = BadEventGuard.LEAST_FACTOR * (1 - table.target());
      return values ->
          ThresholdFit.anywhere(values, Weights.PRECISE)
              .map(fit -> fit.loweredTo(least).notBelow(1 - table.target()));
    }
    return signal.histogram().isEmpty()
        ? values -> ThresholdFit.anywhere(values, Weights.EVEN)
        : values -> ThresholdFit.onEdge(values, Weights.EVEN, usableEdges(signal));
  }

  /**
   * At the last finite edge a quantile saturates and never exceeds it; one of the objective's own
   * latency that lies below the objective is no suffering.
   */
  private List<Double> usableEdges(Signal signal) {
    List<Double> edges = table.edges().getOrDefault(signal, List.of());
    List<Double> finite = edges.isEmpty() ? edges : edges.subList(0, edges.size() - 1);
    double least = table.least().getOrDefault(signal, 0.0);
    List<Double> usable = finite.stream().filter(edge -> edge >= least).toList();
    return usable.isEmpty() ? finite : usable;
  }

  private Optional<Evidence> evidence(
      Signal signal, LabelledValues values, HeldOut.Fitter fitter) {
    HeldOut byRun = HeldOut.of(signal, table.all(), row -> row.place().run(), fitter);
    HeldOut byMix = HeldOut.of(signal, table.all(), row -> row.place().mix(), fitter);
    return ClusterBootstrap.of(signal, table.all(), fitter, seed)
        .map(
            chance ->
                new Evidence(
                    table.windows(Verdict.MET),
                    table.windows(Verdict.MISSED),
                    table.windows(Verdict.NOT_JUDGED),
                    values.areaUnderCurve(),
                    chance.areaLow(),
                    chance.areaHigh(),
                    chance.thresholdLow(),
                    chance.thresholdHigh(),
                    Arrays.stream(values.healthy()).max().orElse(Double.NaN),
                    byRun,
                    byMix.groups() > 1 ? Optional.of(byMix) : Optional.empty()));
  }

  /** What a fitted threshold lacks of being believed. */
  private static List<UnmetRequirement> ofFit(
      LabelledValues values, ThresholdFit fit, Evidence evidence) {
    return Stream.of(
            smallArea(evidence),
            wrongOnRuns(evidence.byRun()),
            wide(values, fit, evidence),
            spread(values, evidence.byRun()),
            evidence.byMix().flatMap(ThresholdDerivation::wrongOnMixes))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<UnmetRequirement> smallArea(Evidence evidence) {
    return UnmetRequirement.below(
        Requirement.AREA,
        evidence.areaLow(),
        LEAST_AREA,
        "it ranks a bad window above a good one in %.1f %% of pairs (AUC; lower bound %.1f %%,"
            + " need >= %.0f %%)",
        100 * evidence.area(),
        100 * evidence.areaLow(),
        100 * LEAST_AREA);
  }

  private static Optional<UnmetRequirement> wrongOnRuns(HeldOut byRun) {
    double youden = byRun.confusion().youden();
    return byRun.thresholds().isEmpty()
        ? Optional.of(
            UnmetRequirement.of(
                Requirement.YOUDEN, 0, 1,
                "0 of %d runs can be left out: the others lack a label, need >= 1",
                byRun.groups()))
        : UnmetRequirement.below(
            Requirement.YOUDEN, youden, LEAST_YOUDEN,
            "on held-out runs it fired in %.0f %% of the windows with suffering and in %.0f %% of"
                + " the healthy ones: %.0f points apart, need >= %.0f",
            100 * byRun.confusion().recall(), 100 * byRun.confusion().falseAlarms(),
            100 * youden, 100 * LEAST_YOUDEN);
  }

  /** A wide interval in which next to no window lies is a gap: all of it answers alike. */
  private static Optional<UnmetRequirement> wide(
      LabelledValues values, ThresholdFit fit, Evidence evidence) {
    double span = evidence.thresholdHigh() - evidence.thresholdLow();
    double width = span == 0 ? 0 : span / fit.threshold();
    return UnmetRequirement.above(
            Requirement.NARROW_INTERVAL,
            width,
            MOST_RELATIVE_WIDTH,
            "90 %% interval [%.3g, %.3g] is %.2f times as wide as the threshold %.3g, allowed %.0f",
            evidence.thresholdLow(),
            evidence.thresholdHigh(),
            width,
            fit.threshold(),
            MOST_RELATIVE_WIDTH)
        .filter(
            lack -> changes(values, evidence.thresholdLow(), evidence.thresholdHigh()));
  }

  private static Optional<UnmetRequirement> spread(LabelledValues values, HeldOut byRun) {
    double spread = byRun.spread();
    return byRun.thresholds().isEmpty()
        ? Optional.empty()
        : UnmetRequirement.above(
                Requirement.AGREEING_RUNS,
                spread,
                MOST_SPREAD,
                "thresholds without one run differ by a factor %.2f, allowed %.0f: %s",
                spread,
                MOST_SPREAD,
                byRun.thresholds().stream()
                    .map(RuleWords::number)
                    .collect(Collectors.joining(", ")))
            .filter(
                lack ->
                    changes(
                        values, Collections.min(byRun.thresholds()),
                        Collections.max(byRun.thresholds())));
  }

  /** Whether two thresholds answer differently in more windows than chance may explain. */
  private static boolean changes(LabelledValues values, double low, double high) {
    return values.shareBetween(low, high) > MOST_BETWEEN;
  }

  private static Optional<UnmetRequirement> wrongOnMixes(HeldOut byMix) {
    double falseAlarms = byMix.confusion().falseAlarms();
    double recall = byMix.confusion().recall();
    String sentence =
        "on mixes left out: false alarms %.3f, allowed %.1f; recall %.3f, need >= %.1f";
    Object[] numbers = {falseAlarms, MOST_FALSE_ALARMS, recall, LEAST_RECALL};
    return UnmetRequirement.above(
            Requirement.TRANSFER, falseAlarms, MOST_FALSE_ALARMS, sentence, numbers)
        .or(
            () ->
                UnmetRequirement.below(
                    Requirement.TRANSFER, recall, LEAST_RECALL, sentence, numbers));
  }
}
