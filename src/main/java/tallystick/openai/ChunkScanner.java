package tallystick.openai;

import java.nio.charset.StandardCharsets;

/**
 * Reads a usual chunk straight from its bytes, because this runs between two arrivals; what it does
 * not know for certain it refuses, and {@link ChunkJson} reads it. One stream, one thread;
 * allocates nothing in the usual case.
 */
final class ChunkScanner {
  private static final char REPLACEMENT = '\uFFFD';

  private static final byte[] ID = ascii("id");
  private static final byte[] CHOICES = ascii("choices");
  private static final byte[] USAGE = ascii("usage");
  private static final byte[] METRICS = ascii("metrics");
  private static final byte[] ERROR = ascii("error");
  private static final byte[] INDEX = ascii("index");
  private static final byte[] TEXT = ascii("text");
  private static final byte[] DELTA = ascii("delta");
  private static final byte[] CONTENT = ascii("content");
  private static final byte[] REASONING = ascii("reasoning");
  private static final byte[] REASONING_CONTENT = ascii("reasoning_content");
  private static final byte[] TOOL_CALLS = ascii("tool_calls");
  private static final byte[] FINISH_REASON = ascii("finish_reason");
  private static final byte[] TOKEN_IDS = ascii("token_ids");
  private static final byte[] PROMPT_TOKENS = ascii("prompt_tokens");
  private static final byte[] COMPLETION_TOKENS = ascii("completion_tokens");
  private static final byte[] PROMPT_TOKENS_DETAILS = ascii("prompt_tokens_details");
  private static final byte[] CACHED_TOKENS = ascii("cached_tokens");

  private final ChunkContents out;
  private final JsonCursor in = new JsonCursor();
  private final JsonCursor.Fields chunkFields = this::takeChunkField;
  private final JsonCursor.Fields choiceFields = this::takeChoiceField;
  private final JsonCursor.Fields deltaFields = this::takeDeltaField;
  private final JsonCursor.Fields usageFields = this::takeUsageField;
  private final JsonCursor.Fields detailFields = this::takeDetailField;
  private final JsonCursor.Values choices = this::takeChoice;
  private final JsonCursor.Values tokenIds = this::takeTokenId;
  private final JsonCursor.Values nothing = () -> false;

  private int idFrom;
  private int idTo;
  private int textFrom;
  private int textTo;
  private int finishFrom;
  private int finishTo;
  private boolean choicesSeen;
  private boolean usageSeen;
  private int promptTokens;
  private int completionTokens;
  private int cachedTokens;

  /** A scanner of one stream, whose chunks are filled into {@code out}. */
  ChunkScanner(ChunkContents out) {
    this.out = out;
  }

  /**
   * Whether the bytes are a usual chunk. If they are not, {@code out} holds nothing of it that
   * {@link ChunkContents#beginChunk} does not forget.
   */
  boolean scan(byte[] data, int from, int to) {
    in.begin(data, from, to);
    idFrom = -1;
    textFrom = -1;
    finishFrom = -1;
    choicesSeen = false;
    usageSeen = false;
    boolean isUsual = in.takeObject(chunkFields) && in.isAtEnd();
    return isUsual && out.choiceIndex < ChunkContents.MAXIMUM_CHOICES && keep(data);
  }

  private boolean keep(byte[] data) {
    if (out.keepsText() && textFrom >= 0) {
      String text = utf8(data, textFrom, textTo);
      if (text.indexOf(REPLACEMENT) >= 0) {
        return false;
      }
      out.text.append(text);
    }
    if (idFrom >= 0) {
      out.takeId(data, idFrom, idTo);
    }
    if (finishFrom >= 0) {
      out.finishReason = utf8(data, finishFrom, finishTo);
    }
    if (out.hasUsage) {
      out.promptTokens = promptTokens;
      out.completionTokens = completionTokens;
      out.cachedTokens = cachedTokens;
    }
    return true;
  }

