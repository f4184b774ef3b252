package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.alerting.AlertProposal;
import tallystick.alerting.RuleFile;
import tallystick.promql.RuleGroup;

/**
 * A group of recordings and alerts ready to be written, and the alerts that were refused.
 *
 * @param header lines for the file's head: source, validity, warnings
 * @param group name of the group: recordings and their alerts are always in one
 * @param intervalMillis its evaluation interval
 * @param rules recordings first
 * @param refusals alerts without a threshold
 */
public record RuleSet(
    List<String> header,
    String group,
    long intervalMillis,
    List<Rule> rules,
    List<AlertProposal.Refused> refusals) {

  /**
   * One rule.
   *
   * @param alert whether it alerts; otherwise it records
   * @param name the alert's name or the recorded metric
   * @param expression PromQL, may have several lines
   * @param holdMillis {@code for}; 0 for none
   * @param keepMillis {@code keep_firing_for}; 0 for none
   * @param labels in their order
   * @param annotations in their order
   * @param evidence comment lines above it
   * @param promise what an alert promises the users of the server it watches
   */
  public record Rule(
      boolean alert,
      String name,
      String expression,
      long holdMillis,
      long keepMillis,
      Map<String, String> labels,
      Map<String, String> annotations,
      List<String> evidence,
      Promise promise) {
    public Rule {
      labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
      annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
      evidence = List.copyOf(evidence);
    }

    private Rule and(List<String> more) {
      List<String> lines = new ArrayList<>(evidence);
      lines.addAll(more);
      return new Rule(
          alert, name, expression, holdMillis, keepMillis, labels, annotations, lines, promise);
    }

    static Rule recording(String name, String expression) {
      return new Rule(false, name, expression, 0, 0, Map.of(), Map.of(), List.of(), Promise.NONE);
    }
  }

  public RuleSet {
    header = List.copyOf(header);
    rules = List.copyOf(rules);
    refusals = List.copyOf(refusals);
  }

  /** The same rules, their head saying how early they are. */
  RuleSet with(LeadReview lead) {
    List<String> lines = new ArrayList<>(header);
    lines.add("lead time on ramps, seconds before users suffered (negative is late):");
    lead.lines().forEach(line -> lines.add("  " + line));
    return new RuleSet(lines, group, intervalMillis, rules, refusals);
  }

  /** The same rules, each alert with what replays say of it. */
  RuleSet judged(List<AlertReview.Judgement> judgements) {
    List<Rule> judged =
        rules.stream()
            .map(rule -> rule.alert() ? rule.and(MeasuredRecall.evidence(rule, judgements)) : rule)
            .toList();
    return new RuleSet(header, group, intervalMillis, judged, refusals);
  }

  /** The alerts among the rules. */
  public List<Rule> alerts() {
    return rules.stream().filter(Rule::alert).toList();
  }

  /** The groups to evaluate, read back from the text that users get. */
  public List<RuleGroup> evaluable() {
    return RuleFile.read("rules.yaml", RuleSetText.prometheus(this)).evaluable();
  }
}
