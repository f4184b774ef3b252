package tallystick.alerting.derivation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

  /**
   * The query of a signal over a range; empty where the engine does not expose what it needs.
   *
   * @param range for example {@code 5m}
   */
  public Optional<String> of(Signal signal, String range) {
    return switch (signal) {
      case BAD_RATIO -> badRatio(range);
      case TTFT_P95, ITL_P95, TPOT_P95, QUEUE_P95 ->
          quantile("0.95", signal.histogram().orElseThrow(), range);
      case TTFT_P99, ITL_P99, QUEUE_P99 ->
          quantile("0.99", signal.histogram().orElseThrow(), range);
      case WAITING_MEAN -> over("sum", "avg_over_time", MetricConcept.WAITING, range);
      case WAITING_MAX -> over("sum", "max_over_time", MetricConcept.WAITING, range);
      case RUNNING_MEAN -> over("sum", "avg_over_time", MetricConcept.RUNNING, range);
      case WAITING_PER_RUNNING ->
          ratio(
              over("sum", "avg_over_time", MetricConcept.WAITING, range),
              over("sum", "avg_over_time", MetricConcept.RUNNING, range));
      case KV_MEAN -> over("max", "avg_over_time", MetricConcept.KV_CACHE_USAGE, range);
      case KV_MAX -> over("max", "max_over_time", MetricConcept.KV_CACHE_USAGE, range);
      case PREEMPTIONS_PER_FINISHED ->
          ratio(
              over("sum", "increase", MetricConcept.PREEMPTIONS, range),
              over("sum", "increase", MetricConcept.REQUEST_SUCCESS, range));
      case PROMPT_TOKENS_RATE -> over("sum", "rate", MetricConcept.PROMPT_TOKENS, range);
      case GENERATION_TOKENS_RATE -> over("sum", "rate", MetricConcept.GENERATION_TOKENS, range);
    };
  }

  /** Share of events above the objective's edge. */
  public Optional<String> badRatio(String range) {
    return ofLatency(
        family ->
            "1 - (%s / %s)".formatted(good("rate", family, range), all("rate", family, range)));
  }

  /** The same, and nothing where there are no events at all. */
  public Optional<String> badRatioOfAny(String range) {
    return ofLatency(
        family ->
            "1 - %s / (%s > 0)".formatted(good("rate", family, range), all("rate", family, range)));
  }

  /** Number of events above the objective's edge. */
  public Optional<String> badEvents(String range) {
    return ofLatency(
        family -> all("increase", family, range) + " - " + good("increase", family, range));
  }

  /** Number of events of the objective's histogram. */
  public Optional<String> events(String range) {
    return ofLatency(family -> all("increase", family, range));
  }

  private Optional<String> ofLatency(Function<String, String> query) {
    return names.family(latency).map(query);
  }

  private String good(String function, String family, String range) {
    String matchers = scope.isEmpty() ? edgeMatcher() : scope + "," + edgeMatcher();
    return over("sum", function, family + "_bucket{" + matchers + "}", range);
  }

  /** A whole edge is stored as {@code 1.0}, and as {@code 1} where OpenTelemetry wrote it. */
  public String edgeMatcher() {
    String text = names.edgeText(latency, edge);
    return text.matches("\\d+(\\.0)?")
        ? "le=~\"" + text.replace(".0", "") + "(\\\\.0)?\""
        : "le=\"" + text + "\"";
  }

  private String all(String function, String family, String range) {
    return over("sum", function, scoped(family + "_count"), range);
  }

  private Optional<String> quantile(String level, MetricConcept concept, String range) {
    String labels = grouping.isEmpty() ? "" : ", " + String.join(", ", grouping);
    return names
        .family(concept)
        .map(
            family ->
                "histogram_quantile(%s, sum by (le%s) (rate(%s[%s])))"
                    .formatted(level, labels, scoped(family + "_bucket"), range));
  }

  private Optional<String> over(
      String across, String function, MetricConcept concept, String range) {
    return names.family(concept).map(family -> over(across, function, scoped(family), range));
  }

  /** An aggregation of what each series did, for example the sum of counters' rates. */
  private String over(String across, String function, String selector, String range) {
    String labels = grouping.isEmpty() ? "" : " by (" + String.join(", ", grouping) + ") ";
    return "%s%s(%s(%s[%s]))".formatted(across, labels, function, selector, range);
  }

  /** One over another, where that is more than 0; empty without one of them. */
  private static Optional<String> ratio(Optional<String> above, Optional<String> below) {
    return above.flatMap(a -> below.map(b -> a + " / (" + b + " > 0)"));
  }
}
