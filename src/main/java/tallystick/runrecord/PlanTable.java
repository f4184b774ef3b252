package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import tallystick.plan.PlannedRequest;
import tallystick.scenario.PlainText;

/**
 * What the plan asks of each of its requests, in twelve bytes a request: when it starts, and what
 * is said of it that its row repeats. Read from the lines of {@code plan.json}.
 */
public final class PlanTable {
  /** The largest index held, as many as there are bits for repeated rows. */
  private static final int LARGEST_INDEX = 1 << 26;

  private static final long ABSENT = Long.MIN_VALUE;

  private final long planned;
  private long[] offsets = new long[0];
  private int[] traits = new int[0];
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

  /** A planned request: its start, a hash of what its row repeats, whether others begin alike. */
  record Line(int index, long offsetNanos, int traits, boolean isShared) {}

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
    String requestClass = "";
    boolean isShared = false;
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
        case "turn" -> isShared |= RecordJson.wholeInt(in) > 0;
        case "choices" -> isShared |= RecordJson.wholeInt(in) > 1;
        case "prompt" -> isShared |= in.readValueAsTree().path("prefixes").size() > 0;
        default -> in.skipChildren();
      }
    }
    return index < 0
        ? Optional.empty()
        : Optional.of(
            new Line(
                index, offset, Objects.hash(phase, requestClass, user, target, maxTokens),
                isShared));
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
        != Objects.hash(
            row.phase(), row.requestClass(), row.user(), row.target(), row.maxTokens());
  }

  /** When a row's request starts after its window's origin; empty where no plan can say it. */
  public Optional<Long> offsetNanos(RequestRow row) {
    return lists(row) && offsets[row.index()] != PlannedRequest.AFTER_PREVIOUS
        ? Optional.of(offsets[row.index()])
        : Optional.empty();
  }

  private boolean lists(RequestRow row) {
    return row.index() < offsets.length && offsets[row.index()] != ABSENT;
  }
}
