package tallystick.analysis.result;

import java.util.List;

/**
 * The ledger: what the client counted against what the engine counted, S1 - S0.
 *
 * @param verdict whether the two accounts agree
 * @param rows R1 to R12 of docs/metrics.md#reconciliation; R1 has one row per finish reason
 */
public record Reconciliation(Verdict verdict, List<Row> rows) {

  /** Whether the accounts agree. */
  public enum Verdict implements Choice {
    /** Every row agrees exactly. */
    RECONCILED,
    /** Rows differ only as client aborts and requests of unknown fate allow. */
    RECONCILED_WITH_TOLERANCE,
    /** What both sides expose agrees, but a side of R1 to R4 or R10 to R12 is unknown. */
    RECONCILED_IN_PART,
    /** Some row differs by more. */
    NOT_RECONCILED,
    /** There is no engine account, or no client account, to compare with. */
    NOT_CHECKED
  }

  /**
   * One line of the ledger.
   *
   * @param id which of docs/metrics.md#reconciliation
   * @param quantity what is counted, in words
   * @param client the client's count
   * @param engine the engine's count, reset-corrected delta
   * @param low smallest allowed engine - client
   * @param high largest allowed engine - client
   * @param status agreement
   * @param source the engine series behind it
   * @param difference engine - client
   */
  public record Row(
      Id id,
      String quantity,
      Figure client,
      Figure engine,
      double low,
      double high,
      Status status,
      String source,
      Figure difference) {}

  /** The ledger's lines. */
  public enum Id implements Choice {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
    R10,
    R11,
    R12;

    /** Whether it is the account of the prefill pool and not of the engines that answer. */
    public boolean isOfPrefill() {
      return compareTo(R10) >= 0;
    }

    @Override
    public String code() {
      return name();
    }
  }

  /** Agreement of one row. */
  public enum Status implements Choice {
    EXACT,
    WITHIN_TOLERANCE,
    DIFFERS,
    NOT_CHECKED
  }

  public Reconciliation {
    rows = List.copyOf(rows);
  }
}
