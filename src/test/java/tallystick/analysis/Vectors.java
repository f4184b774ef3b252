package tallystick.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads the test vectors: inputs and outputs checked with other tools; see vectors/README.md. */
final class Vectors {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Vectors() {}

  static JsonNode read(String name) {
    try (InputStream stream = Vectors.class.getResourceAsStream("/vectors/" + name)) {
      return JSON.readTree(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asDouble();
    }
    return values;
  }
}
