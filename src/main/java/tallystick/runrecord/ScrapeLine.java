package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** What a line says of a scrape beside its lists, and these. */
record ScrapeLine(JsonNode fields, int[] ids, double[] values, int[] gone) {
  static ScrapeLine read(JsonParser in) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("a line must be a JSON object");
    }
    ObjectNode fields = RecordJson.MAPPER.createObjectNode();
    int[] ids = {};
    double[] values = {};
    int[] gone = {};
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      fields.putNull(name);
      switch (name) {
        case "id" -> ids = RecordJson.smalls(in, name);
        case "value" -> values = RecordJson.reals(in, name);
        case "gone" -> gone = RecordJson.smalls(in, name);
        default -> fields.set(name, in.readValueAsTree());
      }
    }
    return new ScrapeLine(fields, ids, values, gone);
  }
}
