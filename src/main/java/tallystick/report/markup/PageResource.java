package tallystick.report.markup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What a page is made of beside its document: style, script, picture, meanings of words. */
public final class PageResource {
  private PageResource() {}

  public static String text(String name) {
    try (InputStream in = PageResource.class.getResourceAsStream("/tallystick/report/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
