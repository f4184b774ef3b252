package tallystick.analysis.result;

import java.util.List;

/**
 * Something a reader must know before trusting or acting on the figures.
 *
 * @param code what was found
 * @param severity how it bears on the run
 * @param text one sentence: what is so
 * @param evidence figures behind it, one per line
 * @param remedy what to do; empty where nothing is to be done
 */
public record Finding(
    Code code, Severity severity, String text, List<String> evidence, String remedy) {

  /** How a finding bears on the run. */
  public enum Severity implements Choice {
    /** The measurement cannot be trusted: exit code 4. */
    INVALID,
    /** Some figures are spoiled or missing. */
    WARNING,
    /** Good to know. */
    NOTE
  }

  /** All that can be found, with how it usually bears on a run. */
  public enum Code implements Choice {
    // The record.
    RECORD_DAMAGED(Severity.INVALID),
    RECORD_CHANGED(Severity.INVALID),
    INCOMPLETE_RECORD(Severity.INVALID),
    ROWS_MISSING(Severity.INVALID),
    REQUESTS_WITHOUT_ROW(Severity.INVALID),
    DROPPED_ROWS(Severity.INVALID),
    RECORD_FAULTS(Severity.WARNING),
    REPEATED_ROWS(Severity.WARNING),
    TIMES_OUT_OF_ORDER(Severity.WARNING),
    ROWS_OUT_OF_PLACE(Severity.INVALID),
    ROWS_CONTRADICT(Severity.WARNING),
    MARKS_MISSING(Severity.WARNING),
    PLAN_NOT_SENT(Severity.WARNING),
    PLAN_USED_UP(Severity.WARNING),
    CLOCK_STEPPED(Severity.WARNING),
    // The harness.
    CLIENT_SATURATED(Severity.INVALID),
    CLIENT_NEAR_ITS_LIMIT(Severity.NOTE),
    // What was asked.
    SIMULATED_ENGINE(Severity.NOTE),
    CLOSED_LOOP(Severity.NOTE),
    WARM_CACHE(Severity.WARNING),
    CONCURRENCY_CAP(Severity.NOTE),
    SHORT_NEAR_CAPACITY(Severity.WARNING),
    SEVERAL_ANSWERS(Severity.NOTE),
    NOT_STREAMED(Severity.NOTE),
    HTTP_VERSIONS(Severity.NOTE),
    HTTP2_NOT_SPOKEN(Severity.WARNING),
    PROMPT_LENGTHS(Severity.NOTE),
    ANSWER_LENGTHS(Severity.WARNING),
    ENDED_IN_THINKING(Severity.WARNING),
    // What came back.
    NO_REQUESTS(Severity.INVALID),
    NOTHING_STREAMED(Severity.INVALID),
    NO_REQUEST_SUCCEEDED(Severity.INVALID),
    FAILURES(Severity.WARNING),
    SESSIONS_CUT(Severity.WARNING),
    REQUESTS_RESENT(Severity.NOTE),
    ANSWERS_LEFT_OPEN(Severity.WARNING),
    ODD_STREAMS(Severity.NOTE),
    ANSWERS_AT_ONCE(Severity.NOTE),
    ANSWERS_IN_PIECES(Severity.WARNING),
    FAKE_STREAMING(Severity.WARNING),
    LATE_FIRST_CONTENT(Severity.NOTE),
    MERGED_CHUNKS(Severity.NOTE),
    COALESCED_CHUNKS(Severity.NOTE),
    TOKENS_UNTOLD(Severity.NOTE),
    PERCENTILES_ROUNDED(Severity.NOTE),
    // The two accounts.
    LEDGER_OPEN(Severity.WARNING),
    LEDGER_DIFFERS(Severity.INVALID),
    LEDGER_PARTLY_CHECKED(Severity.NOTE),
    FOREIGN_TRAFFIC(Severity.INVALID),
    ENGINE_COUNTS_LESS(Severity.INVALID),
    ENGINE_SIDE_ABORTS(Severity.INVALID),
    FINISHED_UNREAD(Severity.WARNING),
    PROMPT_TOKENS_DIFFER(Severity.INVALID),
    MULTI_TOKEN_STEPS(Severity.NOTE),
    ACCOUNTS_INCONSISTENT(Severity.INVALID),
    SUCCESS_COUNTER_IS_NO_RATE(Severity.NOTE),
    TIME_OUTSIDE_ENGINE(Severity.WARNING),
    REFUSALS_HIDDEN(Severity.WARNING),
    // The engine.
    ENGINE_DIED(Severity.WARNING),
    ENGINE_STOOD_STILL(Severity.WARNING),
    SPEED_MOVED(Severity.WARNING),
    ENGINE_RESTART(Severity.INVALID),
    NOT_QUIET(Severity.WARNING),
    STALE_GAUGE(Severity.NOTE),
    OTHER_MODELS(Severity.NOTE),
    SEVERAL_API_SERVERS(Severity.NOTE),
    SEVERAL_REPLICAS(Severity.INVALID),
    SAME_ENGINE_TWICE(Severity.INVALID),
    REPLICA_SLOW(Severity.WARNING),
    REPLICAS_UNEVEN(Severity.NOTE),
    TARGETS_CHANGED(Severity.NOTE),
    LABELS_CHANGED(Severity.INVALID),
    // Its metrics.
    NO_ENGINE_ACCOUNT(Severity.WARNING),
    TARGET_NOT_SCRAPED(Severity.WARNING),
    LOST_SCRAPES(Severity.WARNING),
    SERIES_CHURN(Severity.WARNING),
    SERIES_REPEATED(Severity.WARNING),
    PROCESS_COPIES(Severity.NOTE),
    SERIES_LEFT_OUT(Severity.INVALID),
    STORED_SCRAPES(Severity.NOTE),
    SCRAPES_OUT_OF_ORDER(Severity.WARNING),
    FROZEN_EXPORTER(Severity.INVALID),
    FAMILIES_GONE(Severity.INVALID),
    FAMILIES_MISSING(Severity.WARNING),
    IMPOSSIBLE_HISTOGRAM(Severity.INVALID),
    IMPOSSIBLE_VALUES(Severity.WARNING),
    GAUGES_AT_ZERO(Severity.WARNING),
    GAUGE_CONTRADICTS(Severity.WARNING),
    SERVER_CLOCK_STEPPED(Severity.WARNING),
    SERVER_CLOCK_OFFSET(Severity.NOTE),
    // Exporters, GPUs and the points between client and engine.
    EXPORTER_SILENT(Severity.WARNING),
    EXPORTER_RESTARTED(Severity.WARNING),
    EXPORTER_LOST_SCRAPES(Severity.WARNING),
    EXPORTER_STOOD_STILL(Severity.WARNING),
    EXPORTER_NOT_UNDERSTOOD(Severity.NOTE),
    EXPORTER_METRIC_ABSENT(Severity.WARNING),
    GPU_VANISHED(Severity.WARNING),
    GPU_ERROR(Severity.INVALID),
    GPU_ERROR_BEFORE(Severity.NOTE),
    VANTAGE_ORDER(Severity.WARNING);

    private final Severity severity;

    Code(Severity severity) {
      this.severity = severity;
    }
  }

  public Finding {
    evidence = List.copyOf(evidence);
  }

  /** A finding that bears on the run as its code usually does. */
  public Finding(Code code, String text, List<String> evidence, String remedy) {
    this(code, code.severity, text, evidence, remedy);
  }

  /** One with no more behind it than its sentence. */
  public Finding(Code code, String text, String remedy) {
    this(code, text, List.of(), remedy);
  }

  /** One about which nothing can be done. */
  public Finding(Code code, String text) {
    this(code, text, "");
  }

  /** That no request ended well tells little without what came instead. */
  public String withCause() {
    return evidence.isEmpty() ? text : text + " " + evidence.getFirst();
  }
}
