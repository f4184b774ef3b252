package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.RunFigures;
import tallystick.experiment.JointObjective;

/**
 * What a reader sees of a probe; no decision rests on it.
 *
 * @param ttft of the whole run, from the intended start
 * @param tpot of the whole run
 * @param tokensPerSecond output tokens; -1 where nobody counted them
 * @param running mean of the requests that the engine ran at once; -1 where nobody told
 * @param waiting mean of the requests that waited in the engine; -1 where nobody told
 * @param limits what the measured requests kept, limit by limit
 * @param firstHalf those of the first half of the measured time that kept all; none where unknown
 * @param requestsPerSession requests that were sent for each session that began; 0 where requests
 *     come alone
 */
record ProbeFigures(
    Percentiles ttft, Percentiles tpot, double tokensPerSecond, double running, double waiting,
    List<Kept> limits, Kept firstHalf,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double requestsPerSession) {
  private static final Kept NO_HALF = new Kept("", 0, 0);

  /** Of a probe that an older tally noted. */
  static final ProbeFigures UNKNOWN =
      new ProbeFigures(Percentiles.UNKNOWN, Percentiles.UNKNOWN, -1, -1, -1, List.of(), NO_HALF);

  /** Of requests that come alone. */
  ProbeFigures(
      Percentiles ttft, Percentiles tpot, double tokensPerSecond, double running, double waiting,
      List<Kept> limits, Kept firstHalf) {
    this(ttft, tpot, tokensPerSecond, running, waiting, limits, firstHalf, 0);
  }

  ProbeFigures {
    limits = List.copyOf(limits);
    firstHalf = firstHalf == null ? NO_HALF : firstHalf;
  }

  /**
   * Three percentiles in seconds; -1 where the run does not tell one.
   *
   * @param p50Seconds half of all took no longer
   * @param p95Seconds 95 in 100 took no longer
   * @param p99Seconds 99 in 100 took no longer
   */
  record Percentiles(double p50Seconds, double p95Seconds, double p99Seconds) {
    static final Percentiles UNKNOWN = new Percentiles(-1, -1, -1);

    private static Percentiles of(Distribution samples) {
      return new Percentiles(at(samples, 0.5), at(samples, 0.95), at(samples, 0.99));
    }

    private static double at(Distribution samples, double level) {
      return known(samples.percentile(level).orNaN());
    }
  }

  /**
   * A limit, and how many requests, or sessions, kept it.
   *
   * @param limit in words, for example {@code TTFT}
   * @param good those that kept it
   * @param judged those that it was for and that could be judged
   */
  record Kept(String limit, long good, long judged) {
    double share() {
      return judged == 0 ? 1 : (double) good / judged;
    }

    /** For example {@code TTFT (81 %)}: how many kept it. */
    String words() {
      return limit + " (" + JointObjective.percent(share()) + ")";
    }
  }

  static ProbeFigures of(
      RunFigures figures, List<Kept> limits, Kept firstHalf, double requestsPerSession) {
    return new ProbeFigures(
        Percentiles.of(figures.ttft()), Percentiles.of(figures.tpot()),
        known(figures.tokensPerSecond().orNaN()), mean(figures.running()),
        mean(figures.waiting()), limits, firstHalf, requestsPerSession);
  }

  private static double mean(Optional<GaugeRange> gauge) {
    return known(gauge.map(GaugeRange::mean).orElse(Double.NaN));
  }

  private static double known(double value) {
    return Double.isFinite(value) ? value : -1;
  }

  /** The limit that the fewest requests kept; empty where each was kept by enough. */
  Optional<Kept> brokenFirst(double share) {
    return limits.stream()
        .filter(one -> one.share() < share)
        .min(Comparator.comparingDouble(Kept::share));
  }
}