  private boolean takeChunkField(int from, int to) {
    if (in.is(ID, from, to)) {
      return takeId();
    }
    if (in.is(CHOICES, from, to)) {
      return takeChoices();
    }
    if (in.is(USAGE, from, to)) {
      return takeUsage();
    }
    if (in.is(METRICS, from, to) || in.is(ERROR, from, to)) {
      return in.takeNull();
    }
    return in.skipValue();
  }

  private boolean takeId() {
    boolean isFirst = idFrom < 0;
    idFrom = in.position() + 1;
    boolean isPlain = in.takePlainString();
    idTo = in.position() - 1;
    return isFirst && isPlain;
  }

  private boolean takeChoices() {
    if (choicesSeen) {
      return false;
    }
    choicesSeen = true;
    return in.takeArray(choices);
  }

  private boolean takeChoice() {
    out.choiceCount++;
    return in.takeObject(choiceFields);
  }

  private boolean takeChoiceField(int from, int to) {
    if (in.is(TEXT, from, to)) {
      return takeText();
    }
    if (in.is(DELTA, from, to)) {
      return in.takeNull() || in.takeObject(deltaFields);
    }
    if (in.is(INDEX, from, to)) {
      boolean isCount = in.takeCount();
      out.choiceIndex = in.count();
      return isCount;
    }
    if (in.is(FINISH_REASON, from, to)) {
      return in.takeNull() || takeFinishReason();
    }
    if (in.is(TOKEN_IDS, from, to)) {
      return in.takeNull() || takeTokenIds();
    }
    return in.skipValue();
  }

  private boolean takeDeltaField(int from, int to) {
    if (in.is(CONTENT, from, to)) {
      return takeText();
    }
    if (in.is(REASONING, from, to) || in.is(REASONING_CONTENT, from, to)) {
      return in.takeNull() || takeString();
    }
    if (in.is(TOOL_CALLS, from, to)) {
      return in.takeNull() || in.takeArray(nothing);
    }
    return in.skipValue();
  }

  /** Text that is kept must be the only one of its chunk and need no unescaping. */
  private boolean takeText() {
    if (in.takeNull()) {
      return true;
    }
    boolean isFirst = textFrom < 0;
    textFrom = in.position() + 1;
    boolean isString = takeString();
    textTo = in.position() - 1;
    return isString && (!out.keepsText() || isFirst && !in.isEscaped());
  }

  private boolean takeString() {
    int before = in.position();
    boolean isString = in.takeString();
    out.hasText |= isString && in.position() - before > 2;
    return isString;
  }

  private boolean takeFinishReason() {
    finishFrom = in.position() + 1;
    boolean isPlain = in.takePlainString();
    finishTo = in.position() - 1;
    return isPlain;
  }

  private boolean takeTokenIds() {
    out.listedTokens = Math.max(0, out.listedTokens);
    return in.takeArray(tokenIds);
  }

  private boolean takeTokenId() {
    out.listedTokens++;
    return in.takeCount();
  }

  private boolean takeUsage() {
    if (usageSeen) {
      return false;
    }
    usageSeen = true;
    if (in.takeNull()) {
      return true;
    }
    out.hasUsage = true;
    promptTokens = out.promptTokens;
    completionTokens = out.completionTokens;
    cachedTokens = out.cachedTokens;
    return in.takeObject(usageFields);
  }

  private boolean takeUsageField(int from, int to) {
    if (in.is(PROMPT_TOKENS, from, to)) {
      boolean isCount = in.takeCount();
      promptTokens = in.count();
      return isCount;
    }
    if (in.is(COMPLETION_TOKENS, from, to)) {
      boolean isCount = in.takeCount();
      completionTokens = in.count();
      return isCount;
    }
    if (in.is(PROMPT_TOKENS_DETAILS, from, to)) {
      return in.takeNull() || in.takeObject(detailFields);
    }
    return in.skipValue();
  }

  private boolean takeDetailField(int from, int to) {
    if (in.is(CACHED_TOKENS, from, to)) {
      boolean isCount = in.takeCount();
      cachedTokens = in.count();
      return isCount;
    }
    return in.skipValue();
  }

  private static String utf8(byte[] data, int from, int to) {
    return new String(data, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }
}
