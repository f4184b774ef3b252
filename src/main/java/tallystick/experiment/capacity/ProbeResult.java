package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import tallystick.experiment.JournalEntry;

/**
 * What one finished probe says; one line of the journal.
 *
 * @param probe what was asked for
 * @param elapsedSeconds how long it took, waiting for a quiet engine included
 * @param judged requests that count and could be judged
 * @param good those of them that kept every limit
 * @param load how the engine bore it
 * @param trust whether its figures may be used
 * @param doubt why not; where they may, that requests failed or answers were cut short, or empty
 * @param figures what a reader sees of it; unknown of a probe that an older tally noted
 */
@JsonIgnoreProperties("crowding") // earlier builds noted it; nothing asks for it any more
record ProbeResult(
    Probe probe,
    double elapsedSeconds,
    long judged,
    long good,
    Load load,
    Trust trust,
    String doubt,
    ProbeFigures figures)
    implements JournalEntry {
  /**
   * Of the journal's lines: one more whenever what a decision rests on changes. Figures that are
   * only shown are unknown of older lines, and the search goes on.
   */
  static final int FORMAT = 5;

  ProbeResult {
    figures = figures == null ? ProbeFigures.UNKNOWN : figures;
  }

  /** Whether a probe's figures may be used. */
  enum Trust {
    TRUSTED,
    /** They may, but the engine did not tell all that would be checked. */
    PARTLY_CHECKED,
    /** The client itself was late: a faster one could tell more. */
    CLIENT_SATURATED,
    /** The server failed every request: because of the rate, if a lower one holds. */
    ALL_FAILED,
    NOT_TRUSTED;

    boolean isUsable() {
      return this == TRUSTED || this == PARTLY_CHECKED;
    }
  }

  /**
   * How the engine bore the load.
   *
   * @param meanInFlight requests in flight, over the time it measured; one that was stopped before
   *     it did, over the time it was loaded
   * @param completedPerSecond requests that ended well, over the same time
   * @param overloaded whether requests piled up
   * @param settlingSeconds load after which such requests, or conversations, have filled an engine;
   *     0 where none ended
   * @param runningMost most requests that the engine ran at once; -1 where nobody told
   * @param waitingMost most requests waiting in the engine; -1 where nobody told
   * @param kvCacheMost largest share of the KV cache in use; -1 where nobody told
   * @param preempted requests put back by the engine; -1 where nobody told
   * @param tokensPerRequest mean output tokens, of a conversation those of all its answers; 0 where
   *     nobody counted them
   * @param joulesPerToken energy of the GPUs for each output token; 0 where nobody measured it
   * @param gpus how many GPUs that energy is of; 0 where nobody told
   * @param goodTokenShare share of the output tokens that are of good requests; 0 where none is, or
   *     not every answer told its tokens
   * @param measuredSeconds how long requests that count came: less than was asked for where the
   *     probe was stopped early; 0 where none came, or an older tally noted it
   * @param arrivals requests, or conversations, that came in that time; 0 where none came, or an
   *     older tally noted it
   */
  record Load(
      double meanInFlight,
      double completedPerSecond,
      boolean overloaded,
      double settlingSeconds,
      double runningMost,
      double waitingMost,
      double kvCacheMost,
      double preempted,
      double tokensPerRequest,
      double joulesPerToken,
      int gpus,
      double goodTokenShare,
      double measuredSeconds,
      long arrivals) {
    /** A load of which nothing is known. */
    static final Load UNKNOWN = new Load(0, 0, false, 0, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0);
  }

  /**
   * The same probes, where those of which every request failed count as rates that did not hold, if
   * the server had worked before and they lie above a rate that held: then the load is the matter.
   * Those before anything worked, as of a server that still loads its model, do not count, and
   * neither do those beside one at a rate that held: the server was down.
   *
   * @param share of the requests that must be good
   */
  static List<ProbeResult> judged(List<ProbeResult> done, double share) {
    double held = held(done, share).orElse(Double.POSITIVE_INFINITY);
    List<ProbeResult> judged = new ArrayList<>();
    boolean hasWorked = false;
    int next = 0;
    while (next < done.size()) {
      int end = next;
      boolean isAbove = true;
      while (end < done.size() && !done.get(end).isTrusted()) {
        ProbeResult one = done.get(end);
        isAbove &= one.trust != Trust.ALL_FAILED || one.probe.perSecond() > held;
        end++;
      }
      boolean counts = hasWorked && isAbove;
      for (ProbeResult one : done.subList(next, end)) {
        judged.add(counts && one.trust == Trust.ALL_FAILED ? one.counting() : one);
      }
      if (end < done.size()) {
        judged.add(done.get(end));
        hasWorked = true;
      }
      next = end + 1;
    }
    return judged;
  }

  /** The highest rate that held; empty if none did. */
  static OptionalDouble held(List<ProbeResult> done, double share) {
    return done.stream()
        .filter(one -> one.isTrusted() && one.holds(share))
        .mapToDouble(one -> one.probe().perSecond())
        .max();
  }

  private ProbeResult counting() {
    return new ProbeResult(
        probe, elapsedSeconds, judged, good, load, Trust.TRUSTED, doubt, figures);
  }

  /** Whether it was a closed loop: then it tells nothing of a rate that holds. */
  @JsonIgnore
  boolean isBurst() {
    return probe.users() > 0;
  }

  boolean isTrusted() {
    return trust.isUsable();
  }

  /** How long requests that count came; where nobody knows, how long they should have. */
  double measuredSeconds() {
    return load.measuredSeconds() > 0 || judged == 0
        ? load.measuredSeconds()
        : probe.measuredSeconds();
  }

  /** Share of the judged requests that were good; none judged is none good. */
  double goodShare() {
    return judged == 0 ? 0 : (double) good / judged;
  }

  /** Whether as many were good as asked for; what one run shows, and no proof. */
  boolean holds(double share) {
    return !isBurst() && judged > 0 && good >= share * judged - 1e-9;
  }

  /**
   * The good part of the rate that was offered. Requests over seconds would be wrong of a run that
   * was stopped early: it measured for less time than it was asked to.
   */
  double goodputPerSecond() {
    return probe.perSecond() * goodShare();
  }
}
