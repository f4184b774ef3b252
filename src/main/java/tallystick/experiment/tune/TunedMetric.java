package tallystick.experiment.tune;

import java.util.List;
import java.util.Map;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Formatted;

/** What a choice of settings trades: a cost of each run, of which less is better. */
enum TunedMetric {
  /** The only one of which more is better; its cost is its logarithm with the other sign. */
  GOODPUT("goodput", ComparedMetric.GOODPUT),
  ITL_P99("ITL P99", ComparedMetric.ITL_P99),
  TTFT_P95("TTFT P95", ComparedMetric.TTFT_P95),
  /** Preemptions per finished request; often none, so no logarithm. */
  PREEMPTIONS("preemptions", ComparedMetric.COMPLETED);

  /**
   * Less of a difference than this share makes no setting better than another: without it every
   * cell that a noise of 0.1 % sets apart is on the front. Source:
   * docs/decisions/experiment-tune-in-blocks.md.
   */
  static final double WORTH = 0.03;

  /** Preemptions per request of which the same holds. */
  static final double PREEMPTED = 0.01;

  private static final String PREEMPTIONS_PER_REQUEST = "preemptions per request";

  private final String words;
  private final ComparedMetric metric;

  TunedMetric(String words, ComparedMetric metric) {
    this.words = words;
    this.metric = metric;
  }

  String words() {
    return words;
  }

  /** A run's cost; not a number where the run does not tell. */
  double cost(ComparedRun run) {
    return switch (this) {
      case GOODPUT -> -Math.log(goodput(run));
      case ITL_P99, TTFT_P95 -> Math.log(percentile(run));
      case PREEMPTIONS -> run.engine().getOrDefault(PREEMPTIONS_PER_REQUEST, Double.NaN);
    };
  }

  /** A run's percentile in seconds; not a number where the run does not tell. */
  double percentile(ComparedRun run) {
    return run.metrics().getOrDefault(metric, Double.NaN);
  }

  /** The figure that a cost stands for. */
  double figure(double cost) {
    return switch (this) {
      case GOODPUT -> Math.exp(-cost);
      case ITL_P99, TTFT_P95 -> Math.exp(cost);
      case PREEMPTIONS -> cost;
    };
  }

  /** A mean cost with its ends as figures, the lower end first. */
  SmallSampleStatistics.Gain figure(SmallSampleStatistics.Gain cost) {
    double low = figure(cost.low());
    double high = figure(cost.high());
    return new SmallSampleStatistics.Gain(
        figure(cost.value()), Math.min(low, high),
        Math.max(low, high));
  }

  /** The figure in its unit. */
  String text(double figure) {
    return switch (this) {
      case GOODPUT -> Formatted.of("%.3g/s", figure);
      case ITL_P99, TTFT_P95 ->
          figure < 1
              ? Formatted.of("%.3g ms", 1e3 * figure)
              : Formatted.of("%.3g s", figure);
      case PREEMPTIONS -> Formatted.of("%.2g", Math.max(0, figure));
    };
  }

  /** From a run's figure to another's, in their unit: one figure where they read the same. */
  String text(double least, double most) {
    return Numbers.span(text(least), text(most));
  }

  /** Whether it is a percentile of a run's requests, of which several have no mean. */
  boolean isPercentile() {
    return this == ITL_P99 || this == TTFT_P95;
  }

  /** The head of its map. */
  String title() {
    return switch (this) {
      case GOODPUT -> "Goodput (requests/s that keep every objective)";
      case ITL_P99, TTFT_P95 -> words + " (middle run; least to most)";
      case PREEMPTIONS -> "Preemptions per request";
    };
  }

  /** Costs that differ by less count as equal. */
  double tolerance() {
    return switch (this) {
      case GOODPUT, ITL_P99, TTFT_P95 -> Math.log(1 + WORTH);
      case PREEMPTIONS -> PREEMPTED;
    };
  }

  /** Goodput; where no request was good, what one would have made it. */
  static double goodput(ComparedRun run) {
    Map<ComparedMetric, Double> metrics = run.metrics();
    boolean isNone =
        run.missing().getOrDefault(ComparedMetric.GOODPUT, "").equals(ComparedRun.ZERO);
    return isNone && run.load().requests() > 0
        ? run.load().offeredPerSecond() / run.load().requests()
        : metrics.getOrDefault(ComparedMetric.GOODPUT, Double.NaN);
  }

  /** The mean of these runs' shares; NaN without any. */
  static double goodShare(List<ComparedRun> runs) {
    return runs.stream().mapToDouble(TunedMetric::goodShare).average().orElse(Double.NaN);
  }

  /** The share of its requests that kept every objective. */
  static double goodShare(ComparedRun run) {
    boolean isNone =
        run.missing().getOrDefault(ComparedMetric.GOOD_SHARE, "").equals(ComparedRun.ZERO);
    return isNone ? 0 : run.metrics().getOrDefault(ComparedMetric.GOOD_SHARE, Double.NaN);
  }
}
