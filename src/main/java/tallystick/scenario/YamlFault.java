package tallystick.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a YAML reader stumbled over, in words that do not need its grammar.
 *
 * @param line where to look, from 1
 * @param problem what is wrong
 * @param remedy what to do
 */
record YamlFault(int line, String problem, String remedy) {
  private static final Pattern PLACE = Pattern.compile("^ in '[^']*', line (\\d+), column \\d+:$");

  /** The reader says where it was in the middle of something, and where it could not go on. */
  static YamlFault of(JsonProcessingException fault) {
    String told = fault.getOriginalMessage();
    List<Integer> lines =
        told.lines()
            .map(PLACE::matcher)
            .filter(match -> match.matches() && match.group(1).length() < 8)
            .map(match -> Integer.parseInt(match.group(1)))
            .toList();
    int located = fault.getLocation() == null ? 1 : Math.max(1, fault.getLocation().getLineNr());
    int began = lines.isEmpty() ? located : lines.getFirst();
    int stopped = lines.isEmpty() ? located : lines.getLast();
    if (told.contains("could not find expected ':'")) {
      return new YamlFault(began, "a key without a colon", "write key: value");
    }
    if (told.contains("expected <block end>")) {
      return new YamlFault(
          stopped, "the line's indentation does not fit the lines above it",
          "begin all keys of one section in the same column");
    }
    if (told.contains("mapping values are not allowed")) {
      return new YamlFault(
          stopped, "a colon where YAML allows none",
          "check the indentation, and quote text that holds a colon");
    }
    if (told.startsWith("while parsing a flow")) {
      return new YamlFault(began, "a bracket that is not closed", "close it, or fix what follows");
    }
    if (told.startsWith("while scanning a quoted scalar")) {
      return new YamlFault(began, "a quote that is not closed", "close it");
    }
    return new YamlFault(located, firstLine(told), "fix the line");
  }

  private static String firstLine(String text) {
    return text.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
  }
}
