package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The JSON schema of a scenario, made from the table of keys. */
final class ScenarioSchema {
  private static final String TIME =
      "^\\s*\\+?(\\s*(\\d+(\\.\\d+)?|\\.\\d+)\\s*"
          + "([uUµmM]?[sS]|[mM]([iI][nN])?|[hH]|[dD])){1,5}\\s*$";

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, JsonNode> definitions = new TreeMap<>();

  private ScenarioSchema() {}

  static ObjectNode whole() {
    ScenarioSchema schema = new ScenarioSchema();
    ObjectNode whole = schema.json.createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.put("$id", "urn:tallystick:scenario:1");
    whole.put("title", "A scenario of Tallystick, format 1");
    whole.put("description", "Requests to send, and what to judge them by.");
    whole.setAll(schema.object(ScenarioKeys.FIRST_LEVEL));
    ObjectNode named = whole.putObject("$defs");
    schema.definitions.forEach(named::set);
    return whole;
  }

  private ObjectNode object(ValueType.Keys section) {
    ObjectNode object = json.createObjectNode().put("type", "object");
    ObjectNode properties = object.putObject("properties");
    section.keys().forEach(key -> properties.set(key.name(), property(key)));
    List<String> required =
        section.keys().stream().filter(ValueType.Key::isRequired).map(ValueType.Key::name).toList();
    if (!required.isEmpty()) {
      required.forEach(object.putArray("required")::add);
    }
    object.put("additionalProperties", false);
    ArrayNode rules = json.createArrayNode();
    section.rules().forEach(rule -> rules.add(rule(rule)));
    return rules.isEmpty() ? object : object.set("allOf", rules);
  }

  private ObjectNode property(ValueType.Key key) {
    String value = key.unwritten().value();
    String words = key.unwritten().words();
    // What holds where a key is not written, and is no value of it, an editor shows beside it.
    boolean isTold = key.isRequired() || !value.isEmpty() || words.isEmpty();
    ObjectNode property =
        json.createObjectNode()
            .put(
                "description",
                key.description() + (isTold ? "" : " If not written: " + words + "."));
    property.setAll(type(key.type()));
    property.putArray("examples").add(ScenarioPlace.yaml(key.example()));
    return value.isEmpty() ? property : property.set("default", ScenarioPlace.yaml(value));
  }

  private ObjectNode rule(ValueType.Rule rule) {
    ArrayNode each = json.createArrayNode();
    rule.names().forEach(name -> each.addObject().putArray("required").add(name));
    if (rule.least() > 0) {
      return json.createObjectNode().set(rule.most() == 1 ? "oneOf" : "anyOf", each);
    }
    ObjectNode both = json.createObjectNode();
    rule.names().forEach(both.putArray("required")::add);
    return json.createObjectNode().set("not", both);
  }

  private ObjectNode type(ValueType type) {
    ObjectNode written = json.createObjectNode();
    return switch (type) {
      case ValueType.Text text when text.equals(ValueType.TEXT) ->
          named("text", text(text), "Text; a number or a truth value counts as its text.");
      case ValueType.Text text -> text(text).put("pattern", "^(" + text.form() + ")$");
      case ValueType.Flag flag -> written.put("type", "boolean");
      case ValueType.Choice choice -> {
        choice.words().forEach(written.putArray("enum")::add);
        yield written;
      }
      case ValueType.Number number -> number(number);
      case ValueType.Whole whole -> whole(whole);
      case ValueType.Share share -> share(share.hasEnds());
      case ValueType.Time time -> time();
      case ValueType.ListOf list -> {
        written.put("type", "array").put("minItems", list.least());
        if (list.most() < Integer.MAX_VALUE) {
          written.put("maxItems", list.most());
        }
        yield written.set("items", type(list.of()));
      }
      case ValueType.Names names -> {
        written.put("type", "object");
        written.putObject("propertyNames").put("pattern", "^(" + names.name() + ")$");
        yield written.set("additionalProperties", type(names.of()));
      }
      case ValueType.Fields fields -> written.put("type", "object");
      case ValueType.Keys keys -> object(keys);
      case ValueType.Either either -> {
        ArrayNode options = written.putArray("anyOf");
        either.options().forEach(one -> options.add(type(one)));
        yield written;
      }
      case ValueType.Shared shared ->
          named(shared.name(), type(shared.of()), shared.description());
    };
  }

  private ObjectNode text(ValueType.Text text) {
    ObjectNode written = json.createObjectNode();
    List.of("string", "number", "boolean").forEach(written.putArray("type")::add);
    return written;
  }

  private ObjectNode number(ValueType.Number number) {
    ObjectNode written = json.createObjectNode().put("type", "number");
    boolean isOpen = number.isAbove() && number.least() == 0;
    written.put(isOpen ? "exclusiveMinimum" : "minimum", plain(number.least()));
    return number.most() == Double.MAX_VALUE
        ? written
        : written.put("maximum", plain(number.most()));
  }

  private ObjectNode whole(ValueType.Whole whole) {
    ObjectNode written = json.createObjectNode().put("type", "integer");
    return whole.least() == Long.MIN_VALUE
        ? written
        : written.put("minimum", whole.least()).put("maximum", whole.most());
  }

  private ObjectNode share(boolean hasEnds) {
    ObjectNode share = json.createObjectNode();
    share
        .putArray("anyOf")
        .add(
            json.createObjectNode()
                .put("type", "number")
                .put(hasEnds ? "minimum" : "exclusiveMinimum", 0)
                .put(hasEnds ? "maximum" : "exclusiveMaximum", 1))
        .add(
            json.createObjectNode().put("type", "string").put("pattern", "^\\d+(\\.\\d+)?%$"));
    return hasEnds
        ? named("share", share, "A share from 0 to 1, as 0.99 or 99%.")
        : named("inner_share", share, "A share above 0 and below 1, as 0.99 or 99%.");
  }

  private ObjectNode time() {
    return named(
        "duration",
        json.createObjectNode().put("type", "string").put("pattern", TIME),
        "A length of time with its unit: 500ms, 2s, 1m30s, 1h; at most 30 days.");
  }

  private ObjectNode named(String name, ObjectNode type, String description) {
    definitions.put(
        name, json.createObjectNode().put("description", description).setAll(type));
    return json.createObjectNode().put("$ref", "#/$defs/" + name);
  }

  private static BigDecimal plain(double number) {
    BigDecimal plain = BigDecimal.valueOf(number).stripTrailingZeros();
    return plain.scale() < 0 ? plain.setScale(0) : plain;
  }
}
