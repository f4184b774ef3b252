package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.RunFigures;
import tallystick.analysis.statistics.SampleSet;
import tallystick.answer.words.Numbers;

/**
 * What a reader sees of a probe; no decision rests on it.
 *
 * @param ttft of the requests that are judged, from the intended start; of the whole run where it
 *     was stopped before any
 * @param tpot of the same requests
 * @param tokensPerSecond output tokens; -1 where nobody counted them
 * @param running mean of the requests that the engine ran at once; -1 where nobody told
 * @param waiting mean of the requests that waited in the engine; -1 where nobody told
 * @param limits what the measured requests kept, limit by limit
 * @param firstHalf those of the first half of the measured time that kept all; none where unknown
 * @param requestsPerSession requests that were sent for each session that began; 0 where requests
 *     come alone
 * @param page of its run, seen from the experiment's folder; empty where none is kept
 */
record ProbeFigures(
    Percentiles ttft, Percentiles tpot, double tokensPerSecond, double running, double waiting,
    List<Kept> limits, Kept firstHalf,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double requestsPerSession,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String page) {
  private static final Kept NO_HALF = new Kept("", 0, 0);

  /** Of a probe that an older tally noted. */
  static final ProbeFigures UNKNOWN =
      new ProbeFigures(
          Percentiles.UNKNOWN, Percentiles.UNKNOWN, -1, -1, -1, List.of(), NO_HALF, 0, "");

  ProbeFigures {
    limits = List.copyOf(limits);
    firstHalf = firstHalf == null ? NO_HALF : firstHalf;
    page = page == null ? "" : page;
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

    static Percentiles of(SampleSet judged, Distribution all) {
      return judged.count() > 0 ? at(judged::quantile) : at(all::percentile);
    }

    private static Percentiles at(DoubleFunction<Figure> level) {
      return new Percentiles(
          known(level.apply(0.5).orNaN()), known(level.apply(0.95).orNaN()),
          known(level.apply(0.99).orNaN()));
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

    /** For example {@code TTFT 81 %}: how many kept it. */
    String words() {
      return limit + " " + Numbers.percent(share());
    }
  }

  static ProbeFigures of(
      Percentiles ttft, Percentiles tpot, RunFigures figures, List<Kept> limits, Kept firstHalf,
      double requestsPerSession, String page) {
    return new ProbeFigures(
        ttft, tpot, known(figures.tokensPerSecond().orNaN()), mean(figures.running()),
        mean(figures.waiting()), limits, firstHalf, requestsPerSession, page);
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
