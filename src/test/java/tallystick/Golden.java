package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a command says, kept in {@code src/test/resources/golden}: a test fails when a word of it
 * changes. How far words stand apart and where lines break is not compared, nor how a page is
 * marked up. {@code -Dupdate-golden} writes the files anew, for review.
 */
public final class Golden {
  private static final Path FILES = Path.of("src/test/resources/golden");
  private static final int AROUND = 15;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Golden() {}

  /**
   * Compares with the kept file; its ending says how: {@code .json} as a tree, {@code .html} by its
   * text, anything else by its words.
   *
   * @param file below the folder of golden files, for example {@code capacity/certified.txt}
   */
  public static void assertSame(String file, String answered) {
    Path kept = FILES.resolve(file);
    String said = file.endsWith(".html") ? ofPage(answered) : answered;
    try {
      if (Boolean.getBoolean("update-golden") || "".equals(System.getProperty("update-golden"))) {
        Files.createDirectories(kept.getParent());
        Files.writeString(kept, said);
      }
      assertThat(kept).as("no golden file: run with -Dupdate-golden and review").exists();
      List<String> wanted = compared(file, Files.readString(kept)).lines().toList();
      List<String> found = compared(file, said).lines().toList();
      int at = 0;
      while (at < wanted.size() && at < found.size() && wanted.get(at).equals(found.get(at))) {
        at++;
      }
      // The words around the first difference tell more than two whole files.
      assertThat(around(found, at)).as("%s, at word %d", file, at).isEqualTo(around(wanted, at));
      assertThat(found).as(file).hasSameSizeAs(wanted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String around(List<String> words, int at) {
    return String.join(
        " ", words.subList(Math.max(0, Math.min(at - AROUND, words.size())),
            Math.min(words.size(), at + AROUND)));
  }

  /** A text as it is compared. */
  static String compared(String file, String text) throws JsonProcessingException {
    if (file.endsWith(".json")) {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(JSON.readTree(text));
    }
    // A command that goes on in the next line ends with a backslash; a rule is drawn, not said.
    return text.replaceAll("\\\\\n", " ").replaceAll("-{4,}|[|]|(?m:^ *[*] )", " ").strip()
        .replaceAll("\\s+", "\n");
  }

  /** The text of a page, a line for each stretch of it. */
  static String ofPage(String html) {
    return html.replaceAll("(?s)<(script|style)>.*?</\\1>", " ")
        .replaceAll("<[^>]*>", "\n")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
        .replaceAll("\\s*\n\\s*", "\n");
  }
}
