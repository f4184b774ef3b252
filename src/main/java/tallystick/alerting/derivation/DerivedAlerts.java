package tallystick.alerting.derivation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the runs allow to say.
 *
 * @param request what was asked
 * @param edge the edge that stands for the objective
 * @param outcomes one for each signal
 * @param holdMillis {@code for} of the signals that have a threshold
 * @param query the signals' PromQL with the user's grouping
 * @param validity what the thresholds are valid for
 * @param envelope how slowly a healthy engine decodes at most
 */
public record DerivedAlerts(
    AlertRequest request,
    EdgeChoice edge,
    List<SignalOutcome> outcomes,
    Map<Signal, Long> holdMillis,
    SignalQuery query,
    Validity validity,
    LoadEnvelope envelope) {

  /** Without a look at how slowly the engine decodes at which load. */
  public DerivedAlerts(
      AlertRequest request,
      EdgeChoice edge,
      List<SignalOutcome> outcomes,
      Map<Signal, Long> holdMillis,
      SignalQuery query,
      Validity validity) {
    this(request, edge, outcomes, holdMillis, query, validity, LoadEnvelope.NONE);
  }

  /**
   * What the thresholds rest on and hold for.
   *
   * @param runs names of the runs
   * @param text versions, model, settings and mixes, for a reader
   * @param simulated whether any run was of the simulated engine
   * @param mixes how many mixes there were
   * @param windowMillis length of the windows
   */
  public record Validity(
      List<String> runs, String text, boolean simulated, int mixes, long windowMillis) {
    public Validity {
      runs = List.copyOf(runs);
    }
  }

  public DerivedAlerts {
    outcomes = List.copyOf(outcomes);
    holdMillis = holdMillis.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(holdMillis));
  }

  /** The same with every threshold so many times as high: what a wrong one would be. */
  public DerivedAlerts scaled(double factor) {
    List<SignalOutcome> scaled =
        outcomes.stream()
            .<SignalOutcome>map(
                outcome ->
                    switch (outcome) {
                      case SignalOutcome.Derived one ->
                          new SignalOutcome.Derived(
                              one.signal(), factor * one.threshold(), one.urgency(),
                              one.evidence());
                      case SignalOutcome.Refused refused -> refused;
                    })
            .toList();
    return new DerivedAlerts(request, edge, scaled, holdMillis, query, validity, envelope);
  }

  /** A signal's threshold, if it has one. */
  public Optional<SignalOutcome.Derived> derived(Signal signal) {
    return outcomes.stream()
        .filter(outcome -> outcome.signal() == signal)
        .filter(SignalOutcome.Derived.class::isInstance)
        .map(SignalOutcome.Derived.class::cast)
        .findFirst();
  }

  /** Why a signal has no threshold, if it has none. */
  public Optional<SignalOutcome.Refused> refused(Signal signal) {
    return outcomes.stream()
        .filter(outcome -> outcome.signal() == signal)
        .filter(SignalOutcome.Refused.class::isInstance)
        .map(SignalOutcome.Refused.class::cast)
        .findFirst();
  }
}
