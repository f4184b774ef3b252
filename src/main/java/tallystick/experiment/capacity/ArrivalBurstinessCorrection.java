package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import tallystick.experiment.JointObjective;
import tallystick.scenario.Objective;

/**
 * How crowded a probe's arrivals were, by chance. Two Poisson schedules of one rate differ: in one
 * a few seconds bring many long requests together, in another none do. Most of what fresh runs at
 * one rate differ by comes from there, and the client knows its own schedule. So a run counts at
 * the rate whose usual schedule is as crowded as the one that it had.
 *
 * <p>What crowds an engine is told by playing both schedules on a {@link StepQueueSimulator} with
 * the costs and the room that the probe showed.
 *
 * @param factor the rate whose usual schedule is as crowded, over the probe's own
 * @param request mean of the probe's requests
 * @param running requests that ran at once
 * @param costs what the engine's steps cost in this probe
 * @param usualLogOdds of a bad request in usual schedules on the server, in steps of
 *     the probe's rate from 0.78 to 1.27 times; empty where nothing is known
 */
record ArrivalBurstinessCorrection(
    double factor, Request request, double running, InferredEngineModel.Costs costs,
    List<Double> usualLogOdds) {
  /** A schedule that nothing is known of counts as a usual one. */
  static final ArrivalBurstinessCorrection UNKNOWN =
      new ArrivalBurstinessCorrection(
          1, new Request(0, 0), 0, new InferredEngineModel.Costs(0, 0, 0, 0, 0, 0), List.of());

  /**
   * A mean request.
   *
   * @param promptTokens that the engine computed
   * @param outputTokens of its answer
   */
  record Request(double promptTokens, double outputTokens) {}

  /**
   * A usual schedule is so many times as long as the probe's own, so that its own chance counts
   * less: of 2,500 requests 20,000 were too few, 60,000 enough (docs/decisions).
   */
  private static final int TIMES_OWN = 24;

  /** A bound of time and memory, which a run of 16,000 requests reaches. */
  private static final int MOST_REQUESTS = 400_000;

  /** Rates of usual schedules over the probe's: closest where most factors lie. */
  static final double[] FACTORS = {0.78, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.17, 1.27};

  /** A larger shift, as a logarithm, is cut: it comes near the ends of {@link #FACTORS}. */
  private static final double FARTHEST = 0.2;

  /** Keeps the logarithm of no bad request finite; no share of a schedule is so small. */
  private static final double LEAST_SHARE = 1e-100;

  /** Keeps the odds of all bad requests finite: one of a million good is above any schedule's. */
  private static final double LEAST_REST = 1e-6;

  /**
   * A request that needs 1.1 times what is allowed is bad in 7 of 8 cases. Softer ones count far
   * from the limit as well; sharper ones are as rare as the bad requests themselves.
   */
  private static final double SHARPNESS = 20;

  /**
   * If tail latencies on the server and on the engine differ by more than this factor, the server
   * does not fit the engine and no correction is applied: with speculative decoding, for example, a
   * step gives several tokens, and every run was shifted by 1.22.
   */
  private static final double MOST_OFF = 2;

  boolean isKnown() {
    return request.promptTokens + request.outputTokens > 0;
  }

  /**
   * A probe as it was played.
   *
   * @param arrivals of all its requests
   * @param used the largest part of a limit that each measured request used, in any order
   * @param engine what the probe shows of it
   * @param engines how many such engines take turns
   */
  record Played(
      Probe probe, List<ArrivedRequest> arrivals, double[] used, InferredEngineModel engine,
      int engines,
      JointObjective objective) {}

  /** How crowded a probe's requests were. */
  static ArrivalBurstinessCorrection of(Played played) {
    Probe probe = played.probe;
    List<ArrivedRequest> own = new ArrayList<>(played.arrivals);
    own.sort((one, other) -> Double.compare(one.atSeconds(), other.atSeconds()));
    if (own.isEmpty() || own.getLast().atSeconds() < probe.settleSeconds()
        || played.used.length == 0) {
      return UNKNOWN;
    }
    Part ownPart = part(played, own, probe.settleSeconds());
    double limit = ownPart.used.length == 0 ? 0 : limit(played, ownPart.used);
    if (!(limit <= MOST_OFF && limit >= 1 / MOST_OFF)) {
      return UNKNOWN;
    }
    double[] usual = new double[FACTORS.length];
    for (int i = 0; i < usual.length; i++) {
      usual[i] = logShare(part(played, usual(played, own, FACTORS[i]), 0).used, limit);
    }
    double off = crossing(usual, logShare(ownPart.used, limit));
    double prompt =
        own.stream().mapToInt(one -> one.promptTokens() - one.cachedTokens()).average().orElse(0);
    double output = own.stream().mapToInt(ArrivedRequest::outputTokens).average().orElse(0);
    return new ArrivalBurstinessCorrection(
        Math.exp(Math.max(-FARTHEST, Math.min(FARTHEST, off))), new Request(prompt, output),
        ownPart.running, played.engine.costs(),
        Arrays.stream(usual).mapToObj(ArrivalBurstinessCorrection::logOdds).toList());
  }

  /**
   * A schedule on the server.
   *
   * @param used the largest part of a limit that each request used, those at the begin left out
   *     and those that no limit is for
   * @param running requests that ran at once
   */
  private record Part(double[] used, double running) {}

  private static Part part(Played played, List<ArrivedRequest> arrivals, double fromSeconds) {
    double[] used = new double[arrivals.size()];
    double running = 0;
    for (int i = 0; i < played.engines; i++) {
      int engine = i;
      int[] places =
          IntStream.range(0, used.length)
              .filter(place -> arrivals.get(place).engine() == engine)
              .toArray();
      List<ArrivedRequest> its = Arrays.stream(places).mapToObj(arrivals::get).toList();
      StepQueueSimulator server =
          new StepQueueSimulator(
              played.engine,
              (index, first, last, gap) ->
                  used[places[index]] =
                      used(played.objective, its.get(index), first, last, gap));
      server.play(its);
      running += server.meanRunning() / played.engines;
    }
    int from = 0;
    while (arrivals.get(from).atSeconds() < fromSeconds) {
      from++;
    }
    double[] limited =
        Arrays.stream(used, from, used.length).filter(one -> !Double.isNaN(one)).toArray();
    return new Part(limited, running);
  }

  /** NaN of a request that no limit is for: nobody judges it on the engine either. */
  private static double used(
      JointObjective objective, ArrivedRequest arrival, double first, double last, double gap) {
    double most = Double.NaN;
    for (Objective limit : objective.limits()) {
      String of = limit.requestClass();
      if (of.isEmpty() || of.equals(arrival.requestClass())) {
        double took =
            switch (limit.metric()) {
              case TTFT -> first - arrival.atSeconds();
              case TPOT -> (last - first) / Math.max(1, arrival.outputTokens() - 1);
              case E2E -> last - arrival.atSeconds();
              case LARGEST_GAP -> gap;
              case ANSWER_TTFT, ITL, ALL ->
                  throw new IllegalStateException("nothing that the engine's steps tell");
            };
        double part = took / limit.thresholdSeconds();
        most = most >= part ? most : part;
      }
    }
    return most;
  }

  /**
   * What a request may use on the server, so that about as many of the probe's are bad there as
   * were: the server need not be as fast as the engine.
   */
  private static double limit(Played played, double[] onServer) {
    long bad = Arrays.stream(played.used).filter(one -> one > 1).count();
    double good = 1 - (double) bad / played.used.length;
    double level = Math.min(played.objective.share(), Math.max(0.5, good));
    return at(level, onServer) / at(level, played.used);
  }

  private static double at(double level, double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(level * sorted.length) - 1)];
  }

  /**
   * A long Poisson schedule of such requests; the same one at every rate, but closer together.
   * Engines take turns as they did in the probe: some may take more of them than others.
   */
  private static List<ArrivedRequest> usual(
      Played played, List<ArrivedRequest> own, double factor) {
    Probe probe = played.probe;
    SplittableRandom random = new SplittableRandom(~probe.seed());
    int count = Math.min(MOST_REQUESTS, TIMES_OWN * own.size());
    List<ArrivedRequest> usual = new ArrayList<>(count);
    double now = 0;
    for (int i = 0; i < count; i++) {
      now -= Math.log(1 - random.nextDouble()) / (probe.perSecond() * factor);
      int engine = own.get(i % own.size()).engine();
      usual.add(own.get(random.nextInt(own.size())).at(now, engine));
    }
    return usual;
  }

  /** The share of requests that use more than that, softly: near the limit some, none for sure. */
  private static double logShare(double[] used, double limit) {
    double bad = 0;
    for (double one : used) {
      bad += 1 / (1 + Math.pow(limit / one, SHARPNESS));
    }
    return Math.log(Math.max(LEAST_SHARE, bad / used.length));
  }

  private static double logOdds(double logShare) {
    return logShare - Math.log(Math.max(LEAST_REST, 1 - Math.exp(logShare)));
  }

  /** The logarithm of the factor whose usual share is this one; 0 where all have the same. */
  private static double crossing(double[] usual, double logShare) {
    int left = 0;
    while (left < usual.length - 2 && usual[left + 1] < logShare) {
      left++;
    }
    if (usual[left + 1] <= usual[left]) {
      return 0;
    }
    double from = Math.log(FACTORS[left]);
    double part = (logShare - usual[left]) / (usual[left + 1] - usual[left]);
    return from + part * (Math.log(FACTORS[left + 1]) - from);
  }
}
