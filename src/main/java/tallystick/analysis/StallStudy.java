package tallystick.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.BinomialDistribution;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.StallCandidates;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.StallAnalysis;
import tallystick.analysis.result.StallAnalysis.Verdict;
import tallystick.analysis.statistics.EventStudy;
import tallystick.analysis.statistics.RankCorrelation;
import tallystick.analysis.statistics.SampleSet;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/** Lays client stalls beside engine preemptions, interval by interval. */
record StallStudy(
    IntervalGrid grid, MeasuredWindow window, StallCandidates candidates, SampleSet gaps,
    HarnessAccount harness) {
  /** With fewer no p-value can reach 5 %: a peak at one shift shows at its two neighbours, too. */
  private static final int FEWEST_INTERVALS = 60;
  private static final int FEWEST_EVENTS = 5; // of fewer, one stall that is near by chance decides
  private static final int SHOWN_LAG = 4; // Four scrapes on each side of the picture

  /**
   * vLLM counts a preemption with the victim's next token, at the end of the stall: the two fall
   * into one interval, or neighbours where an end lies near a scrape.
   */
  private static final int FIRST_LAG = -1;

  private static final int LAST_LAG = 1; // An effect shows in the same scrape or the next

  /** The usual level; the sentence says "related", not "caused". */
  private static final double P_LIMIT = 0.05;

  /** Share of time near preemptions beyond which nearness is no evidence. */
  private static final double EVERYWHERE = 0.9;

  /**
   * The analysis.
   *
   * @param itl the engine's gap histogram, whose edges the threshold is put on; may have no bucket
   */
  StallAnalysis analyze(List<EngineDistribution.Bucket> itl, boolean lostScrapes) {
    if (gaps.count() == 0) {
      return StallAnalysis.absent(Verdict.NOT_CHECKED, "no gaps between chunks");
    }
    if (candidates.dropped() > 0) {
      return StallAnalysis.absent(Verdict.NOT_CHECKED, "too many long gaps to keep one by one");
    }
    double threshold = threshold(itl);
    long[][] found = candidates.above(Math.round(threshold * 1e9));
    List<long[]> engineSide = new ArrayList<>();
    long clientSide = sides(itl).split(found, engineSide);
    double[] preemptions = grid.growth(EngineColumns.PREEMPTIONS);
    double total = Arrays.stream(preemptions).sum();
    List<Integer> events = EventStudy.events(preemptions);
    String refusal = refusal(events.size(), lostScrapes);
    if (!refusal.isEmpty()) {
      boolean few = !lostScrapes && grid.size() > 0;
      return counted(
          threshold, found.length, clientSide, total,
          few ? Verdict.TOO_FEW_EVENTS : Verdict.NOT_CHECKED,
          refusal);
    }
    return tested(threshold, found.length, clientSide, engineSide, preemptions, events);
  }

  private StallSides sides(List<EngineDistribution.Bucket> itl) {
    double[] edges =
        itl.stream()
            .mapToDouble(EngineDistribution.Bucket::edge)
            .filter(Double::isFinite)
            .toArray();
    return new StallSides(grid, window, candidates.streams(), harness, edges);
  }

  private double threshold(List<EngineDistribution.Bucket> itl) {
    double p99 = gaps.plainQuantileSeconds(0.99);
    double edge =
        itl.stream()
            .mapToDouble(EngineDistribution.Bucket::edge)
            .filter(e -> e >= p99 && !Double.isInfinite(e))
            .min()
            .orElse(p99);
    double median = gaps.plainQuantileSeconds(0.5);
    return Math.max(StallCandidates.FLOOR_NANOS / 1e9, Math.max(edge, 5 * median));
  }

  private String refusal(int events, boolean lostScrapes) {
    if (grid.size() == 0) {
      return "no scrapes under load";
    }
    if (lostScrapes) {
      return "a hole between scrapes, or scrapes that failed, break the series over time";
    }
    if (grid.size() < FEWEST_INTERVALS) {
      return "%s scrape intervals, need %s".formatted(grid.size(), FEWEST_INTERVALS);
    }
    return events < FEWEST_EVENTS
        ? "%s intervals with preemptions, need %s".formatted(events, FEWEST_EVENTS)
        : "";
  }

  private StallAnalysis tested(
      double threshold,
      long stalls,
      long clientSide,
      List<long[]> engineSide,
      double[] preemptions,
      List<Integer> events) {
    double[] perInterval = perInterval(engineSide);
    RankCorrelation.Test test =
        RankCorrelation.circularShift(
            preemptions, perInterval, FIRST_LAG, LAST_LAG, RankCorrelation.ALL_SHIFTS);
    double[] running = grid.gauge(EngineColumns.RUNNING);
    double[] waiting = grid.gauge(EngineColumns.WAITING);
    RankCorrelation.Test partial =
        RankCorrelation.circularShift(
            RankCorrelation.residualRanks(preemptions, running, waiting),
            RankCorrelation.residualRanks(perInterval, running, waiting),
            FIRST_LAG,
            LAST_LAG,
            RankCorrelation.ALL_SHIFTS);
    List<Integer> merged = EventStudy.merged(events);
    double baseline = EventStudy.baseline(perInterval, merged);
    Attribution attribution = attribution(engineSide, events);
    Verdict verdict = verdict(test, partial);
    return new StallAnalysis(
        true, "", Figure.of(threshold), stalls, clientSide,
        Figure.of(Arrays.stream(preemptions).sum()), lags(preemptions, perInterval),
        Figure.of(test.statistic()), Figure.of(test.pValue()),
        merged.size() < FEWEST_EVENTS
            ? List.of()
            : EventStudy.offsets(perInterval, merged),
        merged.size() < FEWEST_EVENTS || Double.isNaN(baseline)
            ? Figure.missing("every interval is near a preemption")
            : Figure.of(baseline),
        Figure.of(partial.statistic()), Figure.of(attribution.near),
        Figure.of(attribution.expected), Figure.of(attribution.pValue), verdict,
        text(verdict, engineSide.size(), attribution));
  }

  private static Verdict verdict(RankCorrelation.Test test, RankCorrelation.Test partial) {
    if (test.pValue() > P_LIMIT || test.statistic() <= 0) {
      return Verdict.NOT_RELATED;
    }
    return partial.pValue() > P_LIMIT ? Verdict.BOTH_FOLLOW_LOAD : Verdict.RELATED;
  }

  private static String text(Verdict verdict, int stalls, Attribution attribution) {
    String counts =
        attribution.share > EVERYWHERE
            ? "nearly every interval has preemptions, so nearness in time says nothing"
            : Formatted.of(
                "%d of %d stalls end within an interval of a preemption, %.1f would by chance",
                attribution.near, stalls, attribution.expected);
    return switch (verdict) {
      case RELATED -> "Stalls move with preemptions: " + counts + ".";
      case BOTH_FOLLOW_LOAD ->
          "Stalls and preemptions both follow the load; beyond it they do not move together: "
              + counts
              + ".";
      case NOT_RELATED, TOO_FEW_EVENTS, NOT_CHECKED ->
          "Stalls do not move with preemptions: " + counts + ".";
    };
  }

  private double[] perInterval(List<long[]> stalls) {
    double[] counts = new double[grid.size()];
    for (long[] stall : stalls) {
      int interval = grid.indexOf(window.secondsAfterOrigin(stall[0]));
      if (interval >= 0) {
        counts[interval]++;
      }
    }
    return counts;
  }

  private record Attribution(long near, double expected, double pValue, double share) {}

  /** Stalls that end within one interval of the scrape that first showed a preemption. */
  private Attribution attribution(List<long[]> stalls, List<Integer> events) {
    boolean[] covered = new boolean[grid.size()];
    for (int event : events) {
      covered[event] = true;
      covered[Math.min(covered.length - 1, event + 1)] = true;
    }
    double coveredSeconds = 0;
    double allSeconds = 0;
    for (int i = 0; i < covered.length; i++) {
      double length = grid.endSeconds(i) - grid.startSeconds(i);
      allSeconds += length;
      coveredSeconds += covered[i] ? length : 0;
    }
    long near = 0;
    long inside = 0;
    for (long[] stall : stalls) {
      int interval = grid.indexOf(window.secondsAfterOrigin(stall[0]));
      inside += interval >= 0 ? 1 : 0;
      near += interval >= 0 && covered[interval] ? 1 : 0;
    }
    double share = coveredSeconds / allSeconds;
    double pValue =
        near == 0
            ? 1
            : 1
                - new BinomialDistribution(null, (int) inside, share)
                    .cumulativeProbability((int) near - 1);
    return new Attribution(near, inside * share, pValue, share);
  }

  private static List<StallAnalysis.Lag> lags(double[] preemptions, double[] stalls) {
    List<StallAnalysis.Lag> lags = new ArrayList<>();
    for (int lag = -SHOWN_LAG; lag <= SHOWN_LAG; lag++) {
      lags.add(new StallAnalysis.Lag(
          lag, Figure.of(RankCorrelation.atLag(preemptions, stalls, lag))));
    }
    return lags;
  }

  private static StallAnalysis counted(
      double threshold, long stalls, long clientSide, double preemptions, Verdict verdict,
      String why) {
    Figure none = Figure.missing(why);
    return new StallAnalysis(
        false, why, Figure.of(threshold), stalls, clientSide, Figure.of(preemptions), List.of(),
        none, none, List.of(), none, none, none, none, none, verdict,
        Formatted.of(
            "%s and %s; not compared: %s.", Counted.of(stalls, "stall", "stalls"),
            Counted.of(Math.round(preemptions), "preemption", "preemptions"), why));
  }
}
