package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.Signal;
import tallystick.promql.Expression;
import tallystick.promql.PromqlParser;
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
    List<RefusedAlert> refusals) {

  /**
   * One rule.
   *
   * @param alert whether it alerts; otherwise it records
   * @param name the alert's name or the recorded metric
   * @param expression PromQL, may have several lines
   * @param holdMillis {@code for}; 0 for none
   * @param keepMillis {@code keep_firing_for}; 0 for none
   * @param labels by name, so that the same runs give the same file
   * @param annotations in their order
   * @param evidence comment lines above it
   * @param promise what an alert promises the users of the server it watches
   * @param signal whose threshold it holds
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
      AlertExpectation promise,
      Optional<Signal> signal) {

    /** A rule of no one signal's threshold. */
    public Rule(
        boolean alert, String name, String expression, long holdMillis, long keepMillis,
        Map<String, String> labels, Map<String, String> annotations, List<String> evidence,
        AlertExpectation promise) {
      this(
          alert, name, expression, holdMillis, keepMillis, labels, annotations, evidence, promise,
          Optional.empty());
    }

    public Rule {
      labels = Collections.unmodifiableMap(new TreeMap<>(labels));
      annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
      evidence = List.copyOf(evidence);
    }

    /** Whether its threshold comes from runs; burn rates follow from the objective. */
    public boolean isLearned() {
      return !name.contains("BudgetBurn");
    }

    /** The same with more lines of evidence and more annotations. */
    Rule and(List<String> more, Map<String, String> moreAnnotations) {
      List<String> lines = new ArrayList<>(evidence);
      lines.addAll(more);
      Map<String, String> notes = new LinkedHashMap<>(annotations);
      notes.putAll(moreAnnotations);
      return new Rule(
          alert, name, expression, holdMillis, keepMillis, labels, notes, lines, promise,
          signal);
    }

    private RuleGroup.Rule evaluable() {
      Expression read = PromqlParser.parse(expression);
      return alert
          ? new RuleGroup.Alert(name, read, holdMillis, keepMillis, labels)
          : new RuleGroup.Recording(name, read, labels);
    }

    static Rule recording(String name, String expression) {
      return new Rule(
          false, name, expression, 0, 0, Map.of(), Map.of(), List.of(), AlertExpectation.NONE);
    }
  }

  public RuleSet {
    header = List.copyOf(header);
    rules = List.copyOf(rules);
    refusals = List.copyOf(refusals);
  }

  /** Where an alert's entry begins on the page of the runbook: one for all its thresholds. */
  public static String anchor(String alert) {
    return "#" + alert.replaceFirst("\\d+[mu]?s(p\\d+)?$", "").toLowerCase(Locale.ROOT);
  }

  /** The same rules with more lines in their head. */
  public RuleSet headed(List<String> more) {
    List<String> lines = new ArrayList<>(header);
    lines.addAll(more);
    return new RuleSet(lines, group, intervalMillis, rules, refusals);
  }

  /** The same rules, each alert with more lines of evidence and more annotations. */
  public RuleSet noted(
      Function<Rule, List<String>> evidence, Function<Rule, Map<String, String>> annotations) {
    List<Rule> noted =
        rules.stream()
            .map(
                rule ->
                    rule.alert() ? rule.and(evidence.apply(rule), annotations.apply(rule)) : rule)
            .toList();
    return new RuleSet(header, group, intervalMillis, noted, refusals);
  }

  /** The alerts among the rules. */
  public List<Rule> alerts() {
    return rules.stream().filter(Rule::alert).toList();
  }

  /** The groups to evaluate. */
  public List<RuleGroup> evaluable() {
    List<RuleGroup.Rule> evaluable = rules.stream().map(Rule::evaluable).toList();
    return List.of(new RuleGroup(group, intervalMillis, evaluable));
  }
}
