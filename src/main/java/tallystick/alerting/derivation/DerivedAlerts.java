package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
 * @param table the windows that all of it rests on
 */
public record DerivedAlerts(
    AlertRequest request,
    EdgeChoice edge,
    List<SignalOutcome> outcomes,
    Map<Signal, Long> holdMillis,
    SignalQuery query,
    Validity validity,
    LoadEnvelope envelope,
    WindowTable table) {

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
                    outcome instanceof SignalOutcome.Derived one
                        ? new SignalOutcome.Derived(
                            one.signal(), factor * one.threshold(), one.urgency(), one.evidence())
                        : outcome)
            .toList();
    return new DerivedAlerts(
        request, edge, scaled, holdMillis, query, validity, envelope, table);
  }

  /** The windows in which a signal has a value and requests were judged, by rising value. */
  public List<SignalWindow> windows(Signal signal) {
    List<SignalWindow> windows = new ArrayList<>();
    for (LabelledWindow window : table.all()) {
      WindowRow row = window.row();
      double value = row.signal(signal);
      if (Double.isFinite(value) && row.observed() > 0) {
        double bad = 1 - (double) row.good() / row.observed();
        windows.add(new SignalWindow(value, bad, window.label()));
      }
    }
    windows.sort(Comparator.comparingDouble(SignalWindow::value));
    return windows;
  }

  /** Those that have a threshold. */
  public List<SignalOutcome.Derived> derived() {
    return outcomes(SignalOutcome.Derived.class).toList();
  }

  /** A signal's threshold, if it has one. */
  public Optional<SignalOutcome.Derived> derived(Signal signal) {
    return outcomes(SignalOutcome.Derived.class).filter(one -> one.signal() == signal).findFirst();
  }

  /** Why a signal has no threshold, if it has none. */
  public Optional<SignalOutcome.Refused> refused(Signal signal) {
    return outcomes(SignalOutcome.Refused.class).filter(one -> one.signal() == signal).findFirst();
  }

  private <T extends SignalOutcome> Stream<T> outcomes(Class<T> kind) {
    return outcomes.stream().filter(kind::isInstance).map(kind::cast);
  }
}
