package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Reads fields of a recorded call by the names that its file has for them. Each refusal says where
 * the call stands, which field it is, what was found, and what would be taken.
 *
 * @param place of the call within its line, for example {@code "requests 3: "}; may be empty
 * @param thing what to fix or remove, for example {@code session}
 * @param origin the line
 */
record RecordedFields(String place, String thing, SourceLocation origin) {
  /** A longer value says no more. */
  private static final int MOST_SHOWN = 60;

  /** Whole tokens; 0 where nothing is told, as of a call that failed. */
  long tokens(String name, JsonNode value) {
    boolean isText = value.isTextual() && value.asText().matches("\\d{1,9}");
    boolean isCount =
        value.isIntegralNumber() && value.canConvertToLong()
            && value.asLong() >= 0 && value.asLong() <= Lengths.MOST;
    if (!isUntold(value) && !isText && !isCount) {
      throw wrong(name, "a whole number of tokens from 0 to " + Lengths.MOST, value);
    }
    return value.asLong();
  }

  /** Seconds from 0 to a bound. */
  double seconds(String name, JsonNode value, double most) {
    if (!value.isNumber() || value.asDouble() < 0 || value.asDouble() > most) {
      throw wrong(
          name, "a number of seconds from 0 to " + Math.round(most), value);
    }
    return value.asDouble();
  }

  /** Elements of a list; none where nothing is told. */
  List<JsonNode> list(String name, JsonNode value) {
    if (!isUntold(value) && !value.isArray()) {
      throw wrong(name, "a list", value);
    }
    return value.valueStream().toList();
  }

  /** Whether the field is not there, or says nothing. */
  static boolean isUntold(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  /** A refusal of a field. */
  ScenarioException wrong(String name, String wanted, JsonNode value) {
    return origin.error(
        place + "\"" + name + "\" must be " + wanted + ", " + found(value),
        "fix or remove the " + thing);
  }

  private static String found(JsonNode value) {
    String text = value.toString();
    return value.isMissingNode()
        ? "is missing"
        : "was " + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text);
  }
}
