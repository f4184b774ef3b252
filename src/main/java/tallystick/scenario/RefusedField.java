package tallystick.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A field of the harness's own that a server refuses, and the switch that leaves it out. */
public final class RefusedField {
  /** The first that a text names decides where several have one switch. */
  private static final Map<String, String> SWITCHES =
      Map.of(
          "ignore_eos", "request.ignore_eos=false",
          "continuous_usage_stats", "request.continuous_usage=false",
          "stream_options", "request.usage=false",
          "include_usage", "request.usage=false",
          "max_tokens", "request.token_limit=max_completion_tokens",
          "max_completion_tokens", "request.token_limit=max_tokens");

  private static final Pattern OWN =
      Pattern.compile("(?<![A-Za-z_])(" + String.join("|", SWITCHES.keySet()) + ")(?![A-Za-z_])");

  private static final Pattern REFUSAL =
      Pattern.compile(
          "(?i)support|unknown|unrecogni[sz]ed|extra|permitted|not allowed|forbidden|unexpected"
              + "|additional propert|invalid (?:field|parameter|argument|property)|no such"
              + "|instead");

  /** A limit's value is refused as well, and no switch cures that. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?i)too (?:large|big|high|long|small|many)|at (?:most|least)|exceed|between|maximum"
              + "|(?:greater|less|larger|smaller|more) than");

  private RefusedField() {}

  /**
   * What to type where a server refused a field of the harness's own.
   *
   * @param words what the server said
   */
  public static Optional<String> remedy(String words) {
    if (!REFUSAL.matcher(words).find()) {
      return Optional.empty();
    }
    Set<String> named = new LinkedHashSet<>();
    OWN.matcher(words).results().forEach(own -> named.add(own.group(1)));
    if (VALUE.matcher(words).find()) {
      named.removeAll(Set.of("max_tokens", "max_completion_tokens"));
    }
    if (named.contains("continuous_usage_stats")) {
      named.removeAll(Set.of("stream_options", "include_usage"));
    }
    if (named.containsAll(Set.of("max_tokens", "max_completion_tokens"))) {
      boolean isNew = words.indexOf("max_completion_tokens") < words.indexOf("max_tokens");
      named.remove(isNew ? "max_tokens" : "max_completion_tokens");
    }
    List<String> switches =
        named.stream().map(field -> "--set " + SWITCHES.get(field)).distinct().toList();
    return switches.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The server rejects " + String.join(" and ", named) + ": use "
                + String.join(" ", switches) + ".");
  }
}
