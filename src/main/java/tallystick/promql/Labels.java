package tallystick.promql;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The labels of one series, sorted by name; the metric name is the label {@code __name__}. */
public final class Labels {
  /** The label that holds the metric name. */
  public static final String NAME = "__name__";

  /** A series without labels. */
  public static final Labels EMPTY = new Labels(new TreeMap<>());

  private final SortedMap<String, String> values;
  private final int hash;

  private Labels(TreeMap<String, String> values) {
    this.values = Collections.unmodifiableSortedMap(values);
    this.hash = values.hashCode();
  }

  /** Labels from a map; an empty value is the same as no label. */
  public static Labels of(Map<String, String> values) {
    TreeMap<String, String> copy = new TreeMap<>(values);
    copy.values().removeIf(String::isEmpty);
    return new Labels(copy);
  }

  /** Labels of the metric {@code name}. */
  public static Labels of(String name, Map<String, String> others) {
    return of(others).with(NAME, name);
  }

  /** Names and values, sorted. */
  public SortedMap<String, String> values() {
    return values;
  }

  /** The metric name, empty if there is none. */
  public String name() {
    return get(NAME);
  }

  /** A label's value, empty if the series does not carry it. */
  public String get(String label) {
    return values.getOrDefault(label, "");
  }

  /** The same labels with one more, or another value for it. */
  public Labels with(String label, String value) {
    TreeMap<String, String> copy = new TreeMap<>(values);
    if (value.isEmpty()) {
      copy.remove(label);
    } else {
      copy.put(label, value);
    }
    return new Labels(copy);
  }

  /** The same labels with those of {@code others} added or replaced. */
  public Labels with(Map<String, String> others) {
    if (others.isEmpty()) {
      return this;
    }
    TreeMap<String, String> copy = new TreeMap<>(values);
    copy.putAll(others);
    return of(copy);
  }

  /** The labels without the metric name. */
  public Labels withoutName() {
    return values.containsKey(NAME) ? with(NAME, "") : this;
  }

  /** Only the labels named. */
  public Labels only(Collection<String> names) {
    TreeMap<String, String> copy = new TreeMap<>();
    for (String label : names) {
      String value = values.get(label);
      if (value != null) {
        copy.put(label, value);
      }
    }
    return new Labels(copy);
  }

  /** All labels but those named. */
  Labels without(Collection<String> names) {
    TreeMap<String, String> copy = new TreeMap<>(values);
    copy.keySet().removeAll(names);
    return new Labels(copy);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Labels labels && hash == labels.hash && values.equals(labels.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** As Prometheus writes it, for example {@code up{job="vllm"}}. */
  @Override
  public String toString() {
    return name()
        + values.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(NAME))
            .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
  }

  /** A string literal of PromQL. */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
