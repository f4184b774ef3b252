package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tallystick.plan.Phase;
import tallystick.plan.PlannedRequest;
import tallystick.scenario.PlainText;

/**
 * What the plan asks of each of its requests, in twelve bytes a request: when it starts, and what
 * is said of it that its row repeats; in four more the place in its session, where there are any.
 * Read from the lines of {@code plan.json}.
 */
public final class PlanTable {
  /** The largest index held, as many as there are bits for repeated rows. */
  private static final int LARGEST_INDEX = 1 << 26;

  private static final long ABSENT = Long.MIN_VALUE;

  private final long planned;
  private long[] offsets = new long[0];
  private int[] traits = new int[0];
  private int[] places = new int[0];
  private final BitSet tools = new BitSet();
  /** Requests that go on with their user's turn: with tools' results, and of sub-agents. */
  private final BitSet withinTurns = new BitSet();
  private final Map<String, Long> arrivals = new HashMap<>();
  private final Set<String> classesOfSessions = new HashSet<>();
  private long rows;
  private long asked;
  private boolean sharesPrompts;

  /**
   * A table that holds nothing yet.
   *
   * @param planned how many requests the plan says it has
   */
  PlanTable(long planned) {
    this.planned = planned;
  }

  /** The table of a record that has no plan. */
  static PlanTable unknown() {
    return new PlanTable(0);
  }

  /**
   * A planned request.
   *
   * @param traits a hash of what its row repeats
   * @param isShared whether others begin alike
   * @param place how many requests of its session come before it
   * @param tool whether it brings a tool's result
   * @param agent whose history it sends; 0 for the user's own
   */
  record Line(
      int index, String phase, String requestClass, long offsetNanos, int traits,
      boolean isShared, int place, boolean tool, int agent) {}

  /**
   * A request's place in its session: a user's requests that follow each other.
   *
   * @param first index of the session's first request
   * @param place how many of its requests come before this one
   * @param turn the user's turn that it belongs to, from 1
   * @param tool whether it brings a tool's result
   * @param turnRequests how many requests the turn has: the user's, those with a tool's result, and
   *     those of sub-agents
   */
  public record SessionPlace(int first, int place, int turn, boolean tool, int turnRequests) {}

  /** What a line of the file says of a request; empty for the settings before them. */
  static Optional<Line> line(byte[] bytes, int from, int length) throws IOException {
    int begin = length > 0 && bytes[from] == ',' ? 1 : 0;
    try (JsonParser in =
        RecordJson.MAPPER.getFactory().createParser(bytes, from + begin, length - begin)) {
      return in.nextToken() == JsonToken.START_OBJECT ? line(in) : Optional.empty();
    }
  }

