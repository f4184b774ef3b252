package tallystick.runrecord;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tallystick.plan.Phase;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.scenario.PlainText;

/** The record's JSON dialect: snake_case names, lower-case words for closed choices. */
final class RecordJson {
  static final ObjectMapper MAPPER = mapper();

  private RecordJson() {}

  /** The word a closed choice is written as. */
  static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** The choice a word stands for. */
  static <E extends Enum<E>> E choice(Class<E> type, String word) throws IOException {
    try {
      return Enum.valueOf(type, word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IOException("unknown word " + PlainText.name(word), e);
    }
  }

  /** A field that no row of its kind is without. */
  static JsonNode need(JsonNode row, String name) throws IOException {
    JsonNode value = row.get(name);
    if (value == null) {
      throw new IOException("it has no " + name);
    }
    return value;
  }

  /** A whole number that a field must hold. */
  static long whole(JsonNode value, String name) throws IOException {
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new IOException(name + " is not a whole number");
    }
    return value.longValue();
  }

  /** The whole number at a parser's place; a fraction is not cut to one. */
  static long whole(JsonParser in) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new JsonParseException(in, in.currentName() + " is not a whole number");
    }
    return in.getLongValue();
  }

  /** The same of a number that fits into an {@code int}. */
  static int wholeInt(JsonParser in) throws IOException {
    whole(in);
    return in.getIntValue();
  }

  /** A whole number that a field must hold and that may not be negative. */
  static int small(JsonNode value, String name) throws IOException {
    long number = whole(value, name);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new IOException(name + " must be >= 0 and below 2147483648, was " + number);
    }
    return (int) number;
  }

  /** A number, or NaN or an infinity as text. */
  static double real(JsonNode value, String name) throws IOException {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    return switch (text(value, name)) {
      case "NaN" -> Double.NaN;
      case "Infinity", "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Infinity", "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> throw new IOException(name + " is not a number");
    };
  }

  /** The numbers of a list at a parser's place, without an object for each. */
  static double[] reals(JsonParser in, String name) throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw new IOException(name + " is not a list");
    }
    double[] numbers = new double[64];
    int size = 0;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      numbers = size < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * size);
      numbers[size++] =
          in.currentToken().isNumeric() ? in.getDoubleValue() : real(in.readValueAsTree(), name);
    }
    return Arrays.copyOf(numbers, size);
  }

  /** The same of numbers that are whole and not negative. */
  static int[] smalls(JsonParser in, String name) throws IOException {
    double[] numbers = reals(in, name);
    int[] smalls = new int[numbers.length];
    for (int i = 0; i < smalls.length; i++) {
      smalls[i] = (int) numbers[i];
      if (smalls[i] != numbers[i] || smalls[i] < 0) {
        throw new IOException(name + " must be whole, >= 0 and below 2147483648");
      }
    }
    return smalls;
  }

  /** The text that a field must hold. */
  static String text(JsonNode value, String name) throws IOException {
    if (!value.isTextual()) {
      throw new IOException(name + " is not a text");
    }
    return value.textValue();
  }

  /** Reads what stands at a parser's place. */
  interface Shape<T> {
    T read(JsonParser in) throws IOException;
  }

  /** The only value of some bytes; a second one beside it is damage. */
  static <T> T oneOf(byte[] bytes, int from, int length, Shape<T> shape) throws IOException {
    try (JsonParser in = MAPPER.getFactory().createParser(bytes, from, length)) {
      T value = shape.read(in);
      if (in.nextToken() != null) {
        throw new IOException("two rows on one line");
      }
      return value;
    }
  }

  /** The only JSON object of some bytes. */
  static JsonNode tree(byte[] bytes, int from, int length) throws IOException {
    JsonNode tree = oneOf(bytes, from, length, in -> (JsonNode) MAPPER.readTree(in));
    if (tree == null || !tree.isObject()) {
      throw new IOException("a line must be a JSON object");
    }
    return tree;
  }

  /**
   * The value a tree stands for. A type fills in what older records lack, so whatever is still
   * missing afterwards is damage.
   */
  static <T> T whole(JsonNode tree, Class<T> type) throws JsonProcessingException {
    try {
      T value = MAPPER.treeToValue(tree, type);
      if (holdsNull(MAPPER.valueToTree(value))) {
        throw JsonMappingException.from((JsonParser) null, "a field is missing");
      }
      return value;
    } catch (IllegalArgumentException e) {
      throw JsonMappingException.from((JsonParser) null, "fields contradict themselves", e);
    }
  }

  private static boolean holdsNull(JsonNode tree) {
    return tree.isNull() || tree.valueStream().anyMatch(RecordJson::holdsNull);
  }

  private static ObjectMapper mapper() {
    SimpleModule words = new SimpleModule("words");
    words.addSerializer(Enum.class, new WordSerializer());
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        // A count of 1.5 is damage; cut to 1 it would pass for sound.
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .addMixIn(Prompt.class, PromptShape.class)
        .addMixIn(Phase.class, PhaseShape.class)
        .addMixIn(PlannedRequest.class, RequestShape.class)
        .addModule(words)
        .serializationInclusion(JsonInclude.Include.ALWAYS)
        .build();
  }

  /** A prompt is recognised by its fields: {@code tokens} or {@code messages}. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
  @JsonSubTypes({
    @JsonSubTypes.Type(Prompt.Synthetic.class),
    @JsonSubTypes.Type(Prompt.Text.class)
  })
  private interface PromptShape {}

  /** A plan without a ramp reads as it always did, and so has the same fingerprint. */
  private interface PhaseShape {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    boolean ramp();
  }

  /** Nor does one without tools and sub-agents. */
  private interface RequestShape {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    boolean tool();

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    int agent();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<Integer> after();

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    boolean forgets();
  }

  @SuppressWarnings("rawtypes")
  private static final class WordSerializer extends JsonSerializer<Enum> {
    @Override
    public void serialize(Enum value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(word(value));
    }
  }
}
