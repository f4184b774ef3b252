package tallystick.alerting.derivation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tallystick.alerting.RuleWords;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.promql.PromqlException;
import tallystick.promql.PromqlParser;
import tallystick.scenario.Objective;

/**
 * What the user wants of the rules.
 *
 * @param objective what the client is judged by, with its target
 * @param grouping labels that stay apart, for example cluster and model_name
 * @param runbookUrl page with an entry for each alert; an alert adds its anchor
 * @param job the scrape job's name in production
 * @param windowMillis length of the windows to derive from; 0 chooses one
 * @param skipMillis beginning of each step that is left out
 * @param intervalMillis evaluation interval of the group
 * @param seed of the bootstrap
 * @param availability share of HTTP requests that must not fail at the server; 0 asks for no alert
 * @param keepFiringMillis {@code keep_firing_for} of alerts on a threshold; 0 leaves it out, as
 *     Prometheus before 2.42 needs
 * @param spelling of the metric names in the rules
 * @param selector further matchers of every selector, for example {@code namespace="prod"}
 * @param mark what tells this objective's names from those of another one of its metric, for
 *     example {@code 300ms}; empty for the first one
 */
public record AlertRequest(
    Objective objective,
    List<String> grouping,
    String runbookUrl,
    String job,
    long windowMillis,
    long skipMillis,
    long intervalMillis,
    long seed,
    double availability,
    long keepFiringMillis,
    Spelling spelling,
    String selector,
    String mark) {
  /** Long enough that a figure hovering at its threshold is one alert, not many. */
  public static final long USUAL_KEEP_MILLIS = 2 * 60_000L;

  /** This project's own; every alert has an entry there. */
  public static final String RUNBOOK = "docs/runbook.md";

  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  public AlertRequest {
    grouping = List.copyOf(grouping);
    for (String label : grouping) {
      if (!LABEL.matcher(label).matches() || label.equals("le")) {
        throw new IllegalArgumentException(
            "a group label must be a Prometheus label other than le, was '" + label + "'");
      }
    }
    Labels labels = Labels.EMPTY.with(labels(selector));
    for (LabelMatcher matcher : matchers(selector)) {
      if (!matcher.accepts(labels)) {
        throw new IllegalArgumentException(
            "a selector must name a label that the rules can be tried with, like"
                + " namespace=\"prod\", was " + matcher);
      }
    }
    if (Signal.histogram(objective.metric()).isEmpty()) {
      throw new IllegalArgumentException(
          "the engine has no histogram of " + objective.metric() + "; use TTFT, TPOT, E2E or ITL");
    }
    if (!(availability >= 0 && availability < 1)) {
      throw new IllegalArgumentException(
          "availability must be a share below 1, was " + availability);
    }
  }

  /** Those after the metric's name. */
  private static List<LabelMatcher> matchers(String selector) {
    try {
      if (PromqlParser.parse("x{" + selector + "}") instanceof VectorSelector read) {
        return read.matchers().subList(1, read.matchers().size());
      }
      throw new PromqlException("not one selector", 0);
    } catch (PromqlException e) {
      throw new IllegalArgumentException(
          "a selector is written like namespace=\"prod\", was " + selector, e);
    }
  }

  private static Map<String, String> labels(String selector) {
    Map<String, String> labels = new TreeMap<>();
    for (LabelMatcher matcher : matchers(selector)) {
      switch (matcher.operator()) {
        case EQUAL -> labels.put(matcher.label(), matcher.value());
        // The first choice of (prod|canary); a pattern such as prod-.* matches itself.
        case MATCHES ->
            labels.put(matcher.label(), matcher.value().replaceFirst("^\\((.*)\\)$", "$1")
                .replaceFirst("[|].*", ""));
        case NOT_EQUAL, NOT_MATCHES -> { }
      }
    }
    return labels;
  }

  /** What recorded runs are given, because they are of the deployment that the rules select. */
  public Map<String, String> labels() {
    return labels(selector);
  }

  /** The usual request for an objective. */
  public static AlertRequest usual(Objective objective) {
    return new AlertRequest(
        objective,
        List.of("cluster", "model_name"),
        RUNBOOK,
        "vllm",
        0,
        60_000,
        30_000,
        1,
        0,
        USUAL_KEEP_MILLIS,
        Spelling.RECORDED,
        "",
        "");
  }

  /** The same request for windows of a length, and for the beginning of a step to leave out. */
  public AlertRequest withWindows(long lengthMillis, long leftOutMillis) {
    return with(lengthMillis, leftOutMillis, selector, mark);
  }

  /** The same request with these matchers in every selector. */
  public AlertRequest withSelector(String matchers) {
    return with(windowMillis, skipMillis, matchers, mark);
  }

  private AlertRequest with(long window, long skip, String matchers, String name) {
    return new AlertRequest(
        objective, grouping, runbookUrl, job, window, skip, intervalMillis, seed, availability,
        keepFiringMillis, spelling, matchers, name);
  }

  /** The same request as one of several objectives: where it is not its metric's first, marked. */
  public AlertRequest among(List<Objective> all) {
    List<Objective> before = all.subList(0, Math.max(0, all.indexOf(objective)));
    List<Objective> alike =
        before.stream().filter(other -> other.metric() == objective.metric()).toList();
    boolean isTold =
        alike.stream()
            .noneMatch(other -> other.thresholdSeconds() == objective.thresholdSeconds());
    String threshold = thresholdWord();
    String given =
        isTold ? threshold : threshold + "p" + RuleWords.number(objective.share()).substring(2);
    return with(windowMillis, skipMillis, selector, alike.isEmpty() ? "" : given);
  }

  /** For example {@code 1s}, {@code 2500ms} or {@code 500us}: letters and digits only. */
  private String thresholdWord() {
    long micros = Math.round(objective.thresholdSeconds() * 1e6);
    return micros % 1_000_000 == 0
        ? micros / 1_000_000 + "s"
        : micros % 1000 == 0 ? micros / 1000 + "ms" : micros + "us";
  }

  /** The objective as a recording's name has it, for example {@code ttft}. */
  public String metricWord() {
    return objective.metric().name().toLowerCase(Locale.ROOT) + (mark.isEmpty() ? "" : "_" + mark);
  }

  /** The name of an alert on the objective, for example {@code VLLMTTFTObjectiveMissed}. */
  public String alertName(String rest) {
    return "VLLM" + objective.metric() + rest + mark;
  }
}
