package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What a command says, beside what it said when it was frozen: word by word, whatever the gaps
 * between them. {@code -Dupdate-golden} writes the files anew; their diff is reviewed like code.
 */
public final class FrozenWords {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** The rule between a first screen and the account below it. */
  private static final Pattern RULE = Pattern.compile("(?m)^-{80,120}$");

  private FrozenWords() {}

  /** A text for a terminal. */
  public static void check(String name, String text) throws IOException {
    Path file = file(name + ".txt", text.strip() + "\n");
    assertThat(words(text)).as("%s", file).isEqualTo(words(Files.readString(file)));
  }

  /** What a command says, and what it ends with. */
  public static void check(String name, CommandRun run) throws IOException {
    check(name, run.output() + "\nexit " + run.code());
  }

  /** A document for programs. */
  public static void checkJson(String name, String text) throws IOException {
    Path file = file(name + ".json", JSON.writeValueAsString(JSON.readTree(text)) + "\n");
    assertThat(JSON.readTree(text)).as("%s", file).isEqualTo(JSON.readTree(file.toFile()));
  }

  /** The words of a page, a block each line. */
  public static void checkPage(String name, String html) throws IOException {
    String text =
        html.replaceAll("(?s)<(style|script)\\b.*?</\\1>", "")
            .replaceAll("(?:aria-label|title)=\"([^\"]*)\"", ">$1<")
            .replaceAll("<[^>]*>", "\n")
            .replaceAll("[ \t]*\n\\s*", "\n");
    check(name, text);
  }

  /** The account below the first screen; all of it where there is no screen above. */
  public static String account(String output) {
    String[] parts = RULE.split(output, 2);
    return parts[parts.length - 1];
  }

  private static String words(String text) {
    return text.replaceAll(" \\\\\n", " ").replaceAll("\\s+", " ").strip();
  }

  private static Path file(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name);
    if (System.getProperty("update-golden") != null) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    return file;
  }
}
