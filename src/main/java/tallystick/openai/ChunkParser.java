package tallystick.openai;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;
import tallystick.runrecord.RequestRow.Usage;

/**
 * Reads the data of one event after the other and keeps what the stream has said so far. One
 * stream, one thread. Usual chunks are scanned, all others read as JSON; both mean the same.
 */
final class ChunkParser {
  private final ChunkContents chunk;
  private final ChunkScanner scanner;
  private final ChunkJson json;
  private int[] tokensOfChoice = new int[1];

  ChunkParser(boolean keepText) {
    this.chunk = new ChunkContents(keepText);
    this.scanner = new ChunkScanner(chunk);
    this.json = new ChunkJson(chunk);
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
   * Reads one event's data, UTF-8.
   *
   * @throws IOException if it is not the JSON of a chunk
   */
  Kind parse(byte[] data, int from, int to) throws IOException {
    chunk.beginChunk();
    if (!scanner.scan(data, from, to)) {
      chunk.beginChunk();
      json.read(new String(data, from, to - from, StandardCharsets.UTF_8));
    }
    if (chunk.choiceIndex >= tokensOfChoice.length) {
      tokensOfChoice = Arrays.copyOf(tokensOfChoice, chunk.choiceIndex + 1);
    }
    if (!chunk.error.isEmpty()) {
      return Kind.ERROR;
    }
    return chunk.choiceCount > 0 && (chunk.hasText || tokens() > 0) ? Kind.CONTENT : Kind.OTHER;
  }

  /**
   * Tokens in the event just read, {@link RequestRow#UNKNOWN} where the server does not say; valid
   * until {@link #commit}.
   */
  int tokens() {
    if (chunk.listedTokens != RequestRow.UNKNOWN) {
      return chunk.listedTokens;
    }
    if (!isCounted()) {
      return RequestRow.UNKNOWN;
    }
    return Math.max(0, chunk.completionTokens - tokensOfChoice[chunk.choiceIndex]);
  }

  /** Takes the event just read as counted. */
  void commit() {
    if (isCounted()) {
      tokensOfChoice[chunk.choiceIndex] = chunk.completionTokens;
    }
  }

  private boolean isCounted() {
    return chunk.choiceCount > 0
        && chunk.hasUsage
        && chunk.completionTokens != RequestRow.UNKNOWN;
  }

  Usage usage() {
    return new Usage(chunk.promptTokens, chunk.completionTokens, chunk.cachedTokens);
  }

  String finishReason() {
    return chunk.finishReason;
  }

  boolean isIdChanging() {
    return chunk.idChanging;
  }

  String error() {
    return chunk.error;
  }

  EngineTimings engine() {
    return chunk.engine;
  }

  String text() {
    return chunk.text.toString();
  }
}
