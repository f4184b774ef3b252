package tallystick.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tallystick.runrecord.RequestRow.EngineTimings;

/** Reads any chunk as JSON, token by token and without building a tree. */
final class ChunkJson {
  private static final JsonFactory JSON = new JsonFactory();
  private static final double MILLIS_PER_SECOND = 1e3;

  private final ChunkContents out;

  /** A reader of one stream, whose chunks are filled into {@code out}. */
  ChunkJson(ChunkContents out) {
    this.out = out;
  }

  /**
   * Reads one chunk.
   *
   * @throws IOException if it is not the JSON of one; what was read before stays in {@code out}
   */
  void read(String data) throws IOException {
    try (JsonParser in = JSON.createParser(data)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("a chunk must be a JSON object");
      }
      readChunk(in);
      if (in.nextToken() != null) {
        throw new IOException("text after the chunk's object");
      }
    }
  }

  /** Values of another kind than expected are passed over, whatever they hold. */
  private void readChunk(JsonParser in) throws IOException {
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken value = in.nextToken();
      switch (name) {
        case "id" -> takeId(in, value);
        case "choices" -> readChoices(in, value);
        case "usage" -> readUsage(in, value);
        case "metrics" -> readMetrics(in, value);
        case "error" -> readError(in, value);
        default -> { }
      }
      in.skipChildren();
    }
    if (out.choiceIndex >= ChunkContents.MAXIMUM_CHOICES) {
      throw new IOException(
          "choice index " + out.choiceIndex + " is beyond " + ChunkContents.MAXIMUM_CHOICES);
    }
  }

  private void takeId(JsonParser in, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      byte[] id = in.getText().getBytes(StandardCharsets.UTF_8);
      out.takeId(id, 0, id.length);
    }
  }

  private void readChoices(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      throw new IOException("choices must be an array");
    }
    while (in.nextToken() == JsonToken.START_OBJECT) {
      out.choiceCount++;
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        JsonToken field = in.nextToken();
        switch (name) {
          case "index" -> out.choiceIndex = Math.max(0, in.getValueAsInt());
          case "text" -> takeText(in, field);
          case "delta" -> readDelta(in, field);
          case "finish_reason" -> takeFinishReason(in, field);
          case "token_ids" -> countTokenIds(in, field);
          default -> { }
        }
        in.skipChildren();
      }
    }
    if (in.currentToken() != JsonToken.END_ARRAY) {
      throw new IOException("choices must hold objects");
    }
  }

  private void readDelta(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      switch (name) {
        case "content" -> takeText(in, field);
        case "reasoning", "reasoning_content" -> out.hasText |= isText(in, field);
        case "tool_calls" -> {
          if (field == JsonToken.START_ARRAY) {
            out.hasText |= in.nextToken() != JsonToken.END_ARRAY;
            skipRestOfArray(in);
          }
        }
        default -> { }
      }
      in.skipChildren();
    }
  }

  private static void skipRestOfArray(JsonParser in) throws IOException {
    while (in.currentToken() != JsonToken.END_ARRAY) {
      in.skipChildren();
      in.nextToken();
    }
  }

  private void takeText(JsonParser in, JsonToken field) throws IOException {
    if (isText(in, field)) {
      out.hasText = true;
      if (out.keepsText()) {
        out.text.append(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
      }
    }
  }

  private static boolean isText(JsonParser in, JsonToken field) throws IOException {
    return field == JsonToken.VALUE_STRING && in.getTextLength() > 0;
  }

  private void takeFinishReason(JsonParser in, JsonToken field) throws IOException {
    if (field == JsonToken.VALUE_STRING) {
      out.finishReason = in.getText();
    }
  }

  private void countTokenIds(JsonParser in, JsonToken field) throws IOException {
    if (field != JsonToken.START_ARRAY) {
      return;
    }
    out.listedTokens = Math.max(0, out.listedTokens);
    while (in.nextToken() != JsonToken.END_ARRAY) {
      in.skipChildren();
      out.listedTokens++;
    }
  }

  private void readUsage(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    int prompt = out.promptTokens;
    int completion = out.completionTokens;
    int cached = out.cachedTokens;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      switch (name) {
        case "prompt_tokens" -> prompt = in.getValueAsInt(prompt);
        case "completion_tokens" -> completion = in.getValueAsInt(completion);
        case "prompt_tokens_details" -> cached = readCached(in, field, cached);
        default -> { }
      }
      in.skipChildren();
    }
    out.hasUsage = true;
    out.promptTokens = prompt;
    out.completionTokens = completion;
    out.cachedTokens = cached;
  }

  private static int readCached(JsonParser in, JsonToken value, int before) throws IOException {
    int cached = before;
    if (value == JsonToken.START_OBJECT) {
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        in.nextToken();
        if (name.equals("cached_tokens")) {
          cached = in.getValueAsInt(before);
        }
        in.skipChildren();
      }
    }
    return cached;
  }

  private void readMetrics(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    double first = Double.NaN;
    double decode = Double.NaN;
    double queue = Double.NaN;
    double itl = Double.NaN;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      double seconds = in.getValueAsDouble(Double.NaN) / MILLIS_PER_SECOND;
      switch (name) {
        case "time_to_first_token_ms" -> first = seconds;
        case "generation_time_ms" -> decode = seconds;
        case "queue_time_ms" -> queue = seconds;
        case "mean_itl_ms" -> itl = seconds;
        default -> { }
      }
      in.skipChildren();
    }
    out.engine = new EngineTimings(first, decode, queue, itl);
  }

  private void readError(JsonParser in, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    out.error = value == JsonToken.VALUE_STRING ? in.getText() : "error";
    if (value == JsonToken.START_OBJECT) {
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        in.nextToken();
        if (name.equals("message")) {
          out.error = in.getValueAsString("error");
        }
        in.skipChildren();
      }
    }
  }
}
