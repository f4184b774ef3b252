package tallystick.alerting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
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
  private static final Pattern BREAK = Pattern.compile("\r\n|[\n\r\u0085\u2028\u2029]");

  /** One sentence of the parser's message and the place it gives for it. */
  private static final Pattern FAULT =
      Pattern.compile("([^\\n]+)\\n in [^\\n]*line (\\d+), column");

  /** The character at which the JSON parser stopped. */
  private static final Pattern CHARACTER = Pattern.compile("character \\('(.)'|marker '(.)'");

  private static final Pattern JSON =
      Pattern.compile("\\A\\uFEFF?\\s*+(\\{\\s*+[\"}]|\\[\\s*+\\{\\s*+\")");

  private final String file;
  private final String text;
  private final JsonParser parser;
  private final List<Integer> lineStarts = new ArrayList<>();
  private final int before;
  private final int linesBefore;
  private int lineStart;
  private int column = 1;
  private int known;

  private YamlReader(String file, String text, JsonParser parser, int before, int linesBefore) {
    this.file = file;
    this.text = text;
    this.parser = parser;
    this.before = before;
    this.linesBefore = linesBefore;
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
        return json(file, text, 0, 0).documents();
      }
    } catch (JsonProcessingException e) {
      noJson = e; // It may still be YAML that is written in one line.
    } catch (IOException e) {
      throw new RuleFileException(file, 1, "cannot be read: " + e.getMessage());
    }
    try {
      YamlReader yaml = new YamlReader(file, text, new YAMLFactory().createParser(text), 0, 0);
      yaml.lineStarts.add(0);
      BREAK.matcher(text).results().forEach(line -> yaml.lineStarts.add(line.end()));
      return yaml.documents();
    } catch (JsonProcessingException e) {
      throw unreadable(file, text, noJson == null ? e : noJson);
    } catch (IOException e) {
      throw new RuleFileException(file, 1, "cannot be read: " + e.getMessage());
    }
  }

  /**
   * The JSON in a block of a YAML file, whose places are those in the file; none where it is none.
   *
   * @param text the file
   */
  public static List<YamlNode> within(String file, String text, Scalar block) {
    int begin = text.indexOf('\n', block.begin()) + 1;
    String json = block.isBlock() ? text.substring(begin, block.end()) : "";
    try {
      return isJson(json) ? json(file, json, begin, block.textLine() - 1).documents() : List.of();
    } catch (JsonProcessingException e) {
      int line = block.textLine() + Math.max(1, e.getLocation().getLineNr()) - 1;
      throw new RuleFileException(file, line, "not valid JSON: " + jsonFault(e));
    } catch (IOException e) {
      throw new RuleFileException(file, block.line(), "cannot be read: " + e.getMessage());
    }
  }

  /** Whether a text begins as JSON does: with an object whose keys are in quotes. */
  private static boolean isJson(String text) {
    return JSON.matcher(text).lookingAt();
  }

  private static YamlReader json(String file, String text, int before, int linesBefore)
      throws IOException {
    String json = text.startsWith("\uFEFF") ? " " + text.substring(1) : text;
    return new YamlReader(file, json, new JsonFactory().createParser(json), before, linesBefore);
  }

  private List<YamlNode> documents() throws IOException {
    List<YamlNode> documents = new ArrayList<>();
    try (parser) {
      while (parser.nextToken() != null) {
        documents.add(node());
      }
    }
    return documents;
  }

  /** The fault in words that do not take knowing the parser. */
  private static String jsonFault(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "it ends before every bracket and quote is closed";
    }
    String message = e.getOriginalMessage();
    Matcher character = CHARACTER.matcher(message);
    if (character.find()) {
      String found = character.group(character.group(1) == null ? 2 : 1);
      return "/#".contains(found) ? "JSON has no comments" : "unexpected " + found;
    }
    return message.lines().findFirst().orElse("");
  }

  /** YAML's parser names the context first and the fault itself last. */
  private static RuleFileException unreadable(
      String file, String text, JsonProcessingException e) {
    String message = e.getOriginalMessage();
    Matcher fault = FAULT.matcher(message);
    int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
    String why = isJson(text) ? jsonFault(e) : message.lines().findFirst().orElse("");
    while (fault.find()) {
      why = fault.group(1).strip();
      line = Integer.parseInt(fault.group(2));
    }
    String form = isJson(text) ? "not valid JSON: " : "not valid YAML: ";
    if (RuleTemplate.isIn(text)) {
      return new RuleFileException(file, line, form + RuleTemplate.HINT);
    }
    return new RuleFileException(file, line, form + why.replaceFirst(", got this .*", ""));
  }

  private YamlNode node() throws IOException {
    int line = linesBefore + parser.currentTokenLocation().getLineNr();
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(line);
      case START_ARRAY -> {
        List<YamlNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node());
        }
        yield new Sequence(items, line);
      }
      default -> scalar(line);
    };
  }

  private Scalar scalar(int line) throws IOException {
    String value = parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getText();
    int begin = offset(parser.currentTokenLocation());
    int end = Math.max(begin, offset(parser.currentLocation()));
    char first = begin < text.length() ? text.charAt(begin) : ' ';
    boolean isBlock = !lineStarts.isEmpty() && (first == '|' || first == '>');
    return new Scalar(value, line, isBlock ? line + 1 : line, before + begin, before + end);
  }

  /** JSON's parser counts letters; YAML's tells line and column. */
  private int offset(JsonLocation place) {
    if (lineStarts.isEmpty()) {
      return (int) place.getCharOffset();
    }
    int start = lineStarts.get(Math.min(place.getLineNr(), lineStarts.size()) - 1);
    if (start > lineStart || place.getColumnNr() < column) {
      lineStart = start;
      column = 1;
      known = start;
    }
    for (; column < place.getColumnNr() && known < text.length(); column++) {
      known += Character.charCount(text.codePointAt(known));
    }
    return known;
  }

  private Mapping mapping(int line) throws IOException {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (entries.put(key, node()) != null && !lineStarts.isEmpty()) {
        throw new RuleFileException(file, keyLine, "the key " + key + " is there twice");
      }
    }
    return new Mapping(entries, line);
  }
}
