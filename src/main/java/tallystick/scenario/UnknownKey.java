package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.reach.SecretName;

/** What to write instead of a key that its section does not know. */
final class UnknownKey {
  /** What other tools and APIs call it → what to write here. */
  private static final Map<String, String> FOREIGN = ScenarioKeys.remedies("foreign keys");

  private UnknownKey() {}

  /**
   * What to write instead of a key that its section does not know.
   *
   * @param section path of the section, for example {@code workload.rate.steps[0]}
   * @param valid the keys that it knows
   */
  static String remedy(String key, Node.Entry entry, String section, List<String> valid) {
    boolean isSlip = valid.stream().anyMatch(one -> stem(one).equals(stem(key)));
    String word = key.replace('-', '_');
    String block = section.substring(section.lastIndexOf('.') + 1).replaceFirst("\\[\\d+]$", "");
    Node value = entry.value();
    String of = word.substring(word.lastIndexOf('.') + 1);
    return Optional.of(NearestKey.remedy(key, valid))
        .filter(remedy -> isSlip)
        .or(() -> share(key, value))
        .or(() -> foreign(block + "." + word, value))
        .or(() -> ForeignWords.placeOf(key, value, section)
            .filter(place -> ForeignWords.fits(place, value) || !FOREIGN.containsKey(word))
            .map(place -> written(key, entry, place, valid)))
        .or(() -> foreign(word, value))
        .or(() -> foreign(of, value))
        .orElseGet(() -> NearestKey.remedy(key, valid))
        + entry.beside();
  }

  /** What the table says of a word, with what was written for it. */
  private static Optional<String> foreign(String word, Node value) {
    return Optional.ofNullable(FOREIGN.get(word)).map(remedy -> remedy.replace("%s", value.line()));
  }

  /** A percentile is a share here. */
  private static Optional<String> share(String key, Node value) {
    return List.of("percentile", "p").contains(key) && value instanceof Node.Scalar scalar
        ? ScenarioValue.shareOf(scalar.text().replaceFirst("^p", ""))
            .map(share -> "write share: " + share)
        : Optional.empty();
  }

  /** Capitals, dashes and a plural apart, a word is the same. */
  private static String stem(String key) {
    return key.toLowerCase(Locale.ROOT).replace('-', '_').replaceFirst("s$", "");
  }

  private static String written(String key, Node.Entry entry, String place, List<String> valid) {
    String typed = entry.origin().toString();
    if (typed.matches("--set ([^=]*\\.)?" + Pattern.quote(key) + "\\s*=.*")) {
      return SecretName.is(key)
          ? "write --set " + place + "=NAME"
          : "write --set " + place + typed.substring(typed.indexOf('='));
    }
    String name = place.substring(place.lastIndexOf('.') + 1);
    String section = place.substring(0, Math.max(0, place.lastIndexOf('.')));
    boolean isOurs = name.equals(key);
    String said =
        ForeignWords.fits(place, entry.value())
                && entry.value() instanceof Node.Scalar scalar && !SecretName.is(key)
            ? "write " + name + ": " + ScenarioValue.withoutUser(scalar.text())
            : isOurs && ForeignWords.fits(place, entry.value())
                ? "it belongs"
                : ForeignWords.example(place).map(it -> "write " + it).orElse("write " + name);
    if (valid.contains(name)) {
      return said;
    }
    return said
        + (section.isEmpty()
            ? " at the file's first level"
            : " under " + section.replace(".", ": ") + ":");
  }
}
