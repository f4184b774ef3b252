package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much worse a candidate may be, and by which metrics it is judged.
 *
 * @param byMetric metric → allowed worsening as a share, for example 0.05
 */
public record NonInferiorityMargins(Map<ComparedMetric, Double> byMetric) {
  /** About one standard deviation of a pair on a small real engine: less costs many pairs. */
  private static final double USUAL = 0.05;

  /**
   * A queue makes more of a slower engine than the engine itself is slower, and the tail of waits
   * differs more between equal runs: five pairs see 10 %, nine see 5 %.
   */
  private static final double TAIL_OF_WAITS = 0.10;

  /** Requests that a release loses are no noise. */
  private static final double LOST = 0.01;

  /** Margins of the metrics that have another than the usual one. */
  private static final Map<ComparedMetric, Double> OWN =
      Map.of(ComparedMetric.TTFT_P95, TAIL_OF_WAITS, ComparedMetric.COMPLETED, LOST);

  /** No margin is larger, as a share. */
  public static final double LARGEST = 10;

  /** Claims beyond these cost every one of them its sharpness. */
  private static final int MOST = 8;

  private static final Pattern TEXT =
      Pattern.compile("([A-Za-z0-9_-]+)\\s*[=:]\\s*(\\d+(?:\\.\\d+)?)\\s*(%?)");

  public NonInferiorityMargins {
    byMetric = inOrder(byMetric);
  }

  private static Map<ComparedMetric, Double> inOrder(Map<ComparedMetric, Double> given) {
    Map<ComparedMetric, Double> all = new EnumMap<>(ComparedMetric.class);
    all.putAll(given);
    return all;
  }

  /** The usual metrics, each with its usual margin. */
  public static NonInferiorityMargins usual() {
    Map<ComparedMetric, Double> all = new EnumMap<>(ComparedMetric.class);
    ComparedMetric.USUAL.forEach(metric -> all.put(metric, OWN.getOrDefault(metric, USUAL)));
    return new NonInferiorityMargins(all);
  }

  /**
   * Margins as people write them, {@code ttft_p95=10%}; those that are named replace the usual
   * ones, and a metric that is not usual joins them.
   *
   * @throws IllegalArgumentException if one cannot be read
   */
  public static NonInferiorityMargins of(List<String> texts) {
    Map<ComparedMetric, Double> all = inOrder(usual().byMetric());
    texts.forEach(text -> put(all, text));
    if (all.size() > MOST) {
      throw new IllegalArgumentException(
          "a comparison is judged by at most " + MOST + " metrics, was " + all.size());
    }
    return new NonInferiorityMargins(all);
  }

  /**
   * The metrics that these name.
   *
   * @throws IllegalArgumentException if one cannot be read
   */
  public static Set<ComparedMetric> named(List<String> texts) {
    Map<ComparedMetric, Double> own = new EnumMap<>(ComparedMetric.class);
    texts.forEach(text -> put(own, text));
    return own.keySet();
  }

  /**
   * Margins of a file, one {@code metric: margin} in each line; {@code #} begins a remark.
   *
   * @throws IllegalArgumentException with file and line, if one cannot be read
   */
  public static List<String> lines(String file, String text) {
    List<String> lines = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String words = line.replaceFirst("#.*", "").strip();
      if (words.isEmpty() || words.equals("---")) {
        continue;
      }
      try {
        put(new EnumMap<>(ComparedMetric.class), words);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ":" + number + ": " + e.getMessage(), e);
      }
      lines.add(words);
    }
    return lines;
  }

  private static void put(Map<ComparedMetric, Double> into, String text) {
    Matcher words = TEXT.matcher(text.strip());
    if (!words.matches()) {
      throw new IllegalArgumentException(
          "a margin is written as ttft_p95=10%, was \"" + text + "\"");
    }
    ComparedMetric metric = ComparedMetric.of(words.group(1));
    double number = Double.parseDouble(words.group(2));
    boolean isShare = words.group(3).isEmpty();
    if (isShare && number >= 1) {
      throw new IllegalArgumentException(
          "\"" + text + "\" would allow a worsening of " + words.group(2) + " times: write "
              + words.group(1) + "=" + words.group(2) + "%");
    }
    double share = isShare ? number : number / 100;
    if (!(share > 0 && share <= LARGEST)) {
      throw new IllegalArgumentException(
          "a margin must be above 0 and at most 1000 %, was \"" + text + "\"");
    }
    into.put(metric, share);
  }

  /** The same without a metric that no run has. */
  NonInferiorityMargins without(ComparedMetric metric) {
    Map<ComparedMetric, Double> all = inOrder(byMetric);
    all.remove(metric);
    return new NonInferiorityMargins(all);
  }

  /** The same where the engine's own pace sets the rate: in a closed loop, or in overload. */
  NonInferiorityMargins atItsOwnPace() {
    Map<ComparedMetric, Double> all = inOrder(byMetric);
    all.putIfAbsent(ComparedMetric.OUTPUT_RATE, USUAL);
    return new NonInferiorityMargins(all);
  }

  /** The text by which a journal knows them; it holds the name that the type had in format 2. */
  public String asJournalsKnowThem() {
    return "Margins[byMetric=" + byMetric + "]";
  }
}
