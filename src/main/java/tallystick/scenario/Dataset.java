package tallystick.scenario;

import java.util.List;
import java.util.Map;

/**
 * Requests read from a file.
 *
 * @param file the file, as messages name it
 * @param format what it was read as
 * @param entries in the order of their times, or of the file where there are none; at least one
 * @param leftOut why rows were left out → how many
 */
public record Dataset(
    String file, String format, List<Entry> entries, Map<String, Integer> leftOut) {

  /** The time of an entry that has none. */
  public static final long NO_TIME = -1;

  /** Most entries that are taken of a file: more do not fit into the memory of a load generator. */
  static final int MOST_ENTRIES = 5_000_000;

  /**
   * One conversation of the file.
   *
   * @param atNanos when it starts after the first entry; {@link #NO_TIME} where the file says none
   * @param turns what is asked, at least one
   * @param session the file's name of it; empty where its rows are single requests
   * @param links what each turn waits for; empty where each follows the one before
   */
  public record Entry(long atNanos, List<Turn> turns, String session, List<Link> links) {
    /** An entry without a name. */
    public Entry(long atNanos, List<Turn> turns) {
      this(atNanos, turns, "");
    }

    /** An entry whose turns follow each other. */
    public Entry(long atNanos, List<Turn> turns, String session) {
      this(atNanos, turns, session, List.of());
    }

    /** What a turn waits for. */
    public Link link(int turn) {
      return links.isEmpty() ? Link.PREVIOUS : links.get(turn);
    }

    public Entry {
      turns = List.copyOf(turns);
      links = List.copyOf(links);
      if (turns.isEmpty()) {
        throw new IllegalArgumentException("an entry needs at least one turn");
      }
    }
  }

  /**
   * How a turn hangs together with the others of its session.
   *
   * @param agent whose history it sends and goes on with; 0 is who began
   * @param after turns of the session that must have ended; none where it starts with the session
   * @param tool whether it brings a tool's result
   * @param forgets whether it sends nothing of the history, and its agent begins another
   */
  public record Link(int agent, List<Integer> after, boolean tool, boolean forgets) {
    private static final int BEFORE = -1;

    /** A turn that waits for the one before. */
    public static final Link PREVIOUS = new Link(0, List.of(BEFORE));

    /** One that brings no tool's result. */
    public Link(int agent, List<Integer> after) {
      this(agent, after, false, false);
    }

    public Link {
      after = List.copyOf(after);
    }

    /** Whether it waits for the turn before, whichever that is. */
    public boolean isPrevious() {
      return after.equals(PREVIOUS.after);
    }
  }

  /** The pause before a turn of which a file says none. */
  public static final long NO_PAUSE = -1;

  /** One question and the length of its answer. */
  public sealed interface Turn {
    /** From the end of the answer before it; {@link #NO_PAUSE} where the file says none. */
    long pauseNanos();

    /** Tokens of the answer; 0 where the file says none. */
    int outputTokens();

    /** The same as a later turn, without the history that a client sends again. */
    Turn behind(long historyTokens);
  }

  /** Given text. */
  public record Text(List<Message> messages, int outputTokens, long pauseNanos)
      implements Turn {
    /** A text of which the file says no pause. */
    public Text(List<Message> messages, int outputTokens) {
      this(messages, outputTokens, NO_PAUSE);
    }

    public Text {
      messages = List.copyOf(messages);
    }

    @Override
    public Text behind(long historyTokens) {
      int answers = messages.stream().map(Message::role).toList().lastIndexOf("assistant");
      return answers + 1 == messages.size()
          ? this
          : new Text(messages.subList(answers + 1, messages.size()), outputTokens, pauseNanos);
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
  public record Tokens(int promptTokens, List<Block> blocks, int outputTokens, long pauseNanos)
      implements Turn {
    /** A length of which the file says no pause. */
    public Tokens(int promptTokens, List<Block> blocks, int outputTokens) {
      this(promptTokens, blocks, outputTokens, NO_PAUSE);
    }

    public Tokens {
      blocks = List.copyOf(blocks);
    }

    /** A prompt that is longer than all before it holds that; only the rest is new. */
    @Override
    public Tokens behind(long historyTokens) {
      boolean holdsIt = promptTokens > historyTokens;
      return new Tokens(
          holdsIt ? (int) (promptTokens - historyTokens) : promptTokens, List.of(), outputTokens,
          pauseNanos);
    }
  }

  /** A block of prompt tokens; equal ids are equal tokens. */
  public record Block(long id, int tokens) {}

  public Dataset {
    entries = List.copyOf(entries);
    leftOut = Map.copyOf(leftOut);
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("a data set needs at least one entry");
    }
  }

  /** Entries of which no row was left out. */
  public Dataset(String file, List<Entry> entries) {
    this(file, "", entries, Map.of());
  }

  /** Whether rows of the file were put together by their session. */
  public boolean hasSessions() {
    return entries.stream().anyMatch(entry -> !entry.session().isEmpty());
  }

  /** Whether every entry says when it starts. */
  public boolean isTimed() {
    return entries.stream().allMatch(entry -> entry.atNanos() != NO_TIME);
  }
}
