package tallystick.scrape;

/**
 * Whether the engines were idle.
 *
 * @param verdict what was found
 * @param atNanos start of the last of the identical scrapes, the latest of all targets; {@link
 *     #NEVER} if not quiet
 * @param detail what moved or failed, for a reader; empty if there is nothing to say
 */
public record QuietResult(Verdict verdict, long atNanos, String detail) {
  /** A moment that never came. */
  public static final long NEVER = -1;

  /** What waiting for quiet can end with. */
  public enum Verdict {
    /** Counters stood still and nothing ran or waited. */
    QUIET,
    /** Counters stood still long enough, but the gauges did not return to zero. */
    STALE_GAUGE,
    /** Something still moved when the time was up. */
    NOT_QUIET,
    /** A target could not be scraped several times in a row. */
    UNREACHABLE, /** The waiting thread was interrupted; its interrupt flag is set. */ INTERRUPTED;

    boolean isQuiet() {
      return this == QUIET || this == STALE_GAUGE;
    }
  }

  /** Whether a ledger may begin or end at {@link #atNanos}. */
  public boolean isQuiet() {
    return verdict.isQuiet();
  }
}
