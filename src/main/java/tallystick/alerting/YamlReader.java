package tallystick.alerting;

import com.fasterxml.jackson.core.JsonFactory;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.alerting.YamlNode.Sequence;

/** Reads YAML, and JSON by a parser of its own: not every JSON is YAML. */
public final class YamlReader {
  /** What ends a line in YAML. */
  public static final Pattern BREAK = Pattern.compile("\r\n|[\n\r\u0085\u2028\u2029]");

  /** One sentence of the parser's message and the place it gives for it. */
  private static final Pattern FAULT =
      Pattern.compile("([^\\n]+)\\n in [^\\n]*line (\\d+), column");

  private static final Pattern JSON =
      Pattern.compile("\\A\\uFEFF?\\s*+(\\{\\s*+[\"}]|\\[\\s*+\\{\\s*+\")");

  private final String file;
  private final JsonParser parser;
  private final List<String> lines;

  private YamlReader(String file, JsonParser parser, List<String> lines) {
    this.file = file;
    this.parser = parser;
    this.lines = lines;
  }

  /**
   * The documents of a file; an empty document is an empty mapping.
   *
   * @throws RuleFileException with file and line, if the text is neither YAML nor JSON
   */
  public static List<YamlNode> read(String file, String text) {
    JsonProcessingException noJson = null;
    try {
      if (isJson(text)) {
        return documents(file, json(text), List.of());
      }
    } catch (JsonProcessingException e) {
      noJson = e; // It may still be YAML that is written in one line.
    } catch (IOException e) {
      throw new RuleFileException(file, 1, "cannot be read: " + e.getMessage());
    }
    try {
      return documents(
          file, new YAMLFactory().createParser(text), List.of(BREAK.split(text, -1)));
    } catch (JsonProcessingException e) {
      throw unreadable(file, text, noJson == null ? e : noJson);
    } catch (IOException e) {
      throw new RuleFileException(file, 1, "cannot be read: " + e.getMessage());
    }
  }

  /** Whether a text begins as JSON does: with an object whose keys are in quotes. */
  public static boolean isJson(String text) {
    return JSON.matcher(text).lookingAt();
  }

  /** A parser whose offsets are those of the text. */
  public static JsonParser json(String text) throws IOException {
    return new JsonFactory().createParser(text.replaceFirst("\\A\\uFEFF", " "));
  }

  private static List<YamlNode> documents(String file, JsonParser from, List<String> lines)
      throws IOException {
    List<YamlNode> documents = new ArrayList<>();
    try (JsonParser parser = from) {
      YamlReader reader = new YamlReader(file, parser, lines);
      while (parser.nextToken() != null) {
        documents.add(reader.node());
      }
    }
    return documents;
  }

  /** YAML's parser names the context first and the fault itself last. */
  private static RuleFileException unreadable(
      String file, String text, JsonProcessingException e) {
    String message = e.getOriginalMessage();
    Matcher fault = FAULT.matcher(message);
    int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
    String why = message.lines().findFirst().orElse("");
    while (fault.find()) {
      why = fault.group(1).strip();
      line = Integer.parseInt(fault.group(2));
    }
    String form = isJson(text) ? "no JSON: " : "no YAML: ";
    if (RuleTemplate.isIn(text)) {
      return new RuleFileException(file, line, form + RuleTemplate.HINT);
    }
    return new RuleFileException(file, line, form + why.replaceFirst(", got this .*", ""));
  }

  private YamlNode node() throws IOException {
    JsonLocation start = parser.currentTokenLocation();
    int line = start.getLineNr();
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(line);
      case START_ARRAY -> {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node());
        }
        yield new Sequence(items, line);
      }
      case VALUE_NULL -> new Scalar("", line, line);
      default -> new Scalar(parser.getText(), line, textLine(start));
    };
  }

  private int textLine(JsonLocation start) {
    if (lines.isEmpty()) {
      return start.getLineNr();
    }
    String line = lines.get(start.getLineNr() - 1);
    int column = Math.max(0, Math.min(start.getColumnNr() - 1, line.length()));
    String rest = line.substring(column).strip();
    boolean isBlock = rest.startsWith("|") || rest.startsWith(">");
    return start.getLineNr() + (isBlock ? 1 : 0);
  }

  private Mapping mapping(int line) throws IOException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (entries.put(key, node()) != null && !lines.isEmpty()) {
        throw new RuleFileException(file, keyLine, "the key " + key + " is there twice");
      }
    }
    return new Mapping(entries, line);
  }
}
