package tallystick.analysis;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads the test vectors: inputs and outputs checked with other tools; see vectors/README.md. */
public final class Vectors {
  private Vectors() {}

  public static JsonNode read(String name) {
    return tallystick.promql.Vectors.json(name);
  }

  public static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asDouble();
    }
    return values;
  }
}
