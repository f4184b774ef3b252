package tallystick.simengine;

import java.util.List;
import java.util.Optional;

/**
 * Looks for stop strings in a text that grows, and holds back what could be the start of one.
 *
 * <p>Like vLLM's front end, text is held back by the length of the longest stop string less one.
 */
final class StopStrings {
  private final List<String> stops;
  private final int heldBack;
  private final StringBuilder text = new StringBuilder();
  private int sent;

  StopStrings(List<String> stops) {
    this.stops = stops;
    this.heldBack = stops.stream().mapToInt(String::length).max().orElse(1) - 1;
  }

  /** Adds a token's text; the stop string that it completes, if it does and may. */
  Optional<String> append(String tokenText, boolean mayStop) {
    int from = text.length();
    text.append(tokenText);
    if (!mayStop) {
      return Optional.empty();
    }
    for (String stop : stops) {
      int at = text.indexOf(stop, Math.max(0, from - stop.length() + 1));
      if (at >= 0) {
        text.setLength(Math.max(at, sent));
        return Optional.of(stop);
      }
    }
    return Optional.empty();
  }

  /** The text that may be sent and has not been. */
  String take(boolean isEnd) {
    int end = isEnd ? text.length() : Math.max(sent, text.length() - heldBack);
    String fresh = text.substring(sent, end);
    sent = end;
    return fresh;
  }
}
