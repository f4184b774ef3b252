package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code docs/analysis-json.md} and its like are what the schemas say, for people; {@code
 * -Dupdate-reference} writes them anew. Names of fields in docs/metrics.md are those of the file.
 */
class FieldReferenceTest {
  private static final Path METRICS = Path.of("docs/metrics.md");
  private static final int MOST_WORDS = 6;
  private static final Pattern FIGURE_TABLE =
      Pattern.compile("(?m)^\\| figure \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)");
  private static final Pattern NAME = Pattern.compile("`([a-z0-9_]+)`");
  private static final Pattern IN_CAMEL_CASE = Pattern.compile("`([a-z]+[A-Z]\\w*)`");
  private static final String HEAD =
      """
      # Fields of FILE.json

      Every field of WHOSE `FILE.json`, with what it holds. This page is made from [the \
      schema](schemas/FILE.schema.json)
      and compared with it by a test: `mvn test -Dtest=FieldReferenceTest -Dupdate-reference` \
      writes it anew. MORE

      The file begins with the fields of [ROOT](#ANCHOR).
      """;

  @ParameterizedTest
  @CsvSource({
    "analysis, a run's, 'How each number is\ncomputed: [metrics.md](metrics.md).'",
    "comparison, a comparison's, 'A number that does\nnot exist is \"NaN\". How a comparison goes:"
        + " [regress](how-to/regress.md).'",
    "capacity, a search's, 'What was not\nasked or is not known is absent. How a search goes:"
        + " [capacity](how-to/capacity.md).'",
    "study, a study's, 'What was not asked\nis absent. How a study goes:"
        + " [alerts](how-to/alerts.md).'",
    "tune, a tuning's, 'What was not asked or\nis not known is absent. How a tuning goes:"
        + " [tune](how-to/tune.md).'"
  })
  void thePageIsWhatTheSchemaSays(String file, String whose, String more) throws IOException {
    JsonNode schema = schema(file);
    String root = schema.get("$ref").asText().replace("#/$defs/", "");
    JsonNode definitions = schema.get("$defs");
    List<Map.Entry<String, JsonNode>> all = new ArrayList<>(definitions.properties());
    // The file's own fields come first.
    all.sort(
        Map.Entry.comparingByKey(
            (one, other) -> Boolean.compare(other.equals(root), one.equals(root))));
    StringBuilder page =
        new StringBuilder(
            HEAD.replace("FILE", file).replace("WHOSE", whose).replace("MORE", more)
                .replace("ROOT", root).replace("ANCHOR", root.toLowerCase(Locale.ROOT)));
    all.forEach(one -> append(page, one.getKey(), one.getValue(), definitions));
    Path kept = Path.of("docs", file + "-json.md");
    if (System.getProperty("update-reference") != null) {
      Files.writeString(kept, page);
    }
    assertThat(Files.readString(kept))
        .as("%s; mvn test -Dtest=FieldReferenceTest -Dupdate-reference writes it", kept)
        .isEqualTo(page.toString());
  }

  @Test
  void theNamesInTheTablesOfFiguresAreThoseOfTheFile() throws IOException {
    Set<String> fields = new HashSet<>();
    schema("analysis").get("$defs")
        .forEach(one -> one.path("properties").fieldNames().forEachRemaining(fields::add));
    String text = Files.readString(METRICS);
    List<String> named = new ArrayList<>();
    for (Matcher table = FIGURE_TABLE.matcher(text); table.find(); ) {
      table.group(1).lines()
          .map(row -> row.split("\\|", 3)[1])
          .forEach(cell -> NAME.matcher(cell).results().forEach(one -> named.add(one.group(1))));
    }
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(fields).containsAll(named);
    assertThat(IN_CAMEL_CASE.matcher(text).results().map(one -> one.group(1))).isEmpty();
  }

  private static JsonNode schema(String file) throws IOException {
    Path schema = Path.of("docs/schemas", file + ".schema.json");
    return new ObjectMapper().readTree(schema.toFile());
  }

  private static void append(
      StringBuilder page, String name, JsonNode definition, JsonNode definitions) {
    page.append("\n## ").append(name).append("\n\n");
    if (definition.has("enum")) {
      page.append("One of ").append(words(definition)).append(".\n");
    } else if (!definition.has("properties")) {
      page.append(definition.path("description").asText()).append('\n');
    } else {
      page.append("| field | holds | meaning |\n|---|---|---|\n");
      definition.get("properties").properties().forEach(
          field ->
              page.append("| `").append(field.getKey()).append("` | ")
                  .append(kind(field.getValue(), definitions)).append(" | ")
                  .append(field.getValue().path("description").asText().replace("|", "\\|"))
                  .append(" |\n"));
    }
  }

  private static String words(JsonNode choice) {
    List<String> words = new ArrayList<>();
    choice.get("enum").forEach(word -> words.add("`\"" + word.asText() + "\"`"));
    return String.join(", ", words);
  }

  private static String kind(JsonNode field, JsonNode definitions) {
    if (field.has("$ref")) {
      return named(field.get("$ref").asText().replace("#/$defs/", ""), definitions);
    }
    return switch (field.path("type").asText()) {
      case "array" -> "list: " + kind(field.get("items"), definitions);
      case "object" -> "by name: " + kind(field.get("additionalProperties"), definitions);
      case "string" -> "text";
      case "integer" -> "whole number";
      case "boolean" -> "true or false";
      case String other -> throw new IllegalStateException("no word for " + other);
    };
  }

  private static String named(String name, JsonNode definitions) {
    JsonNode definition = definitions.get(name);
    if (definition.has("enum") && definition.get("enum").size() <= MOST_WORDS) {
      return words(definition);
    }
    String link = "(#" + name.toLowerCase(Locale.ROOT).replace(".", "") + ")";
    return switch (name) {
      case "Figure" -> "[number or n/a]" + link;
      case "Number" -> "number";
      default -> "[" + name + "]" + link;
    };
  }
}
