package tallystick.analysis.result;

/**
 * How near the load client was to what it can do. Cores are those of its busiest seconds: of twenty
 * seconds one used more.
 *
 * @param verdict whether it could have sent more
 * @param text one sentence or two that say so and why
 * @param cores how many cores it may use
 * @param busiestCores cores it used
 * @param busiestMachineCores cores that everything on its machine used
 * @param delay which of its delays came nearest to the allowed one; empty if none was judged
 * @param delaySeconds that delay
 * @param allowedSeconds the delay from which the run is invalid
 * @param mostInFlight most requests in flight at once, as noted each second
 */
public record ClientLimit(
    Verdict verdict,
    String text,
    Figure cores,
    Figure busiestCores,
    Figure busiestMachineCores,
    String delay,
    Figure delaySeconds,
    double allowedSeconds,
    Figure mostInFlight) {

  /** Whether the client could have sent more. */
  public enum Verdict implements Choice {
    /** Its cores and its delays leave room for as much again. */
    ROOM_FOR_TWICE,
    /** It kept up, and twice as much is not shown. */
    NOT_THE_LIMIT,
    NEAR,
    REACHED,
    CANNOT_TELL
  }
}
