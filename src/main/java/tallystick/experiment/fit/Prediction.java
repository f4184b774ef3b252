package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import tallystick.analysis.result.Figure;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * One latency of a run as it was measured, and as a profile predicts it.
 *
 * @param quantity which latency, and where in its distribution
 * @param measured seconds
 * @param predicted seconds, on the engine that fits best
 * @param atItsSpeed seconds, on that engine as fast as the run's own steps were: what is still off
 *     there is the model's fault, or the speed moved within the run
 * @param low lower end of the prediction's 90 % interval, or why there is none
 * @param high its upper end
 */
public record Prediction(
    String quantity, double measured, double predicted, Figure atItsSpeed, Figure low,
    Figure high) {
  private static final double NANOS = 1e9;

  /** Below so many requests a P95 is hardly more than the largest of them. */
  private static final int FEWEST = 60;

  /** How far the prediction is off, as a share of what was measured. */
  public double off() {
    return predicted / measured - 1;
  }

  /** The same on an engine as fast as the run's own steps were; NaN where nobody knows that. */
  public double offAtItsSpeed() {
    return atItsSpeed.orNaN() / measured - 1;
  }

  /** Whether there is an interval. */
  public boolean isBounded() {
    return low instanceof Figure.Known && high instanceof Figure.Known;
  }

  /** Whether what was measured lies in the interval; never without one. */
  public boolean isHeld() {
    return low.orNaN() <= measured && measured <= high.orNaN();
  }

  /**
   * The same requests played on engines.
   *
   * @param best some times on the engine that fits best; their median is the prediction
   * @param own the same on that engine, as fast as the run's own steps were; none where nobody
   *     knows that
   * @param possible on each of those that are possible
   * @param doubt why there are none of these
   */
  public record Played(
      List<List<RequestRow>> best, List<List<RequestRow>> own, List<List<RequestRow>> possible,
      String doubt) {

    private Played of(String phase) {
      return new Played(in(phase, best), in(phase, own), in(phase, possible), doubt);
    }

    private static List<List<RequestRow>> in(String phase, List<List<RequestRow>> plays) {
      return plays.stream()
          .map(rows -> rows.stream().filter(row -> row.phase().equals(phase)).toList())
          .toList();
    }
  }

  /** The latencies of the same requests on both sides, phase by phase; short phases left out. */
  public static Map<String, List<Prediction>> byPhase(List<RequestRow> measured, Played played) {
    Map<String, List<Prediction>> all = new TreeMap<>();
    measured.stream()
        .collect(Collectors.groupingBy(RequestRow::phase))
        .forEach(
            (phase, rows) -> {
              Played twin = played.of(phase);
              if (twin.best().getFirst().size() >= FEWEST) {
                all.put(phase, of(rows, twin));
              }
            });
    return all;
  }

  /** The latencies of the same requests on both sides. */
  static List<Prediction> of(List<RequestRow> measured, Played played) {
    List<Prediction> all = new ArrayList<>();
    for (double level : new double[] {0.5, 0.95}) {
      all.add(of("TTFT", level, measured, played, Prediction::firsts));
    }
    for (double level : new double[] {0.5, 0.95}) {
      all.add(of("ITL", level, measured, played, Prediction::gaps));
    }
    return all;
  }

  private static Prediction of(
      String name,
      double level,
      List<RequestRow> measured,
      Played played,
      Function<List<RequestRow>, DoubleStream> samples) {
    ToDoubleFunction<List<RequestRow>> figure = rows -> at(level, samples.apply(rows));
    DoubleSummaryStatistics possible =
        played.possible().stream().mapToDouble(figure).summaryStatistics();
    double own = median(played.own(), figure);
    Figure none = Figure.missing(played.doubt());
    boolean isBounded = Double.isFinite(possible.getMin()) && Double.isFinite(possible.getMax());
    return new Prediction(
        name + " P" + Math.round(100 * level),
        figure.applyAsDouble(measured),
        median(played.best(), figure),
        Double.isNaN(own) ? Figure.missing("no step of the run could be read") : Figure.of(own),
        isBounded ? Figure.of(possible.getMin()) : none,
        isBounded ? Figure.of(possible.getMax()) : none);
  }

  /** One play's P95 scatters by a tenth where requests queue. */
  private static double median(
      List<List<RequestRow>> plays, ToDoubleFunction<List<RequestRow>> figure) {
    double[] sorted = plays.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static DoubleStream firsts(List<RequestRow> rows) {
    return rows.stream()
        .filter(row -> row.ending().outcome() == Outcome.OK && row.chunks().size() > 0)
        .mapToDouble(row -> row.chunks().arrivalNanos()[0] - row.times().started());
  }

  /** Gaps between chunks, shared out over the tokens that a chunk brings. */
  private static DoubleStream gaps(List<RequestRow> rows) {
    return rows.stream()
        .filter(row -> row.ending().outcome() == Outcome.OK)
        .flatMapToDouble(Prediction::gaps);
  }

  private static DoubleStream gaps(RequestRow row) {
    long[] at = row.chunks().arrivalNanos();
    DoubleStream.Builder gaps = DoubleStream.builder();
    for (int i = 1; i < at.length; i++) {
      int tokens = Math.max(1, row.chunks().tokens()[i]);
      for (int k = 0; k < tokens; k++) {
        gaps.add((at[i] - at[i - 1]) / (double) tokens);
      }
    }
    return gaps.build();
  }

  /** The sample at the upper nearest rank. */
  private static double at(double level, DoubleStream nanos) {
    double[] sorted = nanos.toArray();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(level * sorted.length);
    return sorted.length == 0 ? Double.NaN : sorted[Math.max(1, rank) - 1] / NANOS;
  }
}
