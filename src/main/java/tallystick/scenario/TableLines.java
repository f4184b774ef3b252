package tallystick.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A table of the program itself: a text file beside a class, with a row in each line. */
public final class TableLines {
  private TableLines() {}

  /** Its rows, in order; a line that is blank or begins with {@code #} is none. */
  public static List<String> of(Class<?> beside, String file) {
    try (InputStream in = beside.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the table " + file, e);
    }
  }
}
