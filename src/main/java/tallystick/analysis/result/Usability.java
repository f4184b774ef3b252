package tallystick.analysis.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the figures of a run may be used for, and why for no more. Every command that uses a run
 * asks this one rule, so that a run is never good for one of them and bad for another.
 *
 * @param use what they may be used for
 * @param spoilers the findings that forbid more, a saturated client last; empty where nothing does,
 *     or nothing but a ledger that is not closed
 * @param ledger whether client and engine counts match; what nobody compared forbids nothing
 */
public record Usability(Use use, List<Finding> spoilers, Reconciliation.Verdict ledger) {

  /** How far figures may be used. */
  public enum Use {
    /** Counts, latencies and verdicts. */
    EVERYTHING,
    /** Counts and verdicts: the client's own delay is in latencies, and turns no verdict. */
    VERDICTS,
    /** Counts alone: the client was late, and its own delay is in every latency. */
    COUNTS,
    NOTHING
  }

  public Usability {
    spoilers = List.copyOf(spoilers);
  }

  /** The judgement of an analysed run. */
  public static Usability of(RunAnalysis analysis) {
    Reconciliation.Verdict ledger = analysis.reconciliation().verdict();
    List<Finding> invalid =
        analysis.findings().stream()
            .filter(finding -> finding.severity() == Finding.Severity.INVALID)
            // A client that was late as well neither made requests fail nor rows be missing.
            .sorted(Comparator.comparing(Usability::isLateClient))
            .toList();
    boolean isOpen = ledger == Reconciliation.Verdict.NOT_RECONCILED;
    if (invalid.isEmpty() && isOpen) {
      return new Usability(Use.NOTHING, died(analysis), ledger);
    }
    if (invalid.isEmpty()) {
      List<Finding> late = analysis.findings().stream().filter(Usability::isLateClient).toList();
      return new Usability(late.isEmpty() ? Use.EVERYTHING : Use.VERDICTS, late, ledger);
    }
    boolean isLateAlone = !isOpen && invalid.stream().allMatch(Usability::isLateClient);
    return new Usability(isLateAlone ? Use.COUNTS : Use.NOTHING, invalid, ledger);
  }

  /** Whether counts may be used: of a client that was late nothing else. */
  public boolean isForCounts() {
    return use != Use.NOTHING;
  }

  /** Whether verdicts may be used. */
  public boolean isForVerdicts() {
    return use == Use.EVERYTHING || use == Use.VERDICTS;
  }

  /** Whether latencies may be used, and so everything. */
  public boolean isForLatencies() {
    return use == Use.EVERYTHING;
  }

  /** Whether the client's own delay is in latencies, and nothing else is the matter. */
  public boolean isRough() {
    return use == Use.VERDICTS || use == Use.COUNTS;
  }

  /** Whether all that both sides should count was compared, and agrees. */
  public boolean isComparedInFull() {
    return switch (ledger) {
      case RECONCILED, RECONCILED_WITH_TOLERANCE -> true;
      case RECONCILED_IN_PART, NOT_RECONCILED, NOT_CHECKED -> false;
    };
  }

  /** Whether both sides were compared and counted differently. */
  public boolean isLedgerOpen() {
    return ledger == Reconciliation.Verdict.NOT_RECONCILED;
  }

  /** What forbids more, with its cause where that is known; empty where nothing does. */
  public Optional<String> reason() {
    return spoilers.stream()
        .map(Finding::withCause)
        .findFirst()
        .or(() -> isLedgerOpen() ? Optional.of(OPEN) : Optional.empty());
  }

  private static final String OPEN = "client and engine did not count the same";

  private static boolean isLateClient(Finding finding) {
    return finding.code() == Finding.Code.CLIENT_SATURATED;
  }

  /** An engine that died is what left a ledger open, where nothing else did. */
  private static List<Finding> died(RunAnalysis analysis) {
    return analysis.findings().stream()
        .filter(finding -> finding.code() == Finding.Code.ENGINE_DIED)
        .toList();
  }
}
