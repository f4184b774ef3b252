package tallystick.promql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The test vectors under src/test/resources/vectors; with {@code -Dvectors=DIR} those of
 * src/test/sh/fresh-vectors.py, as far as they lie there.
 */
public final class Vectors {
  private static final String FRESH = System.getProperty("vectors", "");

  private Vectors() {}

  /** A vector file as a tree. */
  public static JsonNode json(String name) {
    try (InputStream in = open(name)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file's text. */
  public static String text(String name) {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number; the vectors write the infinities and NaN as text. */
  public static double number(JsonNode node) {
    return switch (node.asText()) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> node.isNumber() ? node.asDouble() : Double.NaN;
    };
  }

  private static InputStream open(String name) throws IOException {
    Path fresh = Path.of(FRESH, name);
    if (!FRESH.isEmpty() && Files.exists(fresh)) {
      return Files.newInputStream(fresh);
    }
    return Objects.requireNonNull(
        Vectors.class.getResourceAsStream("/vectors/" + name), "no vector " + name);
  }
}
