package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.reach.SecretName;
import tallystick.reach.SecretPlace;

/**
 * Turns fields that are added to request bodies into JSON text.
 *
 * @param secrets reads the places that fields have instead of a secret
 */
record JsonText(SecretReader secrets) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What the harness itself decides; a scenario says these elsewhere. */
  private static final Map<String, String> OWN_FIELDS = ScenarioKeys.remedies("own fields");

  /**
   * The JSON object of extra body fields.
   *
   * @param layers mappings, a later one's fields replacing those of an earlier one
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
    return new JsonText(secrets).object(fields, false, false).toString();
  }

  private static void refuseOwn(String key, Node.Entry entry) {
    if (OWN_FIELDS.containsKey(key)) {
      throw entry.origin().error(
          "extra_body must not hold \"" + key + "\"", OWN_FIELDS.get(key));
    }
  }

  /**
   * The value of a field.
   *
   * @param isSecret whether its name, or one around it, says that it is a secret
   */
  private JsonNode value(String name, Node node, boolean isSecret) {
    return switch (node) {
      case Node.Mapping mapping ->
          secrets
              .place(name, mapping)
              .map(JsonText::place)
              // Below "properties" of a JSON schema stand names that a model fills in.
              .orElseGet(() -> object(mapping.entries(), isSecret, name.equals("properties")));
      case Node.Sequence sequence -> {
        ArrayNode items = JSON.arrayNode();
        sequence.items().forEach(item -> items.add(value(name, item, isSecret)));
        yield items;
      }
      case Node.Scalar scalar -> {
        boolean holdsOne = scalar.kind() == Node.Kind.TEXT || scalar.kind() == Node.Kind.NUMBER;
        if (isSecret && holdsOne) {
          throw SecretReader.literal(SecretReader.field(scalar.origin(), name, scalar), name);
        }
        yield value(scalar);
      }
    };
  }

  private ObjectNode object(Map<String, Node.Entry> fields, boolean isSecret, boolean isSchema) {
    ObjectNode object = JSON.objectNode();
    fields.forEach(
        (name, entry) -> {
          boolean isInner = isSecret && !SecretName.describes(name);
          object.set(
              name, value(name, entry.value(), !isSchema && (isInner || SecretName.is(name))));
        });
    return object;
  }

  private static ObjectNode place(SecretPlace place) {
    return place.env().isEmpty()
        ? JSON.objectNode().put("file", place.file())
        : JSON.objectNode().put("env", place.env());
  }

  private static JsonNode value(Node.Scalar scalar) {
    return switch (scalar.kind()) {
      case TEXT -> JSON.textNode(scalar.text());
      case BOOLEAN -> JSON.booleanNode(Boolean.parseBoolean(scalar.text()));
      case NULL -> JSON.nullNode();
      case NUMBER -> {
        double number =
            new ScenarioValue(
                    scalar.origin(), "extra_body", scalar, ValueType.TEXT, "temperature: 0.7")
                .anyNumber();
        yield scalar.text().matches("-?\\d{1,18}")
            ? JSON.numberNode(Long.parseLong(scalar.text()))
            : JSON.numberNode(number);
      }
    };
  }
}
