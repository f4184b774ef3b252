package tallystick.scenario;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.reach.SecretName;
import tallystick.reach.SecretPlace;

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
          "stream", "write request: {stream: false}",
          "stream_options", "write request: {continuous_usage: false} or request: {usage: false}");

  private final JsonGenerator json;
  private final SecretReader secrets;

  private JsonText(JsonGenerator json, SecretReader secrets) {
    this.json = json;
    this.secrets = secrets;
  }

  /**
   * The JSON object of extra body fields.
   *
   * @param layers mappings, a later one's fields replacing those of an earlier one
   * @param secrets reads the places that fields have instead of a secret
   */
  static String object(List<ScenarioValue> layers, SecretReader secrets) {
    Map<String, Node.Entry> fields = new LinkedHashMap<>();
    for (ScenarioValue layer : layers) {
      if (!(layer.node() instanceof Node.Mapping mapping)) {
        throw layer.wrong("fields and values");
      }
      mapping.entries().forEach((key, entry) -> {
        refuseOwn(key, entry);
        fields.put(key, entry);
      });
    }
    Node.Mapping mapping = new Node.Mapping(SourceLocation.ofOption("extra_body"), fields);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      new JsonText(json, secrets).writeObject(mapping, false, false);
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

  /**
   * Writes the value of a field.
   *
   * @param isSecret whether its name, or one around it, says that it is a secret
   */
  private void write(String name, Node node, boolean isSecret) throws IOException {
    switch (node) {
      case Node.Mapping mapping -> {
        Optional<SecretPlace> place = secrets.place(name, mapping);
        if (place.isPresent()) {
          writePlace(place.get());
        } else {
          // Below "properties" of a JSON schema stand names that a model fills in.
          writeObject(mapping, isSecret, name.equals("properties"));
        }
      }
      case Node.Sequence sequence -> {
        json.writeStartArray();
        for (Node item : sequence.items()) {
          write(name, item, isSecret);
        }
        json.writeEndArray();
      }
      case Node.Scalar scalar -> {
        boolean holdsOne = scalar.kind() == Node.Kind.TEXT || scalar.kind() == Node.Kind.NUMBER;
        if (isSecret && holdsOne) {
          throw SecretReader.literal(SecretReader.field(scalar.origin(), name, scalar), name);
        }
        write(json, scalar);
      }
    }
  }

  private void writeObject(Node.Mapping mapping, boolean isSecret, boolean isSchema)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
      String name = entry.getKey();
      boolean isInner = isSecret && !SecretName.describes(name);
      json.writeFieldName(name);
      write(name, entry.getValue().value(), !isSchema && (isInner || SecretName.is(name)));
    }
    json.writeEndObject();
  }

  private void writePlace(SecretPlace place) throws IOException {
    json.writeStartObject();
    if (place.env().isEmpty()) {
      json.writeStringField("file", place.file());
    } else {
      json.writeStringField("env", place.env());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Node.Scalar scalar) throws IOException {
    switch (scalar.kind()) {
      case TEXT -> json.writeString(scalar.text());
      case BOOLEAN -> json.writeBoolean(Boolean.parseBoolean(scalar.text()));
      case NULL -> json.writeNull();
      case NUMBER -> {
        double number =
            new ScenarioValue(
                    scalar.origin(), "extra_body", scalar, ValueType.TEXT, "temperature: 0.7")
                .anyNumber();
        if (scalar.text().matches("-?\\d{1,18}")) {
          json.writeNumber(Long.parseLong(scalar.text()));
        } else {
          json.writeNumber(number);
        }
      }
    }
  }
}
