package tallystick.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.util.Set;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;

/**
 * Reads chunks as JSON, token by token and without building a tree. One parser reads the data of
 * one event after the other, as a text of many values: making a parser for each costs more than
 * reading. One stream, one thread.
 */
final class ChunkJson implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Writer NOWHERE = Writer.nullWriter();
  private static final double MILLIS_PER_SECOND = 1e3;
  /** How the types of events of {@code /v1/responses} begin. */
  static final String RESPONSE = "response.";

  private static final String THINKING = "thinking";
  private static final Set<String> PART_TEXTS = Set.of("text", THINKING, "refusal");

  private final ChunkContents out;
  private final EventText text = new EventText();
  private JsonParser parser;

  /** Why the response that was read last is not whole; empty where it is. */
  private String incomplete = "";

  private String status = "";

  /** A reader of one stream, whose chunks are filled into {@code out}. */
  ChunkJson(ChunkContents out) {
    this.out = out;
  }

  /** Hands the data of one event at a time to a parser that thinks it one long text. */
  private static final class EventText extends Reader {
    private String data = "";
    private int handed;

    void begin(String next) {
      data = next;
      handed = 0;
    }

    @Override
    public int read(char[] chars, int offset, int length) {
      int size = Math.min(length, data.length() - handed);
      if (size <= 0) {
        return -1;
      }
      data.getChars(handed, handed + size, chars, offset);
      handed += size;
      return size;
    }

    /** Whether anything but blanks is left, beside the last that were handed over unread. */
    boolean hasMore(int unread) {
      for (int i = handed - unread; i < data.length(); i++) {
        if (" \t\r\n".indexOf(data.charAt(i)) < 0) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void close() {
      data = "";
      handed = 0;
    }
  }

  /**
   * Reads one chunk.
   *
   * @throws IOException if it is not the JSON of one; what was read before stays in {@code out}
   */
  void read(String data) throws IOException {
    text.begin(data);
    if (parser == null) {
      parser = JSON.createParser(text);
    }
    try {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("a chunk must be a JSON object");
      }
      readChunk(parser);
      if (text.hasMore(parser.releaseBuffered(NOWHERE))) {
        throw new IOException("text after the chunk's object");
      }
    } catch (IOException e) {
      // A parser that has failed stands somewhere inside.
      close();
      throw e;
    }
  }

  /** Gives back the parser's buffers. */
  @Override
  public void close() throws IOException {
    if (parser != null) {
      parser.close();
      parser = null;
    }
  }

  /** Values of another kind than expected are passed over, whatever they hold. */
  private void readChunk(JsonParser in) throws IOException {
    boolean isError = false;
    boolean isResponse = false;
    String message = "error";
    String type = "";
    String delta = "";
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken value = in.nextToken();
      switch (name) {
        case "id" -> takeId(in, value);
        case "object" -> {
          isError |= isWord(in, value, "error");
          isResponse |= isWord(in, value, "response");
        }
        case "type" -> type = in.getValueAsString("");
        case "delta" -> delta = in.getValueAsString("");
        case "response" -> readResponse(in, value);
        case "status", "incomplete_details", "output" -> readResponsePart(in, name, value);
        case "choices" -> readChoices(in, value);
        case "usage" -> readUsage(in, value);
        case "metrics" -> readMetrics(in, value);
        case "error" -> readError(in, value);
        case "message" -> message = in.getValueAsString(message);
        default -> { }
      }
      in.skipChildren();
    }
    if (type.startsWith(RESPONSE)) {
      takeResponse(type, delta);
    }
    if (isResponse) {
      takeEnd(status.equals("incomplete"));
    }
    if ((isError || type.equals("error")) && out.error.isEmpty()) {
      out.error = message;
    }
    if (out.choiceIndex >= ChunkContents.MAXIMUM_CHOICES) {
      throw new IOException(
          "choice index " + out.choiceIndex + " is beyond " + ChunkContents.MAXIMUM_CHOICES);
    }
  }

  /** An event of {@code /v1/responses}: a piece of the answer or of the thinking, or the end. */
  private void takeResponse(String type, String delta) {
    if (type.endsWith(".delta") && !delta.isEmpty()) {
      out.choiceCount = 1;
      out.hasText = true;
      if (type.contains("reasoning")) {
        out.hasThought = true;
      } else {
        out.hasAnswer = !delta.isBlank();
        if (out.keepsText() && type.equals("response.output_text.delta")) {
          out.text.append(delta);
        }
      }
    }
    if (type.equals("response.completed") || type.equals("response.incomplete")) {
      out.isResponseEnd = true;
      takeEnd(type.equals("response.incomplete"));
    }
    if (type.equals("response.failed") && out.error.isEmpty()) {
      out.error = "the response failed";
    }
  }

  /** The end of a response, streamed or whole. */
  private void takeEnd(boolean isIncomplete) {
    out.isFinish = true;
    String usual = status.equals("completed") || status.isEmpty() ? "stop" : status;
    out.finishReason = !incomplete.isEmpty() ? incomplete : isIncomplete ? "incomplete" : usual;
    if (status.equals("failed") && out.error.isEmpty()) {
      out.error = "the response failed";
    }
  }

  /** The whole response, which the events of its begin and its end hold. */
  private void readResponse(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    incomplete = "";
    status = "";
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      switch (name) {
        case "id" -> takeId(in, field);
        case "usage" -> readUsage(in, field);
        case "error" -> readError(in, field);
        case "status", "incomplete_details" -> readResponsePart(in, name, field);
        default -> { }
      }
      in.skipChildren();
    }
  }

  private void readResponsePart(JsonParser in, String name, JsonToken value) throws IOException {
    switch (name) {
      case "status" -> status = in.getValueAsString("");
      case "incomplete_details" -> readIncomplete(in, value);
      default -> readOutput(in, value);
    }
  }

  /** The items of a whole response: thinking, text, calls of tools. */
  private void readOutput(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_ARRAY) {
      return;
    }
    while (in.nextToken() == JsonToken.START_OBJECT) {
      String type = "";
      int before = out.text.length();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        JsonToken field = in.nextToken();
        switch (name) {
          case "type" -> type = in.getValueAsString("");
          case "content" -> takeContent(in, field);
          case "arguments" -> out.hasText |= isText(in, field);
          default -> { }
        }
        in.skipChildren();
      }
      if (!type.equals("message")) {
        out.text.setLength(before);
      }
    }
  }

  private void readIncomplete(JsonParser in, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      if (name.equals("reason") && isText(in, field)) {
        incomplete = isWord(in, field, "max_output_tokens") ? "length" : in.getText();
      }
      in.skipChildren();
    }
  }

  private static boolean isWord(JsonParser in, JsonToken value, String word) throws IOException {
    return value == JsonToken.VALUE_STRING
        && in.getTextLength() == word.length()
        && word.equals(in.getText());
  }

  private void takeId(JsonParser in, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      int from = in.getTextOffset();
      out.takeId(in.getTextCharacters(), from, from + in.getTextLength());
    }
  }

  private void readChoices(JsonParser in, JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return;
    }
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
          case "delta", "message" -> readDelta(in, field);
          case "finish_reason" -> takeFinishReason(in, field);
          case "token_ids" -> countTokenIds(in, field);
          case "logprobs", "prompt_logprobs", "prompt_token_ids", "stop_reason" -> { }
          default -> noteUnread(in, name, field);
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
        case "content" -> takeContent(in, field);
        case "reasoning", "reasoning_content" -> takeThinking(in, field);
        case "refusal" -> takeText(in, field);
        case "tool_calls" -> takeCall(in, field, JsonToken.START_ARRAY);
        case "function_call" -> takeCall(in, field, JsonToken.START_OBJECT);
        case "role" -> { }
        default -> noteUnread(in, name, field);
      }
      in.skipChildren();
    }
  }

  private void takeThinking(JsonParser in, JsonToken field) throws IOException {
    boolean isText = isText(in, field);
    out.hasText |= isText;
    out.hasThought |= isText;
  }

  private void takeCall(JsonParser in, JsonToken field, JsonToken start) throws IOException {
    boolean isFilled = isFilled(in, field, start);
    out.hasText |= isFilled;
    out.hasAnswer |= isFilled;
  }

  /**
   * Text, or a list of parts, of which each may hold a list of its own; what a part holds below
   * {@code thinking} is no answer yet.
   */
  private void takeContent(JsonParser in, JsonToken field) throws IOException {
    if (field != JsonToken.START_ARRAY) {
      takeText(in, field);
      return;
    }
    String name = "";
    int depth = 1;
    int thinkingBelow = Integer.MAX_VALUE;
    while (depth > 0) {
      JsonToken token = in.nextToken();
      if (token == null) {
        throw new IOException("a list without an end");
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth < thinkingBelow) {
        thinkingBelow = Integer.MAX_VALUE;
      }
      if (token == JsonToken.FIELD_NAME) {
        name = in.currentName();
        if (depth <= thinkingBelow) {
          thinkingBelow = name.equals(THINKING) ? depth : Integer.MAX_VALUE;
        }
      } else if (in.getParsingContext().inArray() || PART_TEXTS.contains(name)) {
        if (depth < thinkingBelow) {
          takeText(in, token);
        } else {
          takeThinking(in, token);
        }
      }
    }
  }

  /** Whether an array or an object holds anything; goes to its end. */
  private static boolean isFilled(JsonParser in, JsonToken field, JsonToken start)
      throws IOException {
    if (field != start) {
      return false;
    }
    boolean isFilled = !in.nextToken().isStructEnd();
    for (int depth = 1; depth > 0; ) {
      JsonToken token = in.currentToken();
      if (token == null) {
        throw new IOException("a value without an end");
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (depth > 0) {
        in.nextToken();
      }
    }
    return isFilled;
  }

  private void noteUnread(JsonParser in, String name, JsonToken field) throws IOException {
    boolean isEmpty =
        field == JsonToken.VALUE_NULL || field == JsonToken.VALUE_STRING && !isText(in, field);
    if (!isEmpty) {
      out.noteUnread(name);
    }
  }

  private void takeText(JsonParser in, JsonToken field) throws IOException {
    if (isText(in, field)) {
      out.hasText = true;
      // Templates put blank lines around thinking.
      out.hasAnswer |= !isBlank(in);
      if (out.keepsText()) {
        out.text.append(in.getTextCharacters(), in.getTextOffset(), in.getTextLength());
      }
    }
  }

  private static boolean isBlank(JsonParser in) throws IOException {
    char[] chars = in.getTextCharacters();
    int from = in.getTextOffset();
    for (int i = from; i < from + in.getTextLength(); i++) {
      if (!Character.isWhitespace(chars[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isText(JsonParser in, JsonToken field) throws IOException {
    return field == JsonToken.VALUE_STRING && in.getTextLength() > 0;
  }

  private void takeFinishReason(JsonParser in, JsonToken field) throws IOException {
    if (isText(in, field)) {
      out.finishReason = in.getText();
      out.isFinish = true;
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
    int reasoning = out.reasoningTokens;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      JsonToken field = in.nextToken();
      switch (name) {
        case "prompt_tokens", "input_tokens" -> prompt = count(in, prompt);
        case "completion_tokens", "output_tokens" -> completion = count(in, completion);
        case "prompt_tokens_details", "input_tokens_details" ->
            cached = readDetail(in, field, "cached_tokens", cached);
        case "completion_tokens_details", "output_tokens_details" ->
            reasoning = readDetail(in, field, "reasoning_tokens", reasoning);
        default -> { }
      }
      in.skipChildren();
    }
    out.hasUsage = true;
    out.promptTokens = prompt;
    out.completionTokens = completion;
    out.cachedTokens = cached;
    out.reasoningTokens = reasoning;
  }

  /** A count; the one before where there is none, unknown where no count can be so. */
  private static int count(JsonParser in, int before) throws IOException {
    double value = number(in);
    if (Double.isNaN(value)) {
      return before;
    }
    return value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value)
        ? (int) value
        : RequestRow.UNKNOWN;
  }

  /** A number or a text of one; NaN for anything else, where Jackson takes null for 0. */
  private static double number(JsonParser in) throws IOException {
    JsonToken token = in.currentToken();
    return token.isNumeric() || token == JsonToken.VALUE_STRING && in.getTextLength() > 0
        ? in.getValueAsDouble(Double.NaN)
        : Double.NaN;
  }

  private static double seconds(JsonParser in) throws IOException {
    double millis = number(in);
    return millis >= 0 && Double.isFinite(millis) ? millis / MILLIS_PER_SECOND : Double.NaN;
  }

  private static int readDetail(JsonParser in, JsonToken value, String detail, int before)
      throws IOException {
    int told = before;
    if (value == JsonToken.START_OBJECT) {
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        in.nextToken();
        if (name.equals(detail)) {
          told = count(in, before);
        }
        in.skipChildren();
      }
    }
    return told;
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
      double seconds = seconds(in);
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
