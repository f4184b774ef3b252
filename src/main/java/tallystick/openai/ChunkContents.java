package tallystick.openai;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.EngineTimings;

/**
 * What one chunk says, as far as anything is made of it; and what its stream said before, where a
 * later chunk is read against it. Filled anew for each chunk, so that reading one leaves nothing
 * behind.
 */
final class ChunkContents {
  static final int MAXIMUM_CHOICES = 1024;
  private static final int MOST_UNREAD = 8;

  /** What the model said, kept only if asked for. */
  final StringBuilder text = new StringBuilder();

  boolean hasText;

  /** Whether the text is of the answer itself, and not of the thinking before it. */
  boolean hasAnswer;

  /** Whether this stream has had any text of thinking so far. */
  boolean hasThought;

  int choiceCount;

  /** Whether the event is the last of an answer by {@code /v1/responses}, which has no mark. */
  boolean isResponseEnd;

  int choiceIndex;
  boolean isFinish;

  /** Number of listed token ids; {@link RequestRow#UNKNOWN} where none are listed. */
  int listedTokens;

  boolean hasUsage;

  /** Valid if there is a usage; the count of the chunk before where this one leaves it out. */
  int promptTokens = RequestRow.UNKNOWN;

  int completionTokens = RequestRow.UNKNOWN;
  int cachedTokens = RequestRow.UNKNOWN;
  int reasoningTokens = RequestRow.UNKNOWN;

  /** Of this stream so far; empty before it is said. */
  String finishReason = "";

  EngineTimings engine = EngineTimings.NONE;
  String error = "";
  boolean idChanging;

  private final boolean keepsText;
  private final Set<String> unreadFields = new LinkedHashSet<>();
  private char[] streamId = new char[0];

  ChunkContents(boolean keepsText) {
    this.keepsText = keepsText;
  }

  boolean keepsText() {
    return keepsText;
  }

  /** Forgets what is said of one chunk alone. */
  void beginChunk() {
    hasText = false;
    hasAnswer = false;
    choiceCount = 0;
    isResponseEnd = false;
    choiceIndex = 0;
    isFinish = false;
    listedTokens = RequestRow.UNKNOWN;
    hasUsage = false;
  }

  /** Takes the chunk's id; the first one is the stream's. */
  void takeId(char[] chars, int from, int to) {
    if (streamId.length == 0) {
      streamId = Arrays.copyOfRange(chars, from, to);
    } else {
      idChanging |= !Arrays.equals(streamId, 0, streamId.length, chars, from, to);
    }
  }

  String id() {
    return keepsText ? new String(streamId) : "";
  }

  /** Notes a field with a value that nothing is made of. */
  void noteUnread(String name) {
    if (unreadFields.size() < MOST_UNREAD) {
      unreadFields.add(name);
    }
  }

  /** Fields of choices and their deltas that nothing was made of, in this stream so far. */
  Set<String> unreadFields() {
    return unreadFields;
  }
}
