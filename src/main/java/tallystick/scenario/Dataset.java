package tallystick.scenario;

import java.util.List;

/**
 * Requests read from a file.
 *
 * @param file the file, as messages name it
 * @param entries in the order of their times, or of the file where there are none; at least one
 */
public record Dataset(String file, List<Entry> entries) {

  /** The time of an entry that has none. */
  public static final long NO_TIME = -1;

  /** Most entries that are taken of a file: more do not fit into the memory of a load generator. */
  static final int MOST_ENTRIES = 5_000_000;

  /**
   * One conversation of the file.
   *
   * @param atNanos when it starts after the first entry; {@link #NO_TIME} where the file says none
   * @param turns what is asked, at least one
   */
  public record Entry(long atNanos, List<Turn> turns) {
    public Entry {
      turns = List.copyOf(turns);
      if (turns.isEmpty()) {
        throw new IllegalArgumentException("an entry needs at least one turn");
      }
    }
  }

  /** One question and the length of its answer. */
  public sealed interface Turn {
    /** Tokens of the answer; 0 where the file says none. */
    int outputTokens();
  }

  /** Given text. */
  public record Text(List<Message> messages, int outputTokens) implements Turn {
    public Text {
      messages = List.copyOf(messages);
    }
  }

  /** One message of a conversation. */
  public record Message(String role, String content) {}

  /**
   * A length only.
   *
   * @param promptTokens tokens of the prompt, blocks included
   * @param blocks leading blocks that other entries may share
   */
  public record Tokens(int promptTokens, List<Block> blocks, int outputTokens) implements Turn {
    public Tokens {
      blocks = List.copyOf(blocks);
    }
  }

  /** A block of prompt tokens; equal ids are equal tokens. */
  public record Block(long id, int tokens) {}

  public Dataset {
    entries = List.copyOf(entries);
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("a data set needs at least one entry");
    }
  }

  /** Whether every entry says when it starts. */
  public boolean isTimed() {
    return entries.stream().allMatch(entry -> entry.atNanos() != NO_TIME);
  }
}
