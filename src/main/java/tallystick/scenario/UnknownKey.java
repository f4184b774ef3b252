package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.scenario.ValueType.Keys;

/** What to write instead of a key that its section does not know. */
final class UnknownKey {
  /** In the order they are searched. */
  private static final List<Map.Entry<String, Keys>> SECTIONS =
      List.of(
          Map.entry("", ScenarioKeys.FIRST_LEVEL),
          Map.entry("request", ScenarioKeys.REQUEST),
          Map.entry("workload", ScenarioKeys.WORKLOAD));

  /** What other tools and APIs call it → what to write here. */
  private static final Map<String, String> FOREIGN = ScenarioKeys.remedies("foreign keys");

  private UnknownKey() {}

  /** What to write instead of a key that its section does not know. */
  static String remedy(
      String key, SourceLocation origin, String section, List<String> valid) {
    boolean isSlip = valid.stream().anyMatch(one -> stem(one).equals(stem(key)));
    return Optional.of(NearestKey.remedy(key, valid))
        .filter(remedy -> isSlip)
        .or(() -> placeOf(key, section).map(place -> written(key, origin, place)))
        .or(() -> Optional.ofNullable(FOREIGN.get(key)))
        .orElseGet(() -> NearestKey.remedy(key, valid));
  }

  /** Capitals, dashes and a plural apart, a word is the same. */
  private static String stem(String key) {
    return key.toLowerCase(Locale.ROOT).replace('-', '_').replaceFirst("s$", "");
  }

  /** The section of a key that does not stand in it; empty if it belongs nowhere. */
  private static Optional<String> placeOf(String key, String wrongSection) {
    return SECTIONS.stream()
        .filter(section -> !section.getKey().equals(wrongSection))
        .filter(section -> section.getValue().names().contains(key))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static String written(String key, SourceLocation origin, String place) {
    String typed = origin.toString();
    if (typed.matches("--set ([^=]*\\.)?" + Pattern.quote(key) + "\\s*=.*")) {
      return "write --set " + (place.isEmpty() ? "" : place + ".") + key
          + typed.substring(typed.indexOf('='));
    }
    return place.isEmpty()
        ? "it belongs at the file's first level"
        : "it belongs under " + place + ":";
  }
}
