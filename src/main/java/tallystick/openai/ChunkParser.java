package tallystick.openai;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Usage;

/**
 * Reads the data of one event after the other and keeps what the stream has said so far. One
 * stream, one thread.
 */
final class ChunkParser implements AutoCloseable {
  private static final Set<String> FAILED_FINISHES = Set.of("error", "abort");

  private final ChunkContents chunk;
  private final ChunkJson json;

  /**
   * Tokens of each choice up to its latest content chunk; unknown if that one did not tell, for
   * then a later count holds tokens of several chunks.
   */
  private int[] tokensOfChoice = new int[1];

  private final BitSet finishedChoices = new BitSet();
  private boolean hasTold;
  private boolean isComplete;
  private String failedFinish = "";

  ChunkParser(boolean keepText) {
    this.chunk = new ChunkContents(keepText);
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
   * Reads one event's data.
   *
   * @throws IOException if it is not the JSON of a chunk
   */
  Kind parse(String data) throws IOException {
    chunk.beginChunk();
    json.read(data);
    if (chunk.choiceIndex >= tokensOfChoice.length) {
      tokensOfChoice = Arrays.copyOf(tokensOfChoice, chunk.choiceIndex + 1);
    }
    if (chunk.isFinish && FAILED_FINISHES.contains(chunk.finishReason)) {
      failedFinish = "finish_reason " + chunk.finishReason;
    }
    if (!chunk.error.isEmpty()) {
      return Kind.ERROR;
    }
    boolean isContent = chunk.choiceCount > 0 && (chunk.hasText || isTokenWithoutText());
    noteEnd(isContent);
    hasTold |= isCounted();
    return isContent ? Kind.CONTENT : Kind.OTHER;
  }

  private void noteEnd(boolean isContent) {
    if (chunk.isFinish) {
      finishedChoices.set(chunk.choiceIndex);
    } else if (isContent) {
      finishedChoices.clear(chunk.choiceIndex);
    }
    isComplete = isFinished() && chunk.hasUsage && (chunk.choiceCount == 0 || !hasTold);
  }

  /** Whether every choice that has been seen has its finish reason. */
  boolean isFinished() {
    return finishedChoices.cardinality() == tokensOfChoice.length;
  }

  /** Whether the event just read was the usage of a finished answer: nothing is to follow. */
  boolean isComplete() {
    return isComplete;
  }

  /** A usage that comes for the first time with the end tells of the whole stream. */
  private boolean isTokenWithoutText() {
    boolean isTotal = chunk.isFinish && !hasTold && chunk.listedTokens == RequestRow.UNKNOWN;
    return !isTotal && tokens() > 0;
  }

  /**
   * Tokens in the event just read, {@link RequestRow#UNKNOWN} where the server does not say; valid
   * until {@link #commit}.
   */
  int tokens() {
    if (chunk.listedTokens != RequestRow.UNKNOWN) {
      return chunk.listedTokens;
    }
    int before = tokensOfChoice[chunk.choiceIndex];
    return isCounted() && before != RequestRow.UNKNOWN
        ? Math.max(0, chunk.completionTokens - before)
        : RequestRow.UNKNOWN;
  }

  /** What the event just read says, and what the stream said before it. */
  ChunkContents contents() {
    return chunk;
  }

  /** Whether the one object of a whole answer has anything of an answer. */
  boolean hasWhole() {
    return chunk.hasText || chunk.completionTokens > 0;
  }

  /** Takes the event just read as counted. */
  void commit() {
    int before = tokensOfChoice[chunk.choiceIndex];
    if (isCounted()) {
      tokensOfChoice[chunk.choiceIndex] = chunk.completionTokens;
    } else if (before != RequestRow.UNKNOWN && chunk.listedTokens != RequestRow.UNKNOWN) {
      tokensOfChoice[chunk.choiceIndex] = before + chunk.listedTokens;
    } else {
      tokensOfChoice[chunk.choiceIndex] = RequestRow.UNKNOWN;
    }
  }

  private boolean isCounted() {
    return chunk.choiceCount > 0 && chunk.hasUsage && chunk.completionTokens != RequestRow.UNKNOWN;
  }

  Usage usage() {
    return new Usage(
        chunk.promptTokens, chunk.completionTokens, chunk.cachedTokens, chunk.reasoningTokens);
  }

  /** What the server said was wrong; empty where it said nothing. */
  String error() {
    return chunk.error.isEmpty() ? failedFinish : chunk.error;
  }

  /** Gives back what reading needed. */
  @Override
  public void close() throws IOException {
    json.close();
  }
}
