package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SECURITY.md names only tests that are there. */
class SecurityDocumentTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:#(\\w+))?`");

  @Test
  void everyTestItNamesIsThere() throws IOException {
    Map<String, String> tests = tests();
    List<String> missing = new ArrayList<>();
    Matcher named = NAMED.matcher(Files.readString(Path.of("SECURITY.md")));
    int count = 0;
    while (named.find()) {
      count++;
      String text = tests.getOrDefault(named.group(1), "");
      if (text.isEmpty()
          || named.group(2) != null && !text.contains("void " + named.group(2) + "(")) {
        missing.add(named.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(count).isGreaterThan(20);
  }

  /** Class name → its text; two classes of one name are one here. */
  private static Map<String, String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  SecurityDocumentTest::text,
                  String::concat));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
