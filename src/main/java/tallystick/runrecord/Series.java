package tallystick.runrecord;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One time series of an exposition.
 *
 * @param name sample name as exposed, for example {@code vllm:num_preemptions_total}
 * @param labels label names and values, {@code le} included, sorted by name
 * @param type type of the family the sample belongs to
 */
public record Series(String name, SortedMap<String, String> labels, Type type) {

  /** The family types of the Prometheus exposition formats. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY,
    UNTYPED
  }

  public Series {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** A series from unsorted labels. */
  public static Series of(String name, Map<String, String> labels, Type type) {
    return new Series(name, new TreeMap<>(labels), type);
  }

  /** Upper edge of a bucket by its label {@code le}; empty for a text that is not a number. */
  public static OptionalDouble edge(String le) {
    if (le.equals("+Inf") || le.equals("Inf")) {
      return OptionalDouble.of(Double.POSITIVE_INFINITY);
    }
    try {
      double edge = Double.parseDouble(le);
      return Double.isNaN(edge) ? OptionalDouble.empty() : OptionalDouble.of(edge);
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Value of a label, empty if the series does not carry it. */
  public String label(String labelName) {
    return labels.getOrDefault(labelName, "");
  }
}
