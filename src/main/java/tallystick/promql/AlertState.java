package tallystick.promql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.promql.Value.Element;

/**
 * The state machine of one alert rule: inactive, pending, firing; one instance for each set of
 * labels its expression yields.
 */
public final class AlertState {
  private static final String ALERTS = "ALERTS";

  private final RuleGroup.Alert rule;
  private final Map<Labels, Instance> active = new LinkedHashMap<>();
  private final List<Firing> ended = new ArrayList<>();

  /** One that is inactive. */
  public AlertState(RuleGroup.Alert rule) {
    this.rule = rule;
  }

  private static final class Instance {
    private final long activeMillis;
    private long firedMillis = Firing.STILL;
    private long goneMillis = Firing.STILL;

    private Instance(long activeMillis) {
      this.activeMillis = activeMillis;
    }

    private boolean isFiring() {
      return firedMillis != Firing.STILL;
    }
  }

  /**
   * Takes in one evaluation.
   *
   * @return the elements of the {@code ALERTS} series after it
   */
  public List<Element> step(Value.Vector result, long atMillis) {
    Map<Labels, Instance> next = new LinkedHashMap<>();
    for (Element element : result.elements()) {
      Labels labels = alertLabels(element.labels());
      Instance instance = active.getOrDefault(labels, new Instance(atMillis));
      if (next.put(labels, instance) != null) {
        throw new PromqlException("several results for alert " + labels, rule.expression().at());
      }
      instance.goneMillis = Firing.STILL;
    }
    active.forEach(
        (labels, instance) -> {
          if (!next.containsKey(labels) && keep(labels, instance, atMillis)) {
            next.put(labels, instance);
          }
        });
    active.clear();
    active.putAll(next);
    List<Element> alerts = new ArrayList<>();
    active.forEach(
        (labels, instance) -> {
          if (!instance.isFiring() && atMillis - instance.activeMillis >= rule.holdMillis()) {
            instance.firedMillis = atMillis;
          }
          alerts.add(new Element(state(labels, instance), 1));
        });
    return alerts;
  }

  /** Every firing so far; those that last are {@link Firing#STILL}. */
  public List<Firing> firings() {
    List<Firing> firings = new ArrayList<>(ended);
    active.forEach(
        (labels, instance) -> {
          if (instance.isFiring()) {
            firings.add(firing(labels, instance, Firing.STILL));
          }
        });
    return firings;
  }

  private boolean keep(Labels labels, Instance instance, long atMillis) {
    if (!instance.isFiring()) {
      return false;
    }
    if (instance.goneMillis == Firing.STILL) {
      instance.goneMillis = atMillis;
    }
    if (atMillis - instance.goneMillis < rule.keepFiringMillis()) {
      return true;
    }
    ended.add(firing(labels, instance, atMillis));
    return false;
  }

  private Firing firing(Labels labels, Instance instance, long resolvedMillis) {
    return new Firing(
        rule.name(), labels, instance.activeMillis, instance.firedMillis, resolvedMillis);
  }

  private Labels alertLabels(Labels element) {
    return element.withoutName().with(rule.labels()).with("alertname", rule.name());
  }

  private static Labels state(Labels labels, Instance instance) {
    return labels
        .with(Labels.NAME, ALERTS)
        .with("alertstate", instance.isFiring() ? "firing" : "pending");
  }
}
