package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.scenario.Objective;

/**
 * Several objectives in one file: each alert belongs to one of them. An alert that is named after
 * an objective's metric, or that watches it, is that objective's; all others are the first one's.
 * A further objective of the same metric has the alerts that are named after its threshold.
 */
public final class SharedRules {
  private SharedRules() {}

  /**
   * The part of a rule set that belongs to its objective.
   *
   * @param own what the set was derived for
   * @param all the objectives of the file
   */
  public static RuleSet of(RuleSet set, AlertRequest own, List<Objective> all) {
    List<RuleSet.Rule> alerts =
        set.alerts().stream().filter(rule -> isOwned(rule.name(), own, all)).toList();
    List<RuleSet.Rule> rules = new ArrayList<>(alerts);
    List<RuleSet.Rule> recordings =
        set.rules().stream().filter(rule -> !rule.alert()).toList().reversed();
    for (RuleSet.Rule recording : recordings) {
      if (rules.stream().anyMatch(rule -> rule.expression().contains(recording.name()))) {
        rules.addFirst(recording);
      }
    }
    List<RefusedAlert> refusals =
        set.refusals().stream().filter(each -> isOwned(each.alertName(), own, all)).toList();
    return new RuleSet(set.header(), set.group(), set.intervalMillis(), rules, refusals);
  }

  private static boolean isOwned(String alert, AlertRequest own, List<Objective> all) {
    if (!own.mark().isEmpty()) {
      return alert.endsWith(own.mark());
    }
    Optional<Objective> owner =
        all.stream().filter(objective -> isAbout(alert, objective.metric())).findFirst();
    return owner.orElse(all.getFirst()).equals(own.objective());
  }

  private static boolean isAbout(String alert, Objective.Metric metric) {
    String word = metric.name().toUpperCase(Locale.ROOT);
    return alert.startsWith("VLLM" + word)
        || alert.equals("VLLMHigh" + word)
        || alert.equals("VLLMQueueTimeHigh") && metric == Objective.Metric.TTFT;
  }

  /** One set of all rules, each recording once; the first set's group and interval. */
  public static RuleSet merged(List<RuleSet> sets) {
    Set<String> header = new LinkedHashSet<>();
    Map<String, RuleSet.Rule> recordings = new LinkedHashMap<>();
    List<RuleSet.Rule> alerts = new ArrayList<>();
    List<RefusedAlert> refusals = new ArrayList<>();
    for (RuleSet set : sets) {
      header.addAll(set.header());
      set.rules().stream()
          .filter(rule -> !rule.alert())
          .forEach(rule -> recordings.putIfAbsent(rule.name(), rule));
      alerts.addAll(set.alerts());
      refusals.addAll(set.refusals());
    }
    List<RuleSet.Rule> rules = new ArrayList<>(recordings.values());
    rules.addAll(alerts);
    RuleSet first = sets.getFirst();
    return new RuleSet(
        List.copyOf(header), first.group(), first.intervalMillis(), rules, refusals);
  }
}
