package tallystick.runrecord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.Map;
import tallystick.scenario.PlainText;

/**
 * Makes the names in a manifest or in settings fit to be shown: a record may come from anywhere,
 * and every reader of it prints its names. Rows are made plain the same way, so names still match.
 */
final class PlainNames {
  /** Text of JSON that is laid over requests, and no name. */
  private static final String EXTRA_BODY = "extra_body";

  private PlainNames() {}

  /** The same value with plain names; the very same where they are plain already. */
  static <T> T of(T value, Class<T> type) throws IOException {
    JsonNode tree = RecordJson.MAPPER.valueToTree(value);
    JsonNode plain = plain(tree);
    return plain.equals(tree) ? value : RecordJson.MAPPER.treeToValue(plain, type);
  }

  private static JsonNode plain(JsonNode node) {
    return switch (node) {
      case TextNode text -> TextNode.valueOf(PlainText.name(text.textValue()));
      case ArrayNode list -> {
        ArrayNode items = RecordJson.MAPPER.createArrayNode();
        list.forEach(item -> items.add(plain(item)));
        yield items;
      }
      case ObjectNode object -> {
        ObjectNode fields = RecordJson.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          boolean isName = !field.getKey().equals(EXTRA_BODY);
          fields.set(
              PlainText.name(field.getKey()), isName ? plain(field.getValue()) : field.getValue());
        }
        yield fields;
      }
      default -> node;
    };
  }
}
