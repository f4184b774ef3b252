package tallystick.alerting.derivation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * What the runs so far have, and what each signal still lacks. A study asks it before it decides
 * what to run next.
 *
 * @param violated windows in which users suffered
 * @param met windows in which they were well
 * @param unprovenWindows windows whose counts prove neither
 * @param runs runs that have windows
 * @param mixes traffic mixes among them
 * @param lacks for each signal what is missing, the reason of a refusal first; nothing where it has
 *     its threshold. Before the windows suffice, only what can be known without them
 */
public record EvidenceSoFar(
    Labelled violated,
    Labelled met,
    int unprovenWindows,
    int runs,
    int mixes,
    Map<Signal, List<UnmetRequirement>> lacks) {

  /**
   * Windows of one label.
   *
   * @param windows how many
   * @param steps from how many different steps
   */
  public record Labelled(int windows, int steps) {}

  public EvidenceSoFar {
    lacks = Map.copyOf(lacks);
  }

  static EvidenceSoFar of(WindowTable rows, List<SignalOutcome> outcomes) {
    LabelledTable table = LabelledTable.of(rows);
    Map<Signal, List<UnmetRequirement>> lacks = new EnumMap<>(Signal.class);
    for (SignalOutcome outcome : outcomes) {
      lacks.put(
          outcome.signal(),
          switch (outcome) {
            case Derived derived -> List.of();
            case Refused refused -> refused.lacks();
          });
    }
    return new EvidenceSoFar(
        labelled(table, Verdict.MISSED),
        labelled(table, Verdict.MET),
        table.windows(Verdict.NOT_JUDGED),
        table.runs(),
        table.mixes(),
        lacks);
  }

  private static Labelled labelled(LabelledTable table, Verdict label) {
    return new Labelled(table.windows(label), table.steps(label));
  }

  /** Whether a signal has its threshold. */
  public boolean isEarned(Signal signal) {
    return lacks.getOrDefault(signal, List.of()).isEmpty() && lacks.containsKey(signal);
  }
}
