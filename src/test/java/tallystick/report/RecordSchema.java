package tallystick.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.result.Choice;
import tallystick.analysis.result.Figure;

/**
 * The JSON Schema of a record as {@link AnalysisJson} writes it. Descriptions are the records' own
 * Javadoc; a number without one is described by what its name says.
 */
final class RecordSchema {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("_seconds", "Unit: seconds."),
          Map.entry("_ns", "Unit: nanoseconds."),
          Map.entry("_per_second", "Unit: 1 per second."),
          Map.entry("_tokens", "Unit: tokens."),
          Map.entry("_bytes", "Unit: bytes."),
          Map.entry("_share", "A share from 0 to 1."),
          Map.entry("_ratio", "A ratio; 1 is the whole."));

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, ObjectNode> definitions = new TreeMap<>();

  private RecordSchema() {}

  /** The whole schema of a record. */
  static ObjectNode of(Class<?> root, String id, String title) {
    RecordSchema schema = new RecordSchema();
    ObjectNode whole = schema.json.createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.put("$id", id).put("title", title);
    ObjectNode reference = schema.type(root);
    ObjectNode definitions = schema.json.createObjectNode();
    schema.definitions.forEach(definitions::set);
    whole.setAll(reference);
    whole.set("$defs", definitions);
    return whole;
  }

  private ObjectNode type(Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic(generic);
    }
    Class<?> of = (Class<?>) type;
    if (of == Figure.class) {
      return defined("Figure", figure());
    }
    if (of == double.class || of == Double.class) {
      return defined("Number", number());
    }
    if (of == double[].class) {
      ObjectNode array = json.createObjectNode().put("type", "array");
      array.set("items", defined("Number", number()));
      return array;
    }
    if (of == boolean.class) {
      return json.createObjectNode().put("type", "boolean");
    }
    if (of == int.class || of == long.class || of == Long.class || of == Integer.class) {
      return json.createObjectNode().put("type", "integer");
    }
    if (of == String.class) {
      return json.createObjectNode().put("type", "string");
    }
    return of.isEnum() ? words(of) : record(of);
  }

  private ObjectNode generic(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      ObjectNode array = json.createObjectNode().put("type", "array");
      array.set("items", type(arguments[0]));
      return array;
    }
    if (type.getRawType() != Map.class) {
      throw new IllegalStateException("no rule for " + type);
    }
    ObjectNode map = json.createObjectNode().put("type", "object");
    if (arguments[0] instanceof Class<?> key && key.isEnum()) {
      map.set("propertyNames", type(key));
    }
    map.set("additionalProperties", type(arguments[1]));
    return map;
  }

  private ObjectNode words(Class<?> choice) {
    ObjectNode words = json.createObjectNode();
    words.putArray("enum").addAll(
        Arrays.stream(choice.getEnumConstants()).map(RecordSchema::word)
            .map(json.getNodeFactory()::textNode).toList());
    return defined(name(choice), words);
  }

  private static String word(Object constant) {
    return constant instanceof Choice choice
        ? choice.code()
        : ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
  }

  private ObjectNode record(Class<?> of) {
    if (!of.isRecord()) {
      throw new IllegalStateException("no rule for " + of);
    }
    String name = name(of);
    ObjectNode reference = json.createObjectNode().put("$ref", "#/$defs/" + name);
    if (definitions.containsKey(name)) {
      return reference;
    }
    ObjectNode object = json.createObjectNode().put("type", "object");
    definitions.put(name, object);
    ObjectNode properties = object.putObject("properties");
    Map<String, String> told = told(of);
    for (RecordComponent part : of.getRecordComponents()) {
      String field = SnakeCaseStrategy.INSTANCE.translate(part.getName());
      ObjectNode value = type(part.getGenericType());
      String description = described(field, told.getOrDefault(part.getName(), ""));
      properties.set(field, description.isEmpty() ? value : value.put("description", description));
    }
    object.putArray("required").addAll(
        Arrays.stream(of.getRecordComponents())
            .map(part -> SnakeCaseStrategy.INSTANCE.translate(part.getName()))
            .map(json.getNodeFactory()::textNode).toList());
    object.put("additionalProperties", false);
    return reference;
  }

  private static String described(String field, String told) {
    String unit =
        UNITS.entrySet().stream()
            .filter(entry -> ("_" + field).endsWith(entry.getKey()))
            .max(Map.Entry.comparingByKey(Comparator.comparingInt(String::length)))
            .map(Map.Entry::getValue)
            .orElse("");
    return (told + (told.isEmpty() || told.endsWith(".") ? " " : ". ") + unit).strip();
  }

  /** Component → its words in the Javadoc of the record. */
  private static Map<String, String> told(Class<?> of) {
    Map<String, String> told = new TreeMap<>();
    String text = source(of);
    int head = text.indexOf("record " + of.getSimpleName() + "(");
    int begin = text.lastIndexOf("/**", head);
    int end = text.indexOf("*/", begin);
    // Between a record's Javadoc and its head stand only annotations and modifiers.
    if (begin < 0 || text.substring(end, head).contains("}")) {
      return told;
    }
    String[] parts = text.substring(begin, end).split("@param ");
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String[] words = part.split("\\s+", 2);
      told.put(words[0], plain(words[1]));
    }
    return told;
  }

  private static String plain(String javadoc) {
    return javadoc
        .replaceAll("\\n\\s*\\*", " ")
        .replaceAll("@(return|throws).*", "")
        .replaceAll("\\{@\\w+ ([^}]*)}", "$1")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String source(Class<?> of) {
    Class<?> outer = of;
    while (outer.getEnclosingClass() != null) {
      outer = outer.getEnclosingClass();
    }
    try {
      return Files.readString(SOURCES.resolve(outer.getName().replace('.', '/') + ".java"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private ObjectNode defined(String name, ObjectNode definition) {
    definitions.putIfAbsent(name, definition);
    return json.createObjectNode().put("$ref", "#/$defs/" + name);
  }

  private ObjectNode number() {
    ObjectNode number = json.createObjectNode();
    number.put("description", "A number; null is a hole in a line or a value that is not there.");
    number.putArray("anyOf")
        .add(json.createObjectNode().put("type", "number"))
        .add(json.createObjectNode().put("type", "null"))
        .add(infinite());
    return number;
  }

  private ObjectNode figure() {
    ObjectNode missing = json.createObjectNode().put("type", "object");
    missing.putObject("properties").putObject("na").put("type", "string")
        .put("description", "Why there is no number.");
    missing.putArray("required").add("na");
    missing.put("additionalProperties", false);
    ObjectNode figure = json.createObjectNode();
    figure.put("description", "A number, or why there is none. Seconds unless its field says.");
    figure.putArray("anyOf")
        .add(json.createObjectNode().put("type", "number"))
        .add(infinite())
        .add(missing);
    return figure;
  }

  private ObjectNode infinite() {
    ObjectNode words = json.createObjectNode();
    words.putArray("enum").add("+Inf").add("-Inf");
    return words;
  }

  private static String name(Class<?> of) {
    return of.getEnclosingClass() == null
        ? of.getSimpleName()
        : name(of.getEnclosingClass()) + "." + of.getSimpleName();
  }
}
