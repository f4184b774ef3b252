package tallystick.analysis.result;

import java.util.List;

/**
 * Which way the evidence points: triage, never proof, never one verdict.
 *
 * @param available whether there is a reference to compare with
 * @param absence why not; empty when available
 * @param reference what the signals are compared with, in words
 * @param judged what they are judged in, in words
 * @param changes what became of the means, part by part
 * @param circumstances load, lengths, cache and preemptions of both stretches
 * @param signals the state of each signal; shown beside the changes, they decide nothing
 * @param directions likely directions, the best supported first; may be empty
 * @param stamp {@code unreconciled} where the ledger says that the two accounts do not agree
 */
public record Interpretation(
    boolean available,
    String absence,
    String reference,
    String judged,
    List<Change> changes,
    List<Contrast> circumstances,
    List<Signal> signals,
    List<Direction> directions,
    String stamp) {

  /**
   * One signal against its reference.
   *
   * @param name client_ttft, engine_ttft, queue, client_itl, engine_itl, …
   * @param state what can be said
   * @param ratio judged over reference
   * @param evidence lines of value, reference, interval and series
   */
  public record Signal(String name, State state, Interval ratio, List<String> evidence) {
    public Signal {
      evidence = List.copyOf(evidence);
    }
  }

  /** What can be said of a signal. */
  public enum State {
    HIGH,
    STABLE,
    LOW,
    UNKNOWN
  }

  /**
   * A likely direction.
   *
   * @param code stable word, for example {@code offered_load_beyond_capacity}
   * @param text one sentence that says "most consistent with"
   * @param parts the parts that grew and that it explains, the largest share first
   * @param evidence for it
   * @param contrary against it, or what would have to be so and is not known
   * @param nextChecks what to look at next
   * @param runbook anchor in docs/runbook.md
   */
  public record Direction(
      String code,
      String text,
      List<Grown> parts,
      List<String> evidence,
      List<String> contrary,
      List<String> nextChecks,
      String runbook) {
    public Direction {
      parts = List.copyOf(parts);
      evidence = List.copyOf(evidence);
      contrary = List.copyOf(contrary);
      nextChecks = List.copyOf(nextChecks);
    }
  }

  /**
   * A part that grew.
   *
   * @param quantity ttft or e2e
   * @param part its name in the change's waterfall
   * @param rise in seconds
   * @param share of the quantity's rise
   */
  public record Grown(String quantity, String part, Interval rise, double share) {}

  public Interpretation {
    changes = List.copyOf(changes);
    circumstances = List.copyOf(circumstances);
    signals = List.copyOf(signals);
    directions = List.copyOf(directions);
  }

  /** No interpretation, and why. */
  public static Interpretation absent(String why) {
    return new Interpretation(
        false, why, "", "", List.of(), List.of(), List.of(), List.of(), "");
  }
}
