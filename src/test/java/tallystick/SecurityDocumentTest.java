package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SECURITY.md names only tests that are there, and its list of mended libraries is kept to. */
class SecurityDocumentTest {
  private static final Pattern LISTED =
      Pattern.compile(
          "(?m)^\\| `([a-z0-9-]+)` \\| (?:CVE|GHSA)\\S+ \\| ([0-9.]+) \\|$");

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

  @Test
  void noLibraryIsOlderThanTheVersionThatMendsIt() throws IOException {
    Matcher listed = LISTED.matcher(Files.readString(Path.of("SECURITY.md")));
    List<String> faults = new ArrayList<>();
    int count = 0;
    while (listed.find()) {
      count++;
      List<Integer> mended = numbers(listed.group(2));
      List<String> used =
          ClassPathJars.all().stream()
              .map(jar -> jar.getFileName().toString())
              .filter(jar -> jar.matches(Pattern.quote(listed.group(1) + "-") + "\\d.*"))
              .toList();
      used.stream()
          .map(jar -> jar.substring(listed.group(1).length() + 1))
          .filter(version -> Arrays.compare(array(numbers(version)), array(mended)) < 0)
          .forEach(version -> faults.add(listed.group(1) + " " + version));
      if (used.isEmpty()) {
        faults.add(listed.group(1) + " is not there");
      }
    }
    assertThat(faults).isEmpty();
    assertThat(count).isGreaterThan(10);
  }

  /** The numbers a version begins with. */
  private static List<Integer> numbers(String version) {
    return Stream.of(version.split("[.-]"))
        .takeWhile(part -> part.matches("\\d+"))
        .map(Integer::valueOf)
        .toList();
  }

  private static int[] array(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
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
