package tallystick.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Reads YAML text into {@link Node}s that know their lines.
 *
 * @param origins line number → where that is
 */
record YamlTree(YAMLParser parser, IntFunction<SourceLocation> origins) {
  private static final YAMLFactory FACTORY = YAMLFactory.builder().build();

  /** The one document in the text. */
  static Node parse(String text, IntFunction<SourceLocation> origins) {
    refuseTabs(text, origins);
    try (YAMLParser parser = FACTORY.createParser(text)) {
      return new YamlTree(parser, origins).document();
    } catch (JsonProcessingException e) {
      YamlFault fault = YamlFault.of(e);
      throw origins
          .apply(fault.line())
          .error("not valid YAML: " + fault.problem(), fault.remedy());
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory could not be read", e);
    }
  }

  private static void refuseTabs(String text, IntFunction<SourceLocation> origins) {
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && line.stripLeading().length() < line.length()
          && line.substring(0, line.length() - line.stripLeading().length()).contains("\t")) {
        throw origins.apply(i + 1).error("tab in the indentation", "indent with spaces");
      }
    }
  }

  private Node document() throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw origins.apply(1).error("the file is empty", "write at least a workload");
    }
    Node root = node(token);
    if (parser.nextToken() != null) {
      throw here().error("a second document begins here", "keep one scenario in a file");
    }
    return root;
  }

  private Node node(JsonToken token) throws IOException {
    if (parser.isCurrentAlias()) {
      throw here().error("YAML aliases are not supported", "write the value out");
    }
    return switch (token) {
      case START_OBJECT -> mapping();
      case START_ARRAY -> sequence();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Node.Kind.NUMBER);
      case VALUE_TRUE, VALUE_FALSE -> scalar(Node.Kind.BOOLEAN);
      case VALUE_NULL -> scalar(Node.Kind.NULL);
      default -> scalar(textOf(parser).isEmpty() ? Node.Kind.NULL : Node.Kind.TEXT);
    };
  }

  private Node mapping() throws IOException {
    SourceLocation start = here();
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      SourceLocation keyOrigin = here();
      Node value = node(parser.nextToken());
      Node.Entry first = entries.putIfAbsent(key, new Node.Entry(keyOrigin, value));
      if (first != null) {
        throw keyOrigin.error(
            "key \"" + key + "\" is written twice, first at " + first.origin(), "remove one");
      }
    }
    return new Node.Mapping(start, entries);
  }

  private Node sequence() throws IOException {
    SourceLocation start = here();
    List<Node> items = new ArrayList<>();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      items.add(node(t));
    }
    return new Node.Sequence(start, items);
  }

  private Node scalar(Node.Kind kind) throws IOException {
    return new Node.Scalar(here(), textOf(parser), kind);
  }

  private static String textOf(JsonParser parser) throws IOException {
    String text = parser.getText();
    return text == null ? "" : text;
  }

  private SourceLocation here() {
    return origins.apply(Math.max(1, parser.currentTokenLocation().getLineNr()));
  }
}
