package tallystick.promql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Every series a Prometheus would hold, in memory; not for use by several threads. */
public final class SeriesStore {
  private final Map<Labels, StoredSeries> series = new LinkedHashMap<>();
  private final Map<String, List<StoredSeries>> byName = new LinkedHashMap<>();

  /**
   * Adds one sample.
   *
   * @param labels the series, {@link Labels#NAME} included
   * @param atMillis its time, later than every sample of the series so far
   * @param value may be NaN, infinite or {@link StoredSeries#STALE}
   */
  public void append(Labels labels, long atMillis, double value) {
    series.computeIfAbsent(labels, this::enter).append(atMillis, value);
  }

  /** The same samples of series with other labels. */
  public SeriesStore relabelled(UnaryOperator<Labels> change) {
    SeriesStore copy = new SeriesStore();
    for (StoredSeries one : series.values()) {
      Labels labels = change.apply(one.labels());
      for (int i = 0; i < one.size(); i++) {
        copy.append(labels, one.millis(i), one.value(i));
      }
    }
    return copy;
  }

  private StoredSeries enter(Labels labels) {
    StoredSeries entered = new StoredSeries(labels);
    byName.computeIfAbsent(labels.name(), name -> new ArrayList<>()).add(entered);
    return entered;
  }

  /** Every series in the order it was first seen. */
  public Collection<StoredSeries> all() {
    return List.copyOf(series.values());
  }

  /** The metric names there are. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The series every matcher accepts. */
  public List<StoredSeries> select(List<LabelMatcher> matchers) {
    List<StoredSeries> selected = new ArrayList<>();
    for (StoredSeries candidate : candidates(matchers)) {
      if (matchers.stream().allMatch(matcher -> matcher.accepts(candidate.labels()))) {
        selected.add(candidate);
      }
    }
    return selected;
  }

  private Collection<StoredSeries> candidates(List<LabelMatcher> matchers) {
    for (LabelMatcher matcher : matchers) {
      if (matcher.label().equals(Labels.NAME)
          && matcher.operator() == LabelMatcher.Operator.EQUAL) {
        return byName.getOrDefault(matcher.value(), List.of());
      }
    }
    return series.values();
  }
}
