package tallystick.analysis.result;

import java.util.List;

/**
 * Client stalls beside engine preemptions: what moves together, never what caused what.
 *
 * @param available whether there was enough of both to compare
 * @param absence why not; empty when available
 * @param thresholdSeconds a chunk gap above this is a stall
 * @param stalls stalls of the window
 * @param clientSide stalls that look like a pause of the client: all streams at once, while the
 *     engine went on
 * @param preemptions the engine's preemptions in the window
 * @param lags rank correlation of preemptions with stalls by lag in scrape intervals
 * @param statistic largest correlation over the tested lags
 * @param pValue its p-value by circular shifts, which keep both series' own rhythm
 * @param eventStudy mean stalls around intervals with preemptions, by offset in intervals
 * @param baseline mean stalls far from any preemption
 * @param partial the same correlation with running and waiting taken out
 * @param attributed stalls that ended close enough to a preemption to be its effect
 * @param expected how many would by chance
 * @param attributionP binomial p-value of that many
 * @param verdict what moves together
 * @param text one sentence for the reader
 */
public record StallAnalysis(
    boolean available,
    String absence,
    Figure thresholdSeconds,
    long stalls,
    long clientSide,
    Figure preemptions,
    List<Lag> lags,
    Figure statistic,
    Figure pValue,
    List<Offset> eventStudy,
    Figure baseline,
    Figure partial,
    Figure attributed,
    Figure expected,
    Figure attributionP,
    Verdict verdict,
    String text) {

  /** What stalls and preemptions have to do with each other. */
  public enum Verdict implements Choice {
    RELATED,
    BOTH_FOLLOW_LOAD,
    NOT_RELATED,
    TOO_FEW_EVENTS,
    NOT_CHECKED
  }

  /** Rank correlation at one lag; positive lags are stalls after preemptions. */
  public record Lag(int intervals, Figure correlation) {}

  /** Mean stalls at one offset from an interval with preemptions. */
  public record Offset(int intervals, Interval meanStalls) {}

  public StallAnalysis {
    lags = List.copyOf(lags);
    eventStudy = List.copyOf(eventStudy);
  }

  /** No analysis, and why. */
  public static StallAnalysis absent(Verdict verdict, String why) {
    Figure none = Figure.missing(why);
    return new StallAnalysis(
        false, why, none, 0, 0, none, List.of(), none, none, List.of(), none, none, none, none,
        none, verdict, why);
  }
}
