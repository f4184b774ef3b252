package tallystick.experiment.tune;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * {@code tune.json}: every figure of a tuning. What is not asked or not known is absent.
 *
 * @param formatVersion version of tune.json
 * @param scenario its name
 * @param engine in words
 * @param outcome recommended, keep_current, too_close, none_holds or not_trusted
 * @param objective what a cell had to hold
 * @param factors the flags and the values that were tried
 * @param current the cell of today
 * @param time how long it took, in words
 * @param blocks that count
 * @param driftedBlocks that do not count, because the machine drifted
 * @param cells in the order of the grid
 * @param predictions what a profile said; absent where none was given
 */
record TuneFigures(
    int formatVersion,
    String scenario,
    String engine,
    String outcome,
    String objective,
    List<DesignSpace.Factor> factors,
    Configuration current,
    String time,
    List<Integer> blocks,
    List<Integer> driftedBlocks,
    @JsonUnwrapped Grounds grounds,
    List<OfCell> cells,
    @JsonInclude(JsonInclude.Include.NON_NULL) Predictions predictions) {
  /** 2: percentiles run by run. */
  static final int FORMAT = 2;

  /**
   * Figures that some ways to end rest on and others do not.
   *
   * @param confirmation what they say
   * @param plain what the blocks say
   * @param ahead of today's
   * @param tradeOff both
   * @param cannotTell what they do not tell
   * @param cell whose engine died in the fresh pairs
   * @param reason why
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Grounds(
      Confirmation confirmation, TuneAnswer.Plain plain, TuneAnswer.Ahead ahead,
      TuneAnswer.TradeOff tradeOff, TuneAnswer.CannotTell cannotTell, Configuration cell,
      String reason) {
    static Grounds of(TuneAnswer end) {
      return new Grounds(
          end instanceof TuneAnswer.Compared one ? one.confirmation() : null,
          end instanceof TuneAnswer.Plain one ? one : null,
          switch (end) {
            case TuneAnswer.MayHold one -> one.ahead();
            case TuneAnswer.NoneHolds one -> one.ahead().orElse(null);
            default -> null;
          },
          end instanceof TuneAnswer.TradeOff one ? one : null,
          end instanceof TuneAnswer.CannotTell one ? one : null,
          end instanceof TuneAnswer.Died one ? one.cell() : null,
          switch (end) {
            case TuneAnswer.Died one -> one.why();
            case TuneAnswer.Untrusted one -> one.why();
            default -> null;
          });
    }
  }

  static List<OfCell> cells(DesignSpace grid, Screening screening) {
    return grid.cells().stream().map(cell -> of(cell, screening)).toList();
  }

  private static OfCell of(Configuration cell, Screening screening) {
    ConfigurationStatus standing = screening.standing(cell.number());
    BlockMeasurements evidence = screening.evidence();
    double goodShare = evidence.goodShare(cell.number());
    return new OfCell(
        cell.settings(), standing.kind().code(),
        standing.chance() >= 0 ? standing.chance() : null,
        standing.why(), evidence.of(cell.number()).size(),
        Double.isFinite(goodShare) ? goodShare : null,
        mean(evidence.figure(cell.number(), TunedMetric.GOODPUT)),
        perRun(evidence.perRun(cell.number(), TunedMetric.ITL_P99)),
        perRun(evidence.perRun(cell.number(), TunedMetric.TTFT_P95)),
        mean(evidence.figure(cell.number(), TunedMetric.PREEMPTIONS)),
        mean(ThroughputTradeOff.TOKENS_PER_SECOND.of(evidence.of(cell.number()))),
        mean(ThroughputTradeOff.TOKENS_PER_SECOND_PER_USER.of(evidence.of(cell.number()))));
  }

  private static Mean mean(SmallSampleStatistics.Gain figure) {
    if (!Double.isFinite(figure.value())) {
      return null;
    }
    List<Double> ends = new ArrayList<>();
    if (figure.hasEnds()) {
      ends.add(figure.low());
      ends.add(figure.high());
    }
    return new Mean(figure.value(), ends);
  }

  private static List<Double> perRun(double[] figures) {
    return figures.length == 0 ? null : DoubleStream.of(figures).boxed().toList();
  }

  /** Null where nothing was predicted. */
  static Predictions predictions(Screening screening) {
    PredictedGrid forecast = screening.forecast();
    if (forecast.plays().isEmpty()) {
      return null;
    }
    List<PredictedGrid.Beside> beside = forecast.beside(screening.evidence());
    return new Predictions(
        true, PredictedGrid.ERROR, forecast.worse(), forecast.check().orElse(null),
        screening.betrayal().orElse(""), beside.size(),
        beside.stream().filter(PredictedGrid.Beside::isWithin).count(), beside);
  }

  /**
   * One cell.
   *
   * @param settings flag → value
   * @param standing where it stands, in words
   * @param chanceOnFront share of resamples in which it is on the front
   * @param why which other setting beats it, or which data are missing
   * @param runs how many count
   * @param goodShare of requests that kept every objective
   * @param goodput requests per second that kept every objective
   * @param itlP99 of each run, the least first: percentiles have no mean; unit: seconds
   * @param ttftP95 of each run, the least first; unit: seconds
   * @param preemptions per finished request
   * @param tokensPerSecond output tokens of the whole engine
   * @param tokensPerSecondPerUser output tokens that one user sees while an answer comes
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OfCell(
      Map<String, String> settings,
      String standing,
      Double chanceOnFront,
      String why,
      int runs,
      Double goodShare,
      @JsonInclude(JsonInclude.Include.NON_NULL) Mean goodput,
      @JsonInclude(JsonInclude.Include.NON_NULL) List<Double> itlP99,
      @JsonInclude(JsonInclude.Include.NON_NULL) List<Double> ttftP95,
      @JsonInclude(JsonInclude.Include.NON_NULL) Mean preemptions,
      @JsonInclude(JsonInclude.Include.NON_NULL) Mean tokensPerSecond,
      @JsonInclude(JsonInclude.Include.NON_NULL) Mean tokensPerSecondPerUser) {}

  /**
   * A mean over blocks.
   *
   * @param interval95 both ends; empty where they are not known
   */
  record Mean(double value, List<Double> interval95) {}

  /**
   * What a profile of the engine predicted.
   *
   * @param simulated always true: nothing of it is measured
   * @param assumedError how far it may be off, as a share
   * @param worse number of a cell → why it is predicted to be worse
   * @param checkCell of these the one that is measured all the same
   * @param betrayedBy what was measured otherwise; empty where nothing was
   * @param compared how many figures were predicted and measured
   * @param withinError how many of them agree
   * @param figures each of them
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Predictions(
      boolean simulated,
      double assumedError,
      Map<Integer, String> worse,
      Integer checkCell,
      String betrayedBy,
      int compared,
      long withinError,
      List<PredictedGrid.Beside> figures) {}
}
