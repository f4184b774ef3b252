package tallystick.alerting.derivation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.runrecord.MetricConcept;

/**
 * The PromQL of each signal: the same text measures a window here and stands in a rule later.
 *
 * @param names what the engine calls its metrics
 * @param grouping labels to keep, for example cluster and model_name; may be empty
 * @param latency the histogram the objective is about
 * @param edge the objective's edge in that histogram, in seconds
 * @param scope matchers that every selector has, for example {@code model_name="m"}; may be empty
 */
public record SignalQuery(
    EngineNames names, List<String> grouping, MetricConcept latency, double edge, String scope) {
  /** What a metric means, its name where an engine has none, its part, its own matchers. */
  private static final Pattern GAP = Pattern.compile("<(\\w+)(?:\\|(\\w+))?>(\\w*)(\\{?)");

  /** Rates of all events of the objective's histogram, and of those that kept it. */
  private static final String ALL = "sum<by>(rate(<LATENCY>_count[<range>]))";

  private static final String GOOD = "sum<by>(rate(<LATENCY>_bucket{<good>}[<range>]))";

  public SignalQuery {
    grouping = List.copyOf(grouping);
  }

  /** A query of every series there is. */
  public SignalQuery(
      EngineNames names, List<String> grouping, MetricConcept latency, double edge) {
    this(names, grouping, latency, edge, "");
  }

  /**
   * A form of PromQL with this engine's metrics, as the forms say how; empty where it does not
   * expose one of them.
   *
   * @param words what else stands in angle brackets
   */
  public Optional<String> filled(String form, Map<String, String> words) {
    boolean isKnown = GAP.matcher(form).results().allMatch(gap -> in(gap, words).isPresent());
    return isKnown
        ? Optional.of(
            GAP.matcher(form)
                .replaceAll(gap -> Matcher.quoteReplacement(in(gap, words).orElseThrow())))
        : Optional.empty();
  }

  private Optional<String> in(MatchResult gap, Map<String, String> words) {
    if (words.containsKey(gap.group(1))) {
      return Optional.of(words.get(gap.group(1)) + gap.group(3) + gap.group(4));
    }
    return names
        .family(MetricConcept.valueOf(gap.group(1)))
        .or(() -> Optional.ofNullable(gap.group(2)))
        .map(family -> family + gap.group(3))
        .map(name -> gap.group(4).isEmpty() ? scoped(name) : name + "{");
  }

  /** A selector of a metric, within the scope. */
  public String scoped(String metric) {
    return scope.isEmpty() ? metric : metric + "{" + scope + "}";
  }

  /** The query of a signal over a range; empty where the engine does not expose what it needs. */
  public Optional<String> of(Signal signal, String range) {
    return over(range, signal.form());
  }

  /** Share of events above the objective's edge; nothing where there are no events at all. */
  public Optional<String> badRatioOfAny(String range) {
    return over(range, "1 - " + GOOD + " / (" + ALL + " > 0)");
  }

  /** Number of events above the objective's edge. */
  public Optional<String> badEvents(String range) {
    return over(range, (ALL + " - " + GOOD).replace("(rate(", "(increase("));
  }

  /** Number of events of the objective's histogram. */
  public Optional<String> events(String range) {
    return over(range, ALL.replace("(rate(", "(increase("));
  }

  /** A whole edge is stored as {@code 1.0}, and as {@code 1} where OpenTelemetry wrote it. */
  public String edgeMatcher() {
    String text = names.edgeText(latency, edge);
    return text.matches("\\d+(\\.0)?")
        ? "le=~\"" + text.replace(".0", "") + "(\\\\.0)?\""
        : "le=\"" + text + "\"";
  }

  /** A form with the labels it keeps apart, the objective's latency, and what met its edge. */
  private Optional<String> over(String range, String form) {
    Map<String, String> words = new HashMap<>();
    words.put("range", range);
    words.put("by", grouping.isEmpty() ? "" : " by (" + String.join(", ", grouping) + ") ");
    words.put("and", grouping.isEmpty() ? "" : ", " + String.join(", ", grouping));
    if (form.contains("<good>") && names.family(latency).isPresent()) {
      words.put("good", (scope.isEmpty() ? "" : scope + ",") + edgeMatcher());
    }
    return filled(form.replace("<LATENCY>", "<" + latency + ">"), words);
  }
}
