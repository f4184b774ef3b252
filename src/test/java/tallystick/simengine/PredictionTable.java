package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Medians of a real engine beside those the simulated one predicts, with the real one's spread. */
final class PredictionTable {
  private PredictionTable() {}

  /** One shape's results, round by round. */
  static final class Shape {
    private final List<LoadedEngine.Result> real = new ArrayList<>();
    private final List<LoadedEngine.Result> simulated = new ArrayList<>();

    void add(LoadedEngine.Result reality, LoadedEngine.Result simulation) {
      real.add(reality);
      simulated.add(simulation);
    }
  }

  static List<String> lines(Map<String, Shape> shapes) {
    List<String> lines = new ArrayList<>();
    lines.add("| shape | figure | real, median (range over rounds) ms | simulated ms | off |");
    lines.add("|---|---|---|---|---|");
    shapes.forEach(
        (name, shape) -> {
          lines.add(line(name, "TTFT p50", shape, LoadedEngine.Result::ttftMillis));
          lines.add(line(name, "ITL p50", shape, LoadedEngine.Result::itlMillis));
        });
    return lines;
  }

  private static String line(
      String name, String figure, Shape shape, ToDoubleFunction<LoadedEngine.Result> value) {
    double[] real = shape.real.stream().mapToDouble(value).sorted().toArray();
    double[] simulated = shape.simulated.stream().mapToDouble(value).toArray();
    double median = LoadedEngine.median(real);
    double predicted = LoadedEngine.median(simulated);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.2f (%.2f to %.2f) | %.2f | %+.0f %% |",
        name,
        figure,
        median,
        real[0],
        real[real.length - 1],
        predicted,
        100 * (predicted / median - 1));
  }
}
