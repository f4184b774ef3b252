package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/**
 * One latency of a run as it was measured, and as a profile predicts it.
 *
 * @param quantity which latency, and where in its distribution
 * @param measured seconds
 * @param predicted seconds
 */
public record Prediction(String quantity, double measured, double predicted) {
  private static final double NANOS = 1e9;

  /** Below so many requests a P95 is hardly more than the largest of them. */
  private static final int FEWEST = 60;

  /** How far the prediction is off, as a share of what was measured. */
  public double off() {
    return predicted / measured - 1;
  }

  /** The latencies of the same requests on both sides, phase by phase; short phases left out. */
  public static Map<String, List<Prediction>> byPhase(
      List<RequestRow> measured, List<RequestRow> predicted) {
    Map<String, List<RequestRow>> played =
        predicted.stream().collect(Collectors.groupingBy(RequestRow::phase));
    Map<String, List<Prediction>> all = new TreeMap<>();
    measured.stream()
        .collect(Collectors.groupingBy(RequestRow::phase))
        .forEach(
            (phase, rows) -> {
              List<RequestRow> twin = played.getOrDefault(phase, List.of());
              if (twin.size() >= FEWEST) {
                all.put(phase, of(rows, twin));
              }
            });
    return all;
  }

  /** The latencies of the same requests on both sides. */
  static List<Prediction> of(List<RequestRow> measured, List<RequestRow> predicted) {
    List<Prediction> all = new ArrayList<>();
    for (double level : new double[] {0.5, 0.95}) {
      String rank = " P" + Math.round(100 * level);
      all.add(
          new Prediction(
              "TTFT" + rank, at(level, firsts(measured)), at(level, firsts(predicted))));
    }
    for (double level : new double[] {0.5, 0.95}) {
      String rank = " P" + Math.round(100 * level);
      all.add(
          new Prediction("ITL" + rank, at(level, gaps(measured)), at(level, gaps(predicted))));
    }
    return all;
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
