package tallystick.scrape;

import java.io.IOException;
import java.io.InputStream;

/** Expositions recorded from real exporters; README.md beside them says from which. */
final class Fixtures {
  private Fixtures() {}

  static byte[] bytes(String name) throws IOException {
    try (InputStream stream = Fixtures.class.getResourceAsStream("/scrape/" + name)) {
      if (stream == null) {
        throw new IOException("no fixture " + name);
      }
      return stream.readAllBytes();
    }
  }
}
