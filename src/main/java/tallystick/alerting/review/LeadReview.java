package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.LeadTime;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;

/**
 * Whether anything warns before users suffer, measured on ramps of load that nothing was derived
 * from.
 *
 * @param ramps names of the ramps
 * @param alerts lead time of each alert with a derived threshold
 * @param signals lead time of each signal with a threshold, whether or not an alert watches it
 */
public record LeadReview(List<String> ramps, List<LeadTime> alerts, List<LeadTime> signals) {
  private static final String RANGE = "5m";

  public LeadReview {
    ramps = List.copyOf(ramps);
    alerts = List.copyOf(alerts);
    signals = List.copyOf(signals);
  }

  /**
   * Measured on replayed ramps.
   *
   * @param heldOut how the alerts did on runs left out; empty where none could be
   */
  static LeadReview of(
      DerivedAlerts derived,
      RuleSet rules,
      List<RunTimeline> ramps,
      List<AlertScore> heldOut) {
    List<LeadTime> alerts = new ArrayList<>();
    for (RuleSet.Rule alert : rules.alerts()) {
      if (!RuleBook.ABSENCE.contains(alert.name())) {
        double precision =
            heldOut.stream()
                .filter(score -> score.alert().equals(alert.name()))
                .mapToDouble(AlertScore::precision)
                .findFirst()
                .orElse(Double.NaN);
        alerts.add(LeadTime.of(alert.name(), ramps, precision));
      }
    }
    List<LeadTime> signals = new ArrayList<>();
    for (SignalOutcome.Derived found : derived.derived()) {
      double precision = found.evidence().byRun().confusion().precision();
      signals.add(LeadTime.of(name(found.signal()), ramps, precision));
    }
    return new LeadReview(
        ramps.stream().map(RunTimeline::run).toList(), alerts, signals);
  }

  /** The derived thresholds as plain alerts, to see when each signal alone would have spoken. */
  static RuleGroup signals(DerivedAlerts derived) {
    List<RuleGroup.Rule> alerts = new ArrayList<>();
    for (SignalOutcome.Derived found : derived.derived()) {
      String query = derived.query().of(found.signal(), RANGE).orElseThrow();
      alerts.add(
          new RuleGroup.Alert(
              name(found.signal()),
              PromqlParser.parse("(" + query + ") > " + RuleWords.number(found.threshold())),
              derived.holdMillis().getOrDefault(found.signal(), 0L),
              0,
              Map.of()));
    }
    return new RuleGroup("signals", derived.request().intervalMillis(), alerts);
  }

  private static String name(Signal signal) {
    return signal.code() + " (signal)";
  }

  /** One line for each alert and signal, or the number that is missing. */
  public List<String> lines() {
    if (ramps.isEmpty()) {
      return List.of(
          "not measured: 0 runs of slowly rising load, need >= 3 (scenarios/slo-ramp.yaml);"
              + " no alert here is an early warning");
    }
    List<String> lines = new ArrayList<>();
    for (LeadTime lead : all()) {
      lines.add(
          "%s: %s, fired on %s of %s: %s"
              .formatted(
                  lead.name(), lead.figures(), lead.seconds().size(), lead.ramps(),
                  lead.verdict()));
    }
    return lines;
  }

  /** The same lines under a heading, for the head of a rule file. */
  List<String> header() {
    List<String> header = new ArrayList<>();
    header.add("lead time on ramps, seconds before users suffered (negative is late):");
    lines().forEach(line -> header.add("  " + line));
    return header;
  }

  /** Alerts first. */
  public List<LeadTime> all() {
    List<LeadTime> all = new ArrayList<>(alerts);
    all.addAll(signals);
    return all;
  }
}
