package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import tallystick.Golden;

/**
 * What commands on rules and fits say, beside what was frozen: {@link Golden} with exit codes, the
 * account below a first screen, the hidden words of a page, and JSON whatever its order.
 */
public final class FrozenWords {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** The rule between a first screen and the account below it. */
  private static final Pattern RULE = Pattern.compile("(?m)^-{80,120}$");

  private FrozenWords() {}

  /** A text for a terminal. */
  public static void check(String name, String text) {
    Golden.assertSame(name + ".txt", text.strip() + "\n");
  }

  /** What a command says, and what it ends with. */
  public static void check(String name, CommandRun run) {
    check(name, run.output() + "\nexit " + run.code());
  }

  /** A document for programs. */
  public static void checkJson(String name, String text) throws IOException {
    Path file = GOLDEN.resolve(name + ".json");
    if (System.getProperty("update-golden") != null) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, JSON.writeValueAsString(JSON.readTree(text)) + "\n");
    }
    assertThat(JSON.readTree(text)).as("%s", file).isEqualTo(JSON.readTree(file.toFile()));
  }

  /** The words of a page, a block each line. */
  public static void checkPage(String name, String html) {
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
}
