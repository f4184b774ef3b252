package tallystick.experiment.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * How crowded a probe's arrivals were, by chance. Two Poisson schedules of one rate differ: in one
 * a few seconds bring many long requests together, in another none do. Most of what fresh runs at
 * one rate differ by comes from there, and the client knows its own schedule. So a run counts at
 * the rate whose usual schedule is as crowded as the one that it had.
 *
 * <p>A request crowds an engine twice: by the tokens it makes the engine compute, and by the room
 * it holds in the KV cache for as long as it is being answered. Which of the two counts depends on
 * which of them the engine ran out of; see {@link NearRuns}.
 *
 * @param compute by output tokens, a prompt's part included
 * @param cache by tokens in the KV cache, added up over the steps of a request
 */
record Crowding(Work compute, Work cache) {
  /** A schedule that nothing is known of counts as a usual one. */
  static final Crowding UNKNOWN = new Crowding(Work.UNKNOWN, Work.UNKNOWN);

  /** How far runs usually lie apart once their crowding is taken out; see {@link RateCurve}. */
  static final double USUAL_BURSTS = 0.07;

  /** What a prompt token costs, in output tokens. */
  private static final double PROMPT = 0.1;

  /** How busy the server of the comparison is at the probe's rate. */
  private static final double BUSY = 0.85;

  private static final int USUAL_REQUESTS = 60_000;
  private static final double[] FACTORS = {0.78, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.17, 1.27};
  private static final int OWN = 4;
  private static final double FARTHEST = 0.2;
  private static final double LEAST_SHARE = 1e-12;

  /**
   * A request of a schedule.
   *
   * @param atSeconds when it was to start, from the begin of the load
   */
  record Arrival(double atSeconds, double promptTokens, double outputTokens) {
    double tokens() {
      return outputTokens + PROMPT * promptTokens;
    }

    /** Each step holds the prompt and what is answered so far. */
    double held() {
      return outputTokens * (promptTokens + outputTokens / 2);
    }
  }

  /**
   * How crowded a schedule was by one kind of work.
   *
   * @param factor the rate whose usual schedule is as crowded, over the probe's own
   * @param mean work of a request; 0 where nothing is known
   */
  record Work(double factor, double mean) {
    private static final Work UNKNOWN = new Work(1, 0);

    boolean isKnown() {
      return mean > 0;
    }

    /** The rate that a probe counts at, where this is the mean work of all probes' requests. */
    double counted(double perSecond, double meanOfAll) {
      return perSecond * factor * mean / meanOfAll;
    }
  }

  /** How crowded a probe's requests were, where a share of them may be bad. */
  static Crowding of(Probe probe, List<Arrival> arrivals, double badShare) {
    List<Arrival> ordered =
        arrivals.stream().sorted(Comparator.comparingDouble(Arrival::atSeconds)).toList();
    return new Crowding(
        of(probe, ordered, Arrival::tokens, badShare), of(probe, ordered, Arrival::held, badShare));
  }

  private static Work of(
      Probe probe, List<Arrival> ordered, ToDoubleFunction<Arrival> of, double badShare) {
    double mean = ordered.stream().mapToDouble(of).average().orElse(0);
    if (mean == 0 || ordered.getLast().atSeconds() < probe.settleSeconds()) {
      return Work.UNKNOWN;
    }
    double scale = BUSY / probe.perSecond() / mean;
    double[] work = ordered.stream().mapToDouble(one -> of.applyAsDouble(one) * scale).toArray();
    double[] at = ordered.stream().mapToDouble(Arrival::atSeconds).toArray();
    double[] usual = new double[FACTORS.length];
    double limit = usual(probe, work, FACTORS[OWN]).logLimit(badShare);
    for (int i = 0; i < usual.length; i++) {
      usual[i] = logShare(usual(probe, work, FACTORS[i]), limit);
    }
    double off = crossing(usual, logShare(new Backlog(at, work, probe.settleSeconds()), limit));
    return new Work(Math.exp(Math.max(-FARTHEST, Math.min(FARTHEST, off))), mean);
  }

  /** A long Poisson schedule of such requests; the same one at every rate, but closer together. */
  private static Backlog usual(Probe probe, double[] work, double factor) {
    SplittableRandom random = new SplittableRandom(~probe.seed());
    double[] at = new double[USUAL_REQUESTS];
    double[] drawn = new double[USUAL_REQUESTS];
    double now = 0;
    for (int i = 0; i < at.length; i++) {
      now -= Math.log(1 - random.nextDouble()) / (probe.perSecond() * factor);
      at[i] = now;
      drawn[i] = work[random.nextInt(work.length)];
    }
    return new Backlog(at, drawn, 0);
  }

  private static double logShare(Backlog backlog, double limit) {
    return Math.log(Math.max(LEAST_SHARE, backlog.share(limit)));
  }

  /** The logarithm of the factor whose usual share is this one. */
  private static double crossing(double[] usual, double logShare) {
    int left = 0;
    while (left < usual.length - 2 && usual[left + 1] < logShare) {
      left++;
    }
    double from = Math.log(FACTORS[left]);
    double part = (logShare - usual[left]) / (usual[left + 1] - usual[left]);
    return from + part * (Math.log(FACTORS[left + 1]) - from);
  }
}
