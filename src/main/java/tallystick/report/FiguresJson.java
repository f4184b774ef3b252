package tallystick.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** The figures of an answer as JSON: a record's components, in snake case. */
final class FiguresJson {
  private static final ObjectWriter WRITER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build()
          .writerWithDefaultPrettyPrinter();

  private FiguresJson() {}

  static String text(Object figures) throws IOException {
    try {
      return WRITER.writeValueAsString(figures) + "\n";
    } catch (JsonProcessingException e) {
      throw new IOException("the figures cannot be written", e);
    }
  }
}
