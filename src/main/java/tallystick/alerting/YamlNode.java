package tallystick.alerting;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A YAML document as a tree whose nodes know their line. */
sealed interface YamlNode {
  /** One sentence of the parser's message and the place it gives for it. */
  Pattern FAULT = Pattern.compile("([^\\n]+)\\n in [^\\n]*line (\\d+), column");

  /** Line of the node's first character, from 1. */
  int line();

  /** A text, number or truth value, as written. */
  record Scalar(String text, int line, int column) implements YamlNode {}

  /** A list. */
  record Sequence(List<YamlNode> items, int line) implements YamlNode {}

  /** Keys and values in their order. */
  record Mapping(Map<String, YamlNode> entries, int line) implements YamlNode {
    Optional<YamlNode> get(String key) {
      return Optional.ofNullable(entries.get(key));
    }
  }

  /**
   * The documents of a file; an empty document is an empty mapping.
   *
   * @throws RuleFileException with file and line, if the text is no YAML
   */
  static List<YamlNode> read(String file, String text) {
    List<YamlNode> documents = new ArrayList<>();
    try (JsonParser parser = new YAMLFactory().createParser(text)) {
      while (parser.nextToken() != null) {
        documents.add(node(file, parser));
      }
    } catch (JsonProcessingException e) {
      throw noYaml(file, text, e);
    } catch (IOException e) {
      throw new RuleFileException(file, 1, "cannot be read: " + e.getMessage());
    }
    return documents;
  }

  /** The parser names the context first and the fault itself last. */
  private static RuleFileException noYaml(
      String file, String text, JsonProcessingException e) {
    String message = e.getOriginalMessage();
    Matcher fault = FAULT.matcher(message);
    int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
    String why = message.lines().findFirst().orElse("");
    while (fault.find()) {
      why = fault.group(1).strip();
      line = Integer.parseInt(fault.group(2));
    }
    if (RuleTemplate.isIn(text)) {
      return new RuleFileException(file, line, "no YAML: " + RuleTemplate.HINT);
    }
    return new RuleFileException(file, line, "no YAML: " + why.replaceFirst(", got this .*", ""));
  }

  private static YamlNode node(String file, JsonParser parser) throws IOException {
    JsonLocation start = parser.currentTokenLocation();
    int line = start.getLineNr();
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(file, parser, line);
      case START_ARRAY -> {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(file, parser));
        }
        yield new Sequence(items, line);
      }
      case VALUE_NULL -> new Scalar("", line, start.getColumnNr());
      default -> new Scalar(parser.getText(), line, start.getColumnNr());
    };
  }

  private static Mapping mapping(String file, JsonParser parser, int line) throws IOException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (entries.put(key, node(file, parser)) != null) {
        throw new RuleFileException(file, keyLine, "the key " + key + " is there twice");
      }
    }
    return new Mapping(entries, line);
  }
}
