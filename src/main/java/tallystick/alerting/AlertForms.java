package tallystick.alerting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The program's own forms of rules and dashboards, which an engine's metrics are put into. */
public final class AlertForms {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private AlertForms() {}

  /** What a file of forms holds, as it is written. */
  public static String text(String file) {
    try (InputStream in = AlertForms.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of the program could not be read", e);
    }
  }

  /** The data of a form in YAML or JSON. */
  public static JsonNode data(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of the program could not be read", e);
    }
  }
}
