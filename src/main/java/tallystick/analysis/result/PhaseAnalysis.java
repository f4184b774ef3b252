package tallystick.analysis.result;

import java.util.List;

/**
 * One phase of the plan judged apart.
 *
 * @param phase its name
 * @param startSeconds start after the window's origin
 * @param endSeconds end after it
 * @param offeredPerSecond the plan's rate; missing where it has no constant rate
 * @param ramp whether it is a part of a ramp, and that rate its mean
 * @param requests requests of it that ended
 * @param ok those that ended well
 * @param ttft client TTFT from the intended start
 * @param e2e client E2E from the intended start
 * @param largestGaps largest gap of each request
 * @param chunkGaps every chunk gap
 * @param steady whether and from when it is steady
 * @param overload whether requests in flight grew without end
 * @param changes places inside it where TTFT changed its level
 * @param objectives the objectives over this phase's requests
 * @param goodput its requests that kept every limit of every objective at once
 */
public record PhaseAnalysis(
    String phase,
    double startSeconds,
    double endSeconds,
    Figure offeredPerSecond,
    boolean ramp,
    long requests,
    long ok,
    Distribution ttft,
    Distribution e2e,
    Distribution largestGaps,
    Distribution chunkGaps,
    SteadyState steady,
    Overload overload,
    List<ChangePoint> changes,
    List<ObjectiveResult> objectives,
    PhaseGoodput goodput) {

  /** Why a phase has no offered rate. */
  public static final String NO_RATE = "no constant rate";

  /**
   * The requests of this phase that kept every limit of every objective, as {@link Goodput} has
   * them of the run, from the intended start.
   *
   * @param good how many did; a failed request does not
   * @param judged requests of which anybody can tell
   * @param share good over judged; missing where so few were judged that it says nothing
   * @param requestsPerSecond the offered rate, of conversations that of their requests, times the
   *     share; missing where there is no constant rate
   */
  public record PhaseGoodput(long good, long judged, Figure share, Figure requestsPerSecond) {}

  /**
   * Whether TTFT keeps one level once the engine has filled.
   *
   * @param verdict whether it does
   * @param cutRequests requests that ended while the engine filled; whole batches of them
   * @param cutSeconds when it had filled, after the window's origin
   * @param mean mean TTFT of the requests that ended later, with a 95 % interval over batches of
   *     them; missing where there is no steady state
   * @param text one sentence
   */
  public record SteadyState(
      Verdict verdict, Figure cutRequests, Figure cutSeconds, Interval mean, String text) {

    /** Whether TTFT keeps one level. */
    public enum Verdict implements Choice {
      STEADY,
      NO_STEADY_STATE,
      TOO_FEW
    }
  }

  /**
   * Whether requests in flight grew over the phase: slope of twelve batch means.
   *
   * @param verdict whether they did
   * @param slopePerSecond requests in flight gained per second
   * @param pValue one-sided
   * @param relativeGrowth slope times phase length over mean
   * @param text one sentence
   */
  public record Overload(
      Verdict verdict, Figure slopePerSecond, Figure pValue, Figure relativeGrowth, String text) {

    /** Whether requests pile up. */
    public enum Verdict implements Choice {
      OVERLOADED,
      NO_GROWTH_SEEN,
      CANNOT_TELL
    }
  }

  /**
   * A place where TTFT changed its level.
   *
   * @param atSeconds after the window's origin
   * @param before mean before it, in seconds
   * @param after mean after it, in seconds
   * @param pValue by permutation
   */
  public record ChangePoint(double atSeconds, double before, double after, double pValue) {}

  public PhaseAnalysis {
    changes = List.copyOf(changes);
    objectives = List.copyOf(objectives);
  }

  /** Its objectives together. */
  public Judgement judgement() {
    return ObjectiveResult.together(objectives);
  }
}
