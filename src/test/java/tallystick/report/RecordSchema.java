package tallystick.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Modifier;
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
public final class RecordSchema {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Map<String, String> UNITS =
      Map.ofEntries(
          Map.entry("_seconds", "Unit: seconds."),
          Map.entry("_ns", "Unit: nanoseconds."),
          Map.entry("_per_second", "Unit: 1 per second."),
          Map.entry("_tokens", "Unit: tokens."),
          Map.entry("_per_million_output_tokens", "Unit: that of the price."),
          Map.entry("_bytes", "Unit: bytes."),
          Map.entry("_share", "A share from 0 to 1."),
          Map.entry("_ratio", "A ratio; 1 is the whole."));

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, ObjectNode> definitions = new TreeMap<>();

  private final boolean isFigures;

  private RecordSchema(boolean isFigures) {
    this.isFigures = isFigures;
  }

  /** The whole schema of a record. */
  static ObjectNode of(Class<?> root, String id, String title) {
    return new RecordSchema(false).whole(root, id, title);
  }

  /**
   * The same of the figures of an answer, as {@link AnalysisJson#figures} writes them: enums by
   * their names, what is unknown left out, and the parts of one object from several records.
   */
  public static ObjectNode ofFigures(Class<?> root, String id, String title) {
    return new RecordSchema(true).whole(root, id, title);
  }

  private ObjectNode whole(Class<?> root, String id, String title) {
    ObjectNode whole = json.createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.put("$id", id).put("title", title);
    ObjectNode reference = type(root);
    ObjectNode all = json.createObjectNode();
    definitions.forEach(all::set);
    whole.setAll(reference);
    whole.set("$defs", all);
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
    if (of == boolean.class || of == Boolean.class) {
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
        Arrays.stream(choice.getEnumConstants()).map(this::word)
            .map(json.getNodeFactory()::textNode).toList());
    return defined(name(choice), words);
  }

  private String word(Object constant) {
    if (isFigures) {
      return json.convertValue(constant, String.class);
    }
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
    ArrayNode required = json.createArrayNode();
    fields(of, true, properties, required);
    object.set("required", required);
    object.put("additionalProperties", false);
    return reference;
  }

  /** The fields of a record, those of its unwrapped parts among them. */
  private void fields(Class<?> of, boolean isThere, ObjectNode properties, ArrayNode required) {
    Map<String, String> told = told(of);
    for (RecordComponent part : of.getRecordComponents()) {
      if (part.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        Class<?> inner = part.getType();
        List<Class<?>> kinds =
            inner.isSealed() ? List.of(inner.getPermittedSubclasses()) : List.of(inner);
        kinds.forEach(kind -> fields(kind, false, properties, required));
        continue;
      }
      String field = SnakeCaseStrategy.INSTANCE.translate(part.getName());
      ObjectNode value = type(part.getGenericType());
      String description = described(field, told.getOrDefault(part.getName(), ""));
      properties.set(field, description.isEmpty() ? value : value.put("description", description));
      if (isThere && !isSpared(of, part)) {
        required.add(field);
      }
    }
    if (isFigures) {
      questions(of, properties, required);
    }
  }

  /** What a record tells beside its components: Jackson writes a public {@code isLost} as lost. */
  private void questions(Class<?> of, ObjectNode properties, ArrayNode required) {
    Arrays.stream(of.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == boolean.class)
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !method.isAnnotationPresent(JsonIgnore.class))
        .filter(method -> method.getName().matches("is[A-Z].*"))
        .map(method -> method.getName().substring("is".length()))
        .map(SnakeCaseStrategy.INSTANCE::translate)
        .sorted()
        .forEach(
            field -> {
              properties.set(field, type(boolean.class));
              required.add(field);
            });
  }

  /** Whether a field is left out where its value is not known. */
  private static boolean isSpared(Class<?> of, RecordComponent part) {
    boolean isOwn = part.getAccessor().isAnnotationPresent(JsonInclude.class);
    boolean isBoxed = Number.class.isAssignableFrom(part.getType());
    return isOwn || isBoxed && of.isAnnotationPresent(JsonInclude.class);
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
    int head = head(of, text);
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

  /** Where a record begins; those of one name in one file lie in different types. */
  private static int head(Class<?> of, String text) {
    Class<?> outer = of.getEnclosingClass();
    int from =
        outer == null || outer.getEnclosingClass() == null
            ? 0
            : Math.max(0, text.indexOf("record " + outer.getSimpleName() + "("));
    return text.indexOf("record " + of.getSimpleName() + "(", from);
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
    if (isFigures) {
      words.putArray("enum").add("NaN").add("Infinity").add("-Infinity");
    } else {
      words.putArray("enum").add("+Inf").add("-Inf");
    }
    return words;
  }

  private static String name(Class<?> of) {
    return of.getEnclosingClass() == null
        ? of.getSimpleName()
        : name(of.getEnclosingClass()) + "." + of.getSimpleName();
  }
}
