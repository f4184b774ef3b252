package tallystick.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Keys that stand together in one mapping.
 *
 * @param shape what the mapping must hold, for messages; empty where they list the keys
 * @param isShownWhole whether the message of a missing key shows the whole mapping
 * @param rules which keys go together
 */
record KeySection(String shape, boolean isShownWhole, List<ScenarioKey> keys, List<Rule> rules) {
  /** How many of some keys may be written. */
  record Rule(int least, int most, List<String> names) {
    static Rule exactlyOneOf(List<String> names) {
      return new Rule(1, 1, names);
    }

    static Rule atLeastOneOf(List<String> names) {
      return new Rule(1, names.size(), names);
    }

    static Rule notBoth(String first, String second) {
      return new Rule(0, 1, List.of(first, second));
    }
  }

  static KeySection of(ScenarioKey... keys) {
    return new KeySection("", false, List.of(keys), List.of());
  }

  /** The same with what messages call it. */
  KeySection shaped(String words) {
    return new KeySection(words, isShownWhole, keys, rules);
  }

  /** The same, shown whole where a key is missing. */
  KeySection shownWhole(String words) {
    return new KeySection(words, true, keys, rules);
  }

  /** The same with one more rule. */
  KeySection with(Rule rule) {
    List<Rule> more = new ArrayList<>(rules);
    more.add(rule);
    return new KeySection(shape, isShownWhole, keys, more);
  }

  /** The same of whose keys exactly one is written. */
  KeySection ofWhichOne() {
    return with(Rule.exactlyOneOf(names()));
  }

  /** The same with more keys behind. */
  KeySection and(ScenarioKey... more) {
    List<ScenarioKey> all = new ArrayList<>(keys);
    all.addAll(Arrays.asList(more));
    return new KeySection(shape, isShownWhole, all, rules);
  }

  List<String> names() {
    return keys.stream().map(ScenarioKey::name).toList();
  }

  /** A key that a reader asks for: the table must know it. */
  ScenarioKey get(String name) {
    return keys.stream()
        .filter(key -> key.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no key \"" + name + "\" in the table"));
  }
}
