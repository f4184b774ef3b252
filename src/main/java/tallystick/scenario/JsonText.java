package tallystick.scenario;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns fields that are added to request bodies into JSON text. */
final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** What the harness itself decides; a scenario says these elsewhere. */
  private static final Map<String, String> OWN_FIELDS =
      Map.of(
          "model", "write model: in the workload or the scenario",
          "prompt", "write prompt_tokens: or a dataset:",
          "messages", "write prompt_tokens: or a dataset:",
          "max_tokens", "write output_tokens:",
          "max_completion_tokens", "write request: {token_limit: max_completion_tokens}",
          "n", "write n: in the workload",
          "ignore_eos", "write request: {ignore_eos: false}",
          "stream", "remove it: every request streams",
          "stream_options", "write request: {continuous_usage: false} or request: {usage: false}");

  private JsonText() {}

  /**
   * The JSON object of extra body fields.
   *
   * @param layers mappings, a later one's fields replacing those of an earlier one
   */
  static String object(List<ScenarioValue> layers) {
    Map<String, Node.Entry> fields = new LinkedHashMap<>();
    for (ScenarioValue layer : layers) {
      if (!(layer.node() instanceof Node.Mapping mapping)) {
        throw layer.wrong("fields and values", "extra_body: {temperature: 0.7}");
      }
      mapping.entries().forEach((key, entry) -> {
        refuseOwn(key, entry);
        fields.put(key, entry);
      });
    }
    Node.Mapping mapping = new Node.Mapping(SourceLocation.ofOption("extra_body"), fields);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      write(json, mapping);
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory could not be written", e);
    }
    return text.toString();
  }

  private static void refuseOwn(String key, Node.Entry entry) {
    if (OWN_FIELDS.containsKey(key)) {
      throw entry.origin().error(
          "extra_body must not hold \"" + key + "\"", OWN_FIELDS.get(key));
    }
  }

  private static void write(JsonGenerator json, Node node) throws IOException {
    switch (node) {
      case Node.Mapping mapping -> {
        json.writeStartObject();
        for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
          json.writeFieldName(entry.getKey());
          write(json, entry.getValue().value());
        }
        json.writeEndObject();
      }
      case Node.Sequence sequence -> {
        json.writeStartArray();
        List<Node> items = sequence.items();
        for (Node item : items) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case Node.Scalar scalar -> write(json, scalar);
    }
  }

  private static void write(JsonGenerator json, Node.Scalar scalar) throws IOException {
    switch (scalar.kind()) {
      case TEXT -> json.writeString(scalar.text());
      case BOOLEAN -> json.writeBoolean(Boolean.parseBoolean(scalar.text()));
      case NULL -> json.writeNull();
      case NUMBER -> {
        ScenarioValue value = new ScenarioValue(scalar.origin(), "extra_body", scalar);
        double number = value.number("temperature: 0.7");
        if (scalar.text().matches("-?\\d{1,18}")) {
          json.writeNumber(Long.parseLong(scalar.text()));
        } else {
          json.writeNumber(number);
        }
      }
    }
  }
}
