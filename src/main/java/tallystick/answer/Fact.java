package tallystick.answer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One named value of the report.
 *
 * @param name what it is
 * @param value how it reads
 */
public record Fact(String name, String value) {
  /** Names and values, in the order of the names. */
  public static List<Fact> sorted(Map<String, String> values) {
    return new TreeMap<>(values)
        .entrySet().stream().map(entry -> new Fact(entry.getKey(), entry.getValue())).toList();
  }
}
