package tallystick.experiment.tune;

import java.util.List;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;

/** The other trade that engines are bought by: tokens of all users against those of one. */
enum ThroughputTradeOff {
  /** Output tokens per second of the whole engine. */
  TOKENS_PER_SECOND,
  /** Output tokens per second that one user sees while an answer comes. */
  TOKENS_PER_SECOND_PER_USER;

  /** Over a cell's runs. */
  SmallSampleStatistics.Gain of(List<ComparedRun> runs) {
    return SmallSampleStatistics.interval(
        runs.stream().mapToDouble(this::of).filter(Double::isFinite).toArray());
  }

  private double of(ComparedRun run) {
    return switch (this) {
      case TOKENS_PER_SECOND ->
          run.metrics().getOrDefault(ComparedMetric.OUTPUT_RATE, Double.NaN);
      case TOKENS_PER_SECOND_PER_USER ->
          1 / run.metrics().getOrDefault(ComparedMetric.TPOT_MEAN, Double.NaN);
    };
  }
}
