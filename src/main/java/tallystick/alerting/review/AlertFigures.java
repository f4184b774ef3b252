package tallystick.alerting.review;

import java.util.List;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.words.Wording;

/**
 * What derived alerts say, for programs.
 *
 * @param folder where the rules lie
 * @param files its files
 * @param simulated whether any run was of the simulated engine
 * @param runs names of the runs
 * @param mixes how many mixes of requests they have
 * @param windowSeconds length of the windows in which users were judged
 * @param earned alerts that rest on a threshold or an objective
 * @param refused alerts without one, with the number that is missing
 * @param objectives what was found for each objective
 */
public record AlertFigures(
    String folder,
    List<String> files,
    boolean simulated,
    List<String> runs,
    int mixes,
    double windowSeconds,
    List<Alert> earned,
    List<RefusedAlert> refused,
    List<Judged> objectives) {
  private static final double MILLIS = 1000;

  /** One alert as its file has it. */
  private record Alert(
      String alert,
      String severity,
      String expression,
      double forSeconds,
      double keepFiringForSeconds,
      List<String> evidence) {
    static Alert of(RuleSet.Rule rule) {
      return new Alert(
          rule.name(), rule.labels().getOrDefault("severity", ""), rule.expression(),
          rule.holdMillis() / MILLIS, rule.keepMillis() / MILLIS, rule.evidence());
    }
  }

  /** What the runs say by one objective. */
  private record Judged(
      String objective, String edge, List<Threshold> signals, List<ConditionScore> judgements) {
    static Judged of(AlertReview review) {
      DerivedAlerts derived = review.derived();
      return new Judged(
          Wording.objective(derived.request().objective()), derived.edge().sentence(),
          derived.outcomes().stream().map(Threshold::of).toList(), review.judgements());
    }
  }

  /** One signal's threshold; without one it is NaN, and a code and a number say why. */
  private record Threshold(
      Signal signal,
      String unit,
      double threshold,
      double thresholdLow,
      double thresholdHigh,
      double area,
      String code,
      String missing) {
    static Threshold of(SignalOutcome outcome) {
      Signal signal = outcome.signal();
      return switch (outcome) {
        case SignalOutcome.Derived found ->
            new Threshold(
                signal, signal.unit(), found.threshold(), found.evidence().thresholdLow(),
                found.evidence().thresholdHigh(), found.evidence().area(), "", "");
        case SignalOutcome.Refused refused ->
            new Threshold(
                signal, signal.unit(), Double.NaN, Double.NaN, Double.NaN, Double.NaN,
                refused.code().code(), refused.missing());
      };
    }
  }

  /** The answer of one review for each objective, whose files lie in a folder. */
  static AlertFigures of(String folder, List<String> files, List<AlertReview> reviews) {
    DerivedAlerts.Validity validity = reviews.getFirst().derived().validity();
    return new AlertFigures(
        folder, files, validity.simulated(), validity.runs(), validity.mixes(),
        validity.windowMillis() / MILLIS,
        Earned.alerts(reviews).stream().map(Alert::of).toList(),
        reviews.stream().flatMap(one -> one.rules().refusals().stream()).distinct().toList(),
        reviews.stream().map(Judged::of).toList());
  }
}
