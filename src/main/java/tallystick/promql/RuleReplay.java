package tallystick.promql;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.promql.Value.Element;

/**
 * Evaluates rule groups over a store as Prometheus would have while the samples arrived. Recorded
 * series and {@code ALERTS} are added to the store, with staleness markers where they vanish.
 */
public final class RuleReplay {
  private final SeriesStore store;
  private final PrometheusVersion version;
  private final List<RuleGroup> groups;
  private final Map<RuleGroup.Alert, AlertState> states = new LinkedHashMap<>();
  private final Map<RuleGroup.Rule, Set<Labels>> shown = new LinkedHashMap<>();
  private PromqlEvaluator evaluator;

  /**
   * A replay.
   *
   * @param store the samples; those after an evaluation's time are not seen by it
   * @param groups evaluated in this order at every step
   */
  public RuleReplay(SeriesStore store, PrometheusVersion version, List<RuleGroup> groups) {
    this.store = store;
    this.version = version;
    this.evaluator = new PromqlEvaluator(store, version);
    this.groups = List.copyOf(groups);
  }

  /**
   * Evaluates every group from {@code startMillis} to {@code endMillis}, both included.
   *
   * @param defaultMillis interval of groups that name none, and step of subqueries that do so
   * @return every firing, by alert
   */
  public List<Firing> run(long startMillis, long endMillis, long defaultMillis) {
    evaluator = new PromqlEvaluator(store, version, defaultMillis);
    for (long at = startMillis; at <= endMillis; at += step(defaultMillis)) {
      for (RuleGroup group : groups) {
        if ((at - startMillis) % interval(group, defaultMillis) == 0) {
          evaluate(group, at);
        }
      }
    }
    return firings();
  }

  /** Evaluates one group at one moment. */
  public void evaluate(RuleGroup group, long atMillis) {
    for (RuleGroup.Rule rule : group.rules()) {
      Value value = evaluator.evaluate(rule.expression(), atMillis);
      Value.Vector result =
          value instanceof Value.Scalar scalar
              ? new Value.Vector(List.of(new Element(Labels.EMPTY, scalar.value())))
              : (Value.Vector) value;
      store(rule, stored(rule, result, atMillis), atMillis);
    }
  }

  /** Every firing so far. */
  public List<Firing> firings() {
    List<Firing> firings = new ArrayList<>();
    states.values().forEach(state -> firings.addAll(state.firings()));
    return firings;
  }

  private List<Element> stored(RuleGroup.Rule rule, Value.Vector result, long atMillis) {
    return switch (rule) {
      case RuleGroup.Recording recording ->
          result.elements().stream()
              .map(element -> recorded(recording, element))
              .toList();
      case RuleGroup.Alert alert ->
          states.computeIfAbsent(alert, AlertState::new).step(result, atMillis);
    };
  }

  private static Element recorded(RuleGroup.Recording recording, Element element) {
    Labels labels = element.labels().with(Labels.NAME, recording.name());
    return new Element(labels.with(recording.labels()), element.value());
  }

  private void store(RuleGroup.Rule rule, List<Element> elements, long atMillis) {
    Set<Labels> before = shown.getOrDefault(rule, Set.of());
    Set<Labels> present = new HashSet<>();
    for (Element element : elements) {
      store.append(element.labels(), atMillis, element.value());
      present.add(element.labels());
    }
    for (Labels labels : before) {
      if (!present.contains(labels)) {
        store.append(labels, atMillis, StoredSeries.STALE);
      }
    }
    shown.put(rule, present);
  }

  private long step(long defaultMillis) {
    return groups.stream()
        .map(group -> BigInteger.valueOf(interval(group, defaultMillis)))
        .reduce(BigInteger::gcd)
        .map(BigInteger::longValue)
        .orElse(defaultMillis);
  }

  private static long interval(RuleGroup group, long defaultMillis) {
    return group.intervalMillis() > 0 ? group.intervalMillis() : defaultMillis;
  }
}
