package tallystick.scenario;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A data file that is read entry by entry, up to a number of entries.
 *
 * @param path the file
 * @param limit most entries that are taken
 */
record DataFile(Path path, int limit) {
  /** Reads JSON strictly: one value, no key twice. */
  static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectReader ONE_OF_MANY =
      JSON.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Makes an entry of a line; empty where the line is none, such as a heading. */
  interface LineFormat {
    Optional<Dataset.Entry> entry(String line, SourceLocation origin);
  }

  /** Makes an entry of a JSON object; empty where it cannot be used. */
  interface ObjectFormat {
    Optional<Dataset.Entry> entry(JsonNode object, SourceLocation origin);
  }

  /** The entries of a file of lines; blank lines are passed over. */
  List<Dataset.Entry> lines(LineFormat format) {
    List<Dataset.Entry> entries = new ArrayList<>();
    int number = 0;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new BoundedLines(Files.newInputStream(path)),
                StandardCharsets.UTF_8.newDecoder()))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        if (entries.size() == limit) {
          return entries;
        }
        if (!line.isBlank()) {
          format.entry(line, at(number)).ifPresent(entries::add);
        }
      }
      return entries;
    } catch (CharacterCodingException e) {
      throw at(number + 1).error("not UTF-8 text", "save the file as UTF-8");
    } catch (IOException e) {
      throw at(0).error("cannot be read: " + e.getMessage(), "check the file");
    }
  }

  /** The entries of a file of one JSON object a line. */
  List<Dataset.Entry> jsonLines(ObjectFormat format) {
    return lines((line, origin) -> format.entry(object(line, origin), origin));
  }

  /** The entries of a file that is one JSON list of objects; it is not held in memory whole. */
  List<Dataset.Entry> jsonList(ObjectFormat format) {
    List<Dataset.Entry> entries = new ArrayList<>();
    try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8);
        JsonParser parser = JSON.createParser(reader)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw at(1).error("not a JSON list", "begin it with [ and separate entries by commas");
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        SourceLocation origin = at(parser.currentTokenLocation().getLineNr());
        if (entries.size() == limit) {
          return entries;
        }
        JsonNode object = ONE_OF_MANY.readTree(parser);
        format.entry(checkObject(object, origin), origin).ifPresent(entries::add);
      }
      return entries;
    } catch (JsonProcessingException e) {
      throw notJson(e, e.getLocation() == null ? 0 : e.getLocation().getLineNr());
    } catch (CharacterCodingException e) {
      throw at(0).error("not UTF-8 text", "save the file as UTF-8");
    } catch (IOException e) {
      throw at(0).error("cannot be read: " + e.getMessage(), "check the file");
    }
  }

  private JsonNode object(String line, SourceLocation origin) {
    try {
      return checkObject(JSON.readTree(line), origin);
    } catch (JsonProcessingException e) {
      throw notJson(e, origin.line());
    }
  }

  private static JsonNode checkObject(JsonNode node, SourceLocation origin) {
    if (!node.isObject()) {
      throw origin.error("not a JSON object", "write {\"key\": value, …}");
    }
    return node;
  }

  /** In the library's words, without those of its own switches. */
  private ScenarioException notJson(JsonProcessingException e, int line) {
    String what =
        e.getOriginalMessage().lines().findFirst().orElse("")
            .replaceFirst("(: enable `| \\((not recognized|start marker)).*Feature.*", "");
    return at(line).error("not valid JSON: " + what, "mend or remove the entry");
  }

  private SourceLocation at(int line) {
    return SourceLocation.ofLine(path.toString(), line);
  }

  /** A field that must be a whole number of at least {@code least}. */
  static int count(JsonNode object, String field, int least, SourceLocation origin) {
    JsonNode value = object.path(field);
    if (value.isMissingNode()) {
      throw origin.error("\"" + field + "\" is missing", "write for example \"" + field + "\": 64");
    }
    boolean isWhole =
        value.isNumber() && value.asDouble() == Math.rint(value.asDouble());
    if (!isWhole || value.asDouble() < least || value.asDouble() > Lengths.MOST) {
      throw origin.error(
          "\"" + field + "\" must be a whole number from " + least + " to " + Lengths.MOST
              + ", was " + value,
          "mend or remove the entry");
    }
    return value.asInt();
  }

  /** A time from a number of units since some moment. */
  static long nanos(JsonNode value, double nanosPerUnit, String field, SourceLocation origin) {
    double nanos = value.asDouble() * nanosPerUnit;
    if (!value.isNumber() || !(nanos >= 0 && nanos < 4e18)) {
      throw origin.error(
          "\"" + field + "\" must be a number of at least 0, was " + value,
          "mend or remove the entry");
    }
    return Math.round(nanos);
  }
}
