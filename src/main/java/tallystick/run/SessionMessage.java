package tallystick.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * One line on the pipe from the load process to its parent.
 *
 * @param progress null where it tells none
 * @param end null before it
 */
record SessionMessage(Progress progress, RunEnd end) {
  private static final String MARK = "tally:";
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final SessionMessage NOTHING = new SessionMessage(null, null);

  static String line(Progress progress) {
    return write(new SessionMessage(progress, null));
  }

  static String line(RunEnd end) {
    return write(new SessionMessage(null, end));
  }

  /** The message on a line; one of nothing for what a library printed. */
  static SessionMessage read(String line) {
    try {
      return line.startsWith(MARK)
          ? MAPPER.readValue(line.substring(MARK.length()), SessionMessage.class)
          : NOTHING;
    } catch (IOException e) {
      return NOTHING;
    }
  }

  private static String write(SessionMessage message) {
    try {
      return MARK + MAPPER.writeValueAsString(message);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
