package tallystick.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tallystick.scenario.PlainText;

/**
 * A command as somebody typed it, so that an answer can name the next one.
 *
 * @param words the command's name, its options and files in the order they were typed; no secret
 * @param folder where its files lie, as a user names it; empty where there is none
 */
public record Invocation(List<Word> words, String folder) {
  /**
   * One option with its value, or one word beside the options.
   *
   * @param option for example {@code --budget}; empty for a word that is no option
   * @param text as a shell takes it
   */
  public record Word(String option, String text) {}

  public Invocation {
    words = List.copyOf(words);
  }

  /** The command again without some options. */
  public String again(String... without) {
    Set<String> dropped = Set.of(without);
    List<String> kept = new ArrayList<>(List.of("./tally"));
    words.stream()
        .filter(word -> word.option().isEmpty() || !dropped.contains(word.option()))
        .forEach(word -> kept.add(word.text()));
    return String.join(" ", kept);
  }

  /** The command that goes on with what was played; the caller adds what it gives anew. */
  public String resume() {
    return again("--budget", "--blocks", "--resume", "--out") + " --resume " + in("");
  }

  /** A path in the folder as a shell takes it; the folder itself where nothing is named. */
  public String in(String path) {
    return PlainText.argument(path.isEmpty() ? folder : folder + "/" + path);
  }
}
