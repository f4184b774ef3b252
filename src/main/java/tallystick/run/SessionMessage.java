package tallystick.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;

/** One line on the pipe from the load process to its parent. */
record SessionMessage(Progress progress, RunEnd end) {
  private static final String MARK = "tally:";
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  static String line(Progress progress) {
    return write(new SessionMessage(progress, null));
  }

  static String line(RunEnd end) {
    return write(new SessionMessage(null, end));
  }

  /** The message on a line; empty for what a library printed. */
  static Optional<SessionMessage> read(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readValue(line.substring(MARK.length()), SessionMessage.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  Optional<Progress> asProgress() {
    return Optional.ofNullable(progress);
  }

  Optional<RunEnd> asEnd() {
    return Optional.ofNullable(end);
  }

  private static String write(SessionMessage message) {
    try {
      return MARK + MAPPER.writeValueAsString(message);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
