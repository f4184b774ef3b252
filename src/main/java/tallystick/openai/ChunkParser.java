package tallystick.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Usage;

/**
 * Reads the data of one event after the other and keeps what the stream has said so far. One
 * stream, one thread; reads token by token and builds no tree, because it runs between two
 * arrivals.
 */
final class ChunkParser {
  private static final JsonFactory JSON = new JsonFactory();
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final int MAXIMUM_CHOICES = 1024;

  private final StringBuilder text = new StringBuilder();
  private final boolean keepText;
  private int[] tokensOfChoice = new int[1];

  private boolean hasText;
  private int listedTokens;
  private boolean tokensListed;
  private int choiceIndex;
  private int choiceCount;
  private int chunkCompletionTokens;

  private Usage usage = Usage.NONE;
  private String finishReason = "";
  private char[] streamId = new char[0];
  private boolean idChanging;
  private String error = "";
  private EngineTimings engine = EngineTimings.NONE;

  ChunkParser(boolean keepText) {
    this.keepText = keepText;
  }

  /** What one event was. */
  enum Kind {
    /** Text, reasoning or tool-call text, or tokens without text. */
    CONTENT,
    /** Role, usage, an empty delta: not a token. */
    OTHER,
    /** An error object inside the stream. */
    ERROR
  }

  /**
   * Reads one event's data.
   *
   * @throws IOException if it is not the JSON of a chunk
   */
  Kind parse(String data) throws IOException {
    hasText = false;
    tokensListed = false;
    listedTokens = 0;
    choiceCount = 0;
    choiceIndex = 0;
    chunkCompletionTokens = RequestRow.UNKNOWN;
    try (JsonParser in = JSON.createParser(data)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("a chunk must be a JSON object");
      }
      readChunk(in);
      if (in.nextToken() != null) {
        throw new IOException("text after the chunk's object");
      }
    }
    if (!error.isEmpty()) {
      return Kind.ERROR;
    }
    return choiceCount > 0 && (hasText || tokens() > 0) ? Kind.CONTENT : Kind.OTHER;
  }

  /**
   * Tokens in the event just read, {@link RequestRow#UNKNOWN} where the server does not say; valid
   * until {@link #commit}.
   */
  int tokens() {
    if (tokensListed) {
      return listedTokens;
    }
    if (chunkCompletionTokens == RequestRow.UNKNOWN) {
      return RequestRow.UNKNOWN;
    }
    return Math.max(0, chunkCompletionTokens - tokensOfChoice[choiceIndex]);
  }

  /** Takes the event just read as counted. */
  void commit() {
    if (chunkCompletionTokens != RequestRow.UNKNOWN) {
      tokensOfChoice[choiceIndex] = chunkCompletionTokens;
    }
  }

  Usage usage() {
    return usage;
  }

  String finishReason() {
    return finishReason;
  }

  boolean isIdChanging() {
    return idChanging;
  }

  String error() {
    return error;
  }

  EngineTimings engine() {
    return engine;
  }

  String text() {
    return text.toString();
  }

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
        default -> in.skipChildren();
      }
    }
    if (choiceIndex >= MAXIMUM_CHOICES) {
      throw new IOException("choice index " + choiceIndex + " is beyond " + MAXIMUM_CHOICES);
    }
    if (choiceIndex >= tokensOfChoice.length) {
      tokensOfChoice = Arrays.copyOf(tokensOfChoice, choiceIndex + 1);
    }
    if (choiceCount == 0) {
      chunkCompletionTokens = RequestRow.UNKNOWN;
    }
  }

  private void takeId(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.VALUE_STRING || idChanging) {
      in.skipChildren();
    } else if (streamId.length == 0) {
      streamId = in.getText().toCharArray();
    } else {
      int from = in.getTextOffset();
      int to = from + in.getTextLength();
      char[] text = in.getTextCharacters();
      idChanging = !Arrays.equals(streamId, 0, streamId.length, text, from, to);
    }
  }

  private void readChoices(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      throw new IOException("choices must be an array");
    }
    while (in.nextToken() == JsonToken.START_OBJECT) {
      choiceCount++;
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        JsonToken field = in.nextToken();
        switch (name) {
          case "index" -> choiceIndex = Math.max(0, in.getValueAsInt());
          case "text" -> takeText(in, field);
          case "delta" -> readDelta(in, field);
          case "finish_reason" -> takeFinishReason(in, field);
          case "token_ids" -> countTokenIds(in, field);
          default -> in.skipChildren();
        }
      }
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
        case "reasoning", "reasoning_content" -> hasText |= isText(in, field);
        case "tool_calls" -> {
          if (field == JsonToken.START_ARRAY) {
            hasText |= in.nextToken() != JsonToken.END_ARRAY;
            skipRestOfArray(in);
          }
        }
        default -> in.skipChildren();
      }
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
      hasText = true;
      if (keepText) {
        text.append(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
      }
    }
  }

  private static boolean isText(JsonParser in, JsonToken field) throws IOException {
    return field == JsonToken.VALUE_STRING && in.getTextLength() > 0;
  }

  private void takeFinishReason(JsonParser in, JsonToken field) throws IOException {
    if (field == JsonToken.VALUE_STRING) {
      finishReason = in.getText();
    }
  }

  private void countTokenIds(JsonParser in, JsonToken field) throws IOException {
    if (field != JsonToken.START_ARRAY) {
      return;
    }
    tokensListed = true;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      listedTokens++;
    }
  }

  private void readUsage(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    int prompt = usage.promptTokens();
    int completion = usage.completionTokens();
    int cached = usage.cachedTokens();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      switch (name) {
        case "prompt_tokens" -> prompt = in.getValueAsInt(prompt);
        case "completion_tokens" -> completion = in.getValueAsInt(completion);
        case "prompt_tokens_details" -> cached = readCached(in, field, cached);
        default -> in.skipChildren();
      }
    }
    usage = new Usage(prompt, completion, cached);
    chunkCompletionTokens = completion;
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
        default -> in.skipChildren();
      }
    }
    engine = new EngineTimings(first, decode, queue, itl);
  }

  private void readError(JsonParser in, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
    error = value == JsonToken.VALUE_STRING ? in.getText() : "error";
    if (value == JsonToken.START_OBJECT) {
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        in.nextToken();
        if (name.equals("message")) {
          error = in.getValueAsString("error");
        }
        in.skipChildren();
      }
    }
  }
}
