package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tallystick.cli.exit.Interruption;

/**
 * What a screen says under NEXT: commands, each of which a shell and, where it is one of ours, the
 * command itself take; and whole sentences, which nobody would type.
 */
public final class NextLines {
  private static final String HEAD = "NEXT     ";
  private static final String INDENT = " ".repeat(HEAD.length());
  private static final Pattern COMMAND =
      Pattern.compile("(\\./tally|promtool|kubectl|sbatch|cp|\\(cd|#) .*");
  private static final Pattern SENTENCE = Pattern.compile("[A-Z].*[.:]");

  private NextLines() {}

  /** A screen has something under NEXT, and each of it can be typed or is a sentence. */
  public static void check(String screen) {
    List<String> all = of(screen);
    assertThat(all).as(screen).isNotEmpty();
    all.forEach(line -> checkLine(line, screen));
  }

  private static void checkLine(String line, String screen) {
    if (COMMAND.matcher(line).matches()) {
      List<String> words = words(line);
      if (line.startsWith("./tally ")) {
        Tally.commandLine(new Interruption()).parseArgs(words.toArray(new String[0]));
      }
    } else {
      assertThat(line).as(screen).matches(SENTENCE).doesNotContain("./tally ", "COMMAND", " # ");
    }
  }

  /** Commands, and sentences that may fill several lines, each as one. */
  private static List<String> of(String screen) {
    List<String> all = new ArrayList<>();
    boolean isNext = false;
    boolean isSentence = false;
    for (String line : typed(screen).lines().toList()) {
      boolean isMore = isNext && line.startsWith(INDENT);
      isNext = line.startsWith(HEAD) || isMore;
      if (isNext) {
        String said = line.substring(HEAD.length()).strip();
        boolean isCommand = COMMAND.matcher(said).matches();
        if (isMore && isSentence && !isCommand) {
          all.add(all.removeLast() + " " + said);
        } else {
          all.add(said);
        }
        isSentence = !isCommand && !said.endsWith(".");
      }
    }
    return all;
  }

  /** The screen of an experiment as it is shown, and a word of capitals as the number it is for. */
  private static String typed(String screen) {
    String kind = screen.substring(0, screen.indexOf(' '));
    return screen
        .replaceAll(" \\\\\n +", " ")
        .replace("COMMAND", "./tally " + kind + " SCENARIO")
        .replaceAll("\\b(RATE|PER_HOUR)\\b", "1");
  }

  /** The words that a shell hands to the command. */
  private static List<String> words(String command) {
    String script =
        command.startsWith("./tally ")
            ? "tally() { printf '%s\\n' \"$@\"; }\n" + command.substring(2)
            : "true || " + command.replaceFirst("^#.*", "false");
    try {
      Process shell = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
      String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(shell.waitFor()).as(command + "\n" + said).isZero();
      return said.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