  private static Optional<Line> line(JsonParser in) throws IOException {
    int index = -1;
    long offset = 0;
    int user = 0;
    int target = 0;
    int maxTokens = 0;
    String phase = "";
    String requestClass = PlannedRequest.NO_MIX;
    boolean isShared = false;
    int place = 0;
    boolean tool = false;
    int agent = 0;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      switch (name) {
        case "settings" -> {
          return Optional.empty();
        }
        case "index" -> index = RecordJson.wholeInt(in);
        case "phase" -> phase = PlainText.name(in.getText());
        case "request_class" -> requestClass = PlainText.name(in.getText());
        case "user" -> user = RecordJson.wholeInt(in);
        case "offset_nanos" -> offset = RecordJson.whole(in);
        case "max_tokens" -> maxTokens = RecordJson.wholeInt(in);
        case "target" -> target = RecordJson.wholeInt(in);
        case "turn" -> place = RecordJson.wholeInt(in);
        case "tool" -> tool = in.getBooleanValue();
        case "agent" -> agent = RecordJson.wholeInt(in);
        case "choices" -> isShared |= RecordJson.wholeInt(in) > 1;
        case "prompt" -> isShared |= holdsPrefixes(in);
        default -> in.skipChildren();
      }
    }
    return index < 0
        ? Optional.empty()
        : Optional.of(new Line(
            index, phase, requestClass, offset,
            Objects.hash(phase, requestClass, user, target, maxTokens),
            isShared || place > 0, place, tool, agent));
  }

  /** Whether a prompt begins like others. */
  private static boolean holdsPrefixes(JsonParser in) throws IOException {
    boolean holds = false;
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return holds;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      boolean areThese = in.currentName().equals("prefixes");
      in.nextToken();
      if (areThese) {
        holds = in.readValueAsTree().size() > 0;
      } else {
        in.skipChildren();
      }
    }
    return holds;
  }

  void add(Line line) {
    rows++;
    // A sum does not depend on the order of the lines.
    asked += Objects.hash(line.index(), line.traits()) * 0x9E3779B97F4A7C15L;
    sharesPrompts |= line.isShared();
    if (line.index() >= LARGEST_INDEX) {
      return;
    }
    if (line.index() >= offsets.length) {
      int before = offsets.length;
      int size = Math.max(line.index() + 1, Math.max(before * 2, (int) Math.min(planned, 1 << 20)));
      offsets = Arrays.copyOf(offsets, size);
      traits = Arrays.copyOf(traits, size);
      Arrays.fill(offsets, before, size, ABSENT);
    }
    offsets[line.index()] = line.offsetNanos();
    traits[line.index()] = line.traits();
    addPlace(line);
  }

  private void addPlace(Line line) {
    if (line.place() > 0) {
      classesOfSessions.add(line.requestClass());
      places = places.length < offsets.length ? Arrays.copyOf(places, offsets.length) : places;
      places[line.index()] = line.place();
      tools.set(line.index(), line.tool());
      withinTurns.set(line.index(), line.tool() || line.agent() > 0);
    } else if (!line.phase().equals(Phase.WARMUP)) {
      arrivals.merge(line.requestClass(), 1L, Long::sum);
    }
  }

  /** Measured sessions: arrivals of the classes in which some requests follow others. */
  public long sessions() {
    return classesOfSessions.stream().mapToLong(name -> arrivals.getOrDefault(name, 0L)).sum();
  }

  /** Where in its session a row's request stands; empty in a class of single requests. */
  public Optional<SessionPlace> session(RequestRow row) {
    if (!lists(row) || !classesOfSessions.contains(row.requestClass())) {
      return Optional.empty();
    }
    // The requests of a session lie behind each other in the plan.
    int index = row.index();
    int first = index - place(index);
    int begin = withinTurns.previousClearBit(index);
    int turn = begin - first + 1 - withinTurns.get(first, begin).cardinality();
    return Optional.of(new SessionPlace(
        first, index - first, turn, tools.get(index), withinTurns.nextClearBit(begin + 1) - begin));
  }

  /** How many requests a session has, from the index of its first. */
  public int sessionLength(int first) {
    int length = 1;
    while (place(first + length) == length) {
      length++;
    }
    return length;
  }

  private int place(int index) {
    return index < places.length ? places[index] : 0;
  }

  /** Requests the plan says it has. */
  public long planned() {
    return planned;
  }

  /** A hash of what all its requests ask for, whether they were sent or not. */
  public long asked() {
    return asked;
  }

  /** Whether prompts begin alike: shared prefixes, later turns, several choices. */
  public boolean sharesPrompts() {
    return sharesPrompts;
  }

  /** Requests that its file lists. */
  public long rows() {
    return rows;
  }

  /** Whether a row is of no request of a plan that is whole, or repeats it wrongly. */
  public boolean denies(RequestRow row) {
    if (!lists(row)) {
      return planned > 0 && rows == planned && row.index() < LARGEST_INDEX;
    }
    return traits[row.index()]
        != Objects.hash(row.phase(), row.requestClass(), row.user(), row.target(), row.maxTokens());
  }

  /** When a row's request starts after its window's origin; empty where no plan can say it. */
  public Optional<Long> offsetNanos(RequestRow row) {
    return lists(row) && offsets[row.index()] >= 0
        ? Optional.of(offsets[row.index()])
        : Optional.empty();
  }

  private boolean lists(RequestRow row) {
    return row.index() < offsets.length && offsets[row.index()] != ABSENT;
  }
}
