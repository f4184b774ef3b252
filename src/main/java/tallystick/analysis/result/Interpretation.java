package tallystick.analysis.result;

import java.util.List;
import java.util.Set;

/**
 * Which way the evidence points: triage, never proof, never one verdict.
 *
 * @param available whether there is a reference to compare with
 * @param absence why not; empty when available
 * @param reference what the signals are compared with, in words
 * @param judged what they are judged in, in words
 * @param changes what became of the means, part by part
 * @param circumstances load, lengths, cache and preemptions of both periods
 * @param signals the state of each signal; shown beside the changes, they decide nothing
 * @param directions likely directions, the best supported first; may be empty
 * @param stamp what the ledger says of both sides
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
    Stamp stamp) {
  /** Named together only where it is not known what a prompt token costs: it is one of them. */
  private static final Set<DirectionCode> EITHER =
      Set.of(DirectionCode.SLOW_PREFILL, DirectionCode.PREFILL_IN_MORE_STEPS);

  /**
   * One signal against its reference.
   *
   * @param name which
   * @param state what can be said
   * @param ratio judged over reference
   * @param evidence lines of value, reference, interval and series
   */
  public record Signal(SignalName name, State state, Interval ratio, List<String> evidence) {
    public Signal {
      evidence = List.copyOf(evidence);
    }
  }

  /** The signals. */
  public enum SignalName implements Choice {
    CLIENT_TTFT,
    CLIENT_ITL,
    ENGINE_TTFT,
    QUEUE,
    ENGINE_ITL
  }

  /** What can be said of a signal. */
  public enum State implements Choice {
    HIGH,
    STABLE,
    LOW,
    UNKNOWN
  }

  /**
   * A likely direction.
   *
   * @param code which
   * @param text the likely cause as a phrase, without a full stop
   * @param parts the parts that grew and that it explains, the largest share first
   * @param evidence for it
   * @param contrary against it, or what would have to be so and is not known
   * @param nextChecks what to look at next
   * @param runbook anchor in docs/runbook.md
   */
  public record Direction(
      DirectionCode code,
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

  /** The directions. */
  public enum DirectionCode implements Choice {
    ENGINE_STOOD_STILL,
    SATURATION,
    FOREIGN_LOAD,
    FEWER_ENGINES,
    OFFERED_LOAD_BEYOND_CAPACITY,
    MORE_LOAD,
    FEWER_AT_ONCE,
    BURSTY_ARRIVALS,
    MORE_TO_PREFILL,
    LONGER_ANSWERS,
    FEWER_TOKENS_PER_STEP,
    SLOW_DECODE,
    SLOW_PREFILL,
    PREFILL_IN_MORE_STEPS,
    API_SERVER,
    OUTSIDE_ENGINE,
    CONNECTING,
    CLIENT_LATE
  }

  /**
   * A part that grew.
   *
   * @param quantity TTFT or E2E
   * @param part which part of the change's waterfall
   * @param rise in seconds
   * @param share of the quantity's rise
   */
  public record Grown(Latency quantity, WaitPart part, Interval rise, double share) {}

  public Interpretation {
    changes = List.copyOf(changes);
    circumstances = List.copyOf(circumstances);
    signals = List.copyOf(signals);
    directions = List.copyOf(directions);
  }

  /** The best supported direction, with the other one where nothing tells the two apart. */
  public List<Direction> foremost() {
    boolean isOneOfTwo = !directions.isEmpty() && EITHER.contains(directions.getFirst().code());
    return directions.stream()
        .filter(one -> one == directions.getFirst() || isOneOfTwo && EITHER.contains(one.code()))
        .toList();
  }

  /** No interpretation, and why. */
  public static Interpretation absent(String why) {
    return new Interpretation(
        false, why, "", "", List.of(), List.of(), List.of(), List.of(), Stamp.NONE);
  }
}
