package tallystick.alerting.derivation;

import java.util.List;
import java.util.Optional;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;

/** What a derivation says of one signal. */
public sealed interface SignalOutcome {

  /** The signal. */
  Signal signal();

  /** All that is known to be missing, the reason of a refusal first; nothing of a threshold. */
  default List<UnmetRequirement> lacks() {
    return List.of();
  }

  /**
   * A threshold that holds.
   *
   * @param threshold the alert fires above it
   * @param urgency of an alert on it
   * @param evidence what it rests on
   */
  record Derived(Signal signal, double threshold, AlertSeverity urgency, Evidence evidence)
      implements SignalOutcome {}

  /**
   * No threshold.
   *
   * @param lacks everything that is known to be missing; the first is the reason
   */
  record Refused(Signal signal, List<UnmetRequirement> lacks) implements SignalOutcome {
    public Refused {
      lacks = List.copyOf(lacks);
    }

    /** Which condition failed. */
    public RefusalCode code() {
      return lacks.getFirst().need().code();
    }

    /** The number that failed, and what was needed. */
    public String missing() {
      return lacks.getFirst().sentence();
    }
  }

  /**
   * What a threshold rests on.
   *
   * @param healthyWindows windows that met the target
   * @param violatedWindows windows that violated it
   * @param unprovenWindows windows left out because their counts prove neither
   * @param area probability that a violated window shows more than a healthy one
   * @param areaLow lower end of its 90 % interval
   * @param areaHigh upper end of it
   * @param thresholdLow lower end of the threshold's 90 % interval
   * @param thresholdHigh upper end of it
   * @param clearLevel the largest value of a healthy window
   * @param byRun answers on runs left out
   * @param byMix answers on mixes left out; missing with one mix
   */
  record Evidence(
      int healthyWindows,
      int violatedWindows,
      int unprovenWindows,
      double area,
      double areaLow,
      double areaHigh,
      double thresholdLow,
      double thresholdHigh,
      double clearLevel,
      HeldOut byRun,
      Optional<HeldOut> byMix) {}
}
