package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/scenario-keys.md} is what the table of keys says, for people; {@code
 * -Dupdate-reference} writes it anew.
 */
class ScenarioReferenceTest {
  private static final Path FILE = Path.of("docs/scenario-keys.md");
  private static final String HEAD =
      """
      # Keys of a scenario

      Every key of a scenario, with what it takes, an example, and what holds where it is not \
      written. This page is made from the
      table that the reader works with, and compared with it by a test: `mvn test \
      -Dtest=ScenarioReferenceTest -Dupdate-reference`
      writes it anew. [The schema](schemas/scenario.schema.json) is made from the same table. How \
      keys go together, and ready
      scenarios: [scenarios](../scenarios/README.md).
      """;

  private static final String FIRST = "First level";

  /** Heading → the keys of the section. */
  private final Map<String, ValueType.Keys> sections = new TreeMap<>();

  @Test
  void thePageIsWhatTheTableSays() throws IOException {
    sections.put(FIRST, ScenarioKeys.FIRST_LEVEL);
    collect(FIRST);
    StringBuilder page = new StringBuilder(HEAD);
    sections.forEach((title, section) -> append(page, title, section));
    if (System.getProperty("update-reference") != null) {
      Files.writeString(FILE, page);
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=ScenarioReferenceTest -Dupdate-reference writes it", FILE)
        .isEqualTo(page.toString());
  }

  /** A section that several keys take stands where it is named first and nearest to the top. */
  private void collect(String title) {
    List<String> added = new ArrayList<>();
    for (ValueType.Key key : sections.get(title).keys()) {
      for (ValueType.Keys inner : keysIn(key.type())) {
        String path = title.equals(FIRST) ? key.name() : title + "." + key.name();
        if (!sections.containsValue(inner)) {
          sections.put(path, inner);
          added.add(path);
        }
      }
    }
    added.forEach(this::collect);
  }

  private static List<ValueType.Keys> keysIn(ValueType type) {
    return switch (type) {
      case ValueType.Keys keys -> List.of(page(keys));
      case ValueType.Shared shared -> keysIn(shared.of());
      case ValueType.ListOf list -> keysIn(list.of());
      case ValueType.Names names -> keysIn(names.of());
      case ValueType.Either either ->
          either.options().stream().flatMap(one -> keysIn(one).stream()).toList();
      default -> List.of();
    };
  }

  /** A class's objectives have the keys of the others but one. */
  private static ValueType.Keys page(ValueType.Keys section) {
    return ScenarioKeys.CLASS_OBJECTIVE.of().equals(section)
        ? ScenarioKeys.OBJECTIVE.find(ValueType.Keys.class).orElseThrow()
        : section;
  }

  private void append(StringBuilder page, String title, ValueType.Keys section) {
    page.append("\n## ").append(title).append("\n\n");
    List<ValueType.Key> own = new ArrayList<>(section.keys());
    Set<ValueType.Key> ofWorkload = Set.copyOf(ScenarioKeys.OF_CLASS.keys());
    if (section.equals(ScenarioKeys.CLASS)) {
      own.removeAll(ofWorkload);
      page.append("Besides these a class takes ")
          .append(names(ScenarioKeys.OF_CLASS.names()))
          .append(", as the [workload](#workload) does.\n\n");
    }
    page.append("| key | takes | for example | unless written | meaning |\n")
        .append("|---|---|---|---|---|\n");
    own.forEach(
        key ->
            page.append(
                "| `%s` | %s | `%s` | %s | %s |\n"
                    .formatted(
                        key.name(), words(key.type()), key.example(), unwritten(key),
                        key.description())));
    section.rules().forEach(rule -> page.append('\n').append(words(rule)).append('\n'));
  }

  private static String unwritten(ValueType.Key key) {
    String words = key.unwritten().words();
    return key.unwritten().value().equals(words) && !words.isEmpty() ? "`" + words + "`" : words;
  }

  private String words(ValueType type) {
    return switch (type) {
      case ValueType.Text text -> "text";
      case ValueType.Flag flag -> "true or false";
      case ValueType.Choice choice -> names(choice.words());
      case ValueType.Number number -> words(number);
      case ValueType.Whole whole ->
          whole.least() == Long.MIN_VALUE
              ? "whole number"
              : "whole number, " + whole.least() + " to " + whole.most();
      case ValueType.Share share ->
          share.hasEnds() ? "share, 0 to 1" : "share, above 0 and below 1";
      case ValueType.Time time ->
          switch (time.least()) {
            case "" -> "length of time";
            case "0s" -> "length of time, or `0s`";
            default -> "length of time, at least " + time.least();
          };
      case ValueType.ListOf list -> "list: " + words(list.of());
      case ValueType.Names names -> "by name: " + words(names.of());
      case ValueType.Fields fields -> "fields of any kind";
      case ValueType.Keys keys -> "[keys](#" + anchor(keys) + ")";
      case ValueType.Either either ->
          either.options().stream().map(this::words).collect(Collectors.joining(", or "));
      case ValueType.Shared shared -> named(shared);
    };
  }

  private String named(ValueType.Shared shared) {
    return switch (shared.name()) {
      case "url" -> "URL";
      case "tokens" -> "tokens, " + words(shared.of()).replace("whole number, ", "");
      case "rate" -> "requests per second, " + words(shared.of()).replace("number ", "");
      default -> words(shared.of());
    };
  }

  private static String words(ValueType.Number number) {
    String most = number.most() == Double.MAX_VALUE ? "" : " to " + plain(number.most());
    return number.least() == 0
        ? "number " + (number.isAbove() ? "above 0" : "of at least 0")
            + most.replace(" to", ", at most")
        : "number, " + plain(number.least()) + most;
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private static String words(ValueType.Rule rule) {
    String names = names(rule.names());
    return rule.least() == 0
        ? "Only one of " + names + " may be written."
        : (rule.most() == 1 ? "Exactly" : "At least") + " one of " + names + " must be written.";
  }

  private static String names(List<String> words) {
    return words.stream()
        .collect(Collectors.joining("`, `", "`", "`"))
        .replaceFirst(", (`[^,]*`)$", " or $1");
  }

  private String anchor(ValueType.Keys section) {
    return sections.entrySet().stream()
        .filter(entry -> entry.getValue().equals(page(section)))
        .map(entry -> entry.getKey().toLowerCase(Locale.ROOT))
        .findFirst()
        .orElseThrow()
        .replaceAll("[^a-z0-9_ -]", "")
        .replace(' ', '-');
  }
}
