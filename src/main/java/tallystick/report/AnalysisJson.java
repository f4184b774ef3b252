package tallystick.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.result.Choice;
import tallystick.analysis.result.Figure;

/**
 * {@code analysis.json}: everything the analysis says, for programs. A missing figure is
 * {@code {"na": "why"}}, an infinity {@code "+Inf"}, a hole in a line {@code null}.
 */
final class AnalysisJson {
  private static final ObjectWriter ANALYSIS = writer(mapper());

  /** An answer's figures: a record's components as Jackson writes them, words as in the code. */
  private static final ObjectWriter FIGURES = writer(base().build());

  private AnalysisJson() {}

  /**
   * Writes an analysis, or any record of it, by the same rules; the caller closes the stream.
   *
   * @throws IOException if the stream does not take it
   */
  static void write(Object words, OutputStream out) throws IOException {
    ANALYSIS.writeValue(out, words);
    out.write('\n');
  }

  /**
   * The figures of an answer, in a file of their own.
   *
   * @throws IOException if a figure cannot be written
   */
  static String figures(Object figures) throws IOException {
    return FIGURES.writeValueAsString(figures) + "\n";
  }

  private static ObjectWriter writer(JsonMapper mapper) {
    return mapper
        .writer(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")))
        .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  }

  private static JsonMapper.Builder base() {
    return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
  }

  private static JsonMapper mapper() {
    SimpleModule words = new SimpleModule("tallystick");
    words.addSerializer(Figure.class, serializer(AnalysisJson::writeFigure));
    words.addSerializer(Double.class, serializer(AnalysisJson::writeNumber));
    words.addSerializer(double.class, serializer(AnalysisJson::writeNumber));
    words.addSerializer(double[].class, serializer(AnalysisJson::writeNumbers));
    words.addSerializer(enumClass(), serializer(AnalysisJson::writeWord));
    words.addSerializer(Map.class, serializer(AnalysisJson::writeMap));
    return base()
        // Methods such as isSimulated() are no part of the format; components are.
        .visibility(PropertyAccessor.ALL, Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
        .addModule(words)
        .build();
  }

  private static void writeFigure(Figure figure, JsonGenerator json) throws IOException {
    switch (figure) {
      case Figure.Known known -> writeNumber(known.value(), json);
      case Figure.Unavailable missing -> {
        json.writeStartObject();
        json.writeStringField("na", missing.reason());
        json.writeEndObject();
      }
    }
  }

  private static void writeNumber(Double value, JsonGenerator json) throws IOException {
    if (value.isNaN()) {
      json.writeNull();
    } else if (value.isInfinite()) {
      json.writeString(value > 0 ? "+Inf" : "-Inf");
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber(value.longValue());
    } else {
      json.writeNumber(value);
    }
  }

  private static void writeNumbers(double[] values, JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (double value : values) {
      writeNumber(value, json);
    }
    json.writeEndArray();
  }

  private static void writeWord(Enum<?> word, JsonGenerator json) throws IOException {
    json.writeString(word(word));
  }

  private static void writeMap(Map<?, ?> map, JsonGenerator json) throws IOException {
    TreeMap<String, Object> inOrder = new TreeMap<>();
    map.forEach((key, value) -> inOrder.put(word(key), value));
    json.writeStartObject();
    for (Map.Entry<String, Object> entry : inOrder.entrySet()) {
      json.writeObjectField(entry.getKey(), entry.getValue());
    }
    json.writeEndObject();
  }

  private static String word(Object word) {
    return switch (word) {
      case Choice choice -> choice.code();
      case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
      default -> word.toString();
    };
  }

  @SuppressWarnings("unchecked")
  private static Class<Enum<?>> enumClass() {
    return (Class<Enum<?>>) (Class<?>) Enum.class;
  }

  private static <T> JsonSerializer<T> serializer(Writer<T> writer) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writer.write(value, json);
      }
    };
  }

  private interface Writer<T> {
    void write(T value, JsonGenerator json) throws IOException;
  }
}
