package tallystick.alerting.writing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.UncheckedIOException;
import tallystick.scenario.PlainText;

/** YAML that people read: the library writes what is data, comments stand between the data. */
final class YamlText {
  /** What another reader could take for a number or a truth value; the library quotes the rest. */
  private static final StringQuotingChecker WORDS =
      new StringQuotingChecker.Default() {
        @Override
        public boolean needToQuoteValue(String value) {
          return isReservedKeyword(value) || value.matches("[-+.]?[0-9][-+.0-9_:eExX]*");
        }
      };

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .stringQuotingChecker(WORDS)
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .build());

  private final StringBuilder text = new StringBuilder();

  /** An object to fill, its keys in the order they are put. */
  static ObjectNode keys() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A comment; a line break in a name would end it, so there is none. */
  YamlText comment(String indent, String line) {
    String plain = PlainText.printable(line.replaceAll("\\R", " "));
    text.append(indent).append("# ").append(plain).append("\n");
    return this;
  }

  /** A key whose value follows in other calls; may have an anchor or an alias behind it. */
  YamlText key(String indent, String key) {
    text.append(indent).append(key).append("\n");
    return this;
  }

  /** The keys of an object, or the items of a list. */
  YamlText data(String indent, JsonNode data) {
    written(data).lines().forEach(line -> text.append(indent).append(line).append("\n"));
    return this;
  }

  /** One item of a list. */
  YamlText item(String indent, ObjectNode item) {
    return data(indent, JsonNodeFactory.instance.arrayNode().add(item));
  }

  private static String written(JsonNode data) {
    try {
      return YAML.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
