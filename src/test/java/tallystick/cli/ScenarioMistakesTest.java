package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.scenario.ScenarioException;
import tallystick.scenario.ScenarioReader;

/**
 * What the command line answers to each mistake of a scenario, word by word; {@code
 * -Dupdate-golden} writes the file anew.
 */
class ScenarioMistakesTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/scenario/mistakes.txt");
  private static final String GOOD =
      """
      name: chat
      workload:
        arrival: poisson
        rate: 4
        prompt_tokens: 256
        output_tokens: {uniform: [32, 128]}
      duration: 60s
      """;

  @TempDir private Path folder;

  @Test
  void everyMistakeIsAnsweredAsBefore() throws IOException {
    Files.writeString(folder.resolve("data.jsonl"), "{\"prompt\":\"a\",\"output_tokens\":5}\n");
    Files.createFile(folder.resolve("empty.jsonl"));
    List<String> golden = Files.readAllLines(GOLDEN);
    List<String> answers = new ArrayList<>();
    for (String line : golden) {
      answers.add(line.startsWith("#") ? line : answered(line.split(" ¦ ?", -1)));
    }
    if (System.getProperty("update-golden") != null) {
      Files.write(GOLDEN, answers);
    }
    List<String> kept = Files.readAllLines(GOLDEN);
    assertThat(kept).hasSizeGreaterThan(300);
    for (int i = 0; i < kept.size(); i++) {
      assertThat(words(answers.get(i))).isEqualTo(words(kept.get(i)));
    }
  }

  private String answered(String[] cells) throws IOException {
    String option = cells[0].startsWith("--") ? cells[0] : "";
    String written = cells[1].replace("¶", "\n");
    String text =
        !option.isEmpty()
            ? GOOD
            : cells[0].equals("whole file")
                ? written + (written.isEmpty() ? "" : "\n")
                : GOOD.replace(cells[0].replace("¶", "\n"), written);
    assertThat(text.equals(GOOD) && option.isEmpty()).as(cells[0]).isFalse();
    Path file = Files.writeString(folder.resolve("x.yaml"), text);
    CommandRun run =
        !option.isEmpty()
            ? CommandRun.of("plan", file.toString(), option, cells[1])
            : cells[0].equals("whole file") ? CommandRun.of("plan", file.toString()) : read(file);
    String said = words(run.output().replace(folder + "/", ""));
    return String.join(" ¦ ", cells[0], cells[1], Integer.toString(run.code()), said);
  }

  /** A mistake of a scenario ends with 2, as the rows of whole files show; reading is faster. */
  private static CommandRun read(Path file) {
    try {
      ScenarioReader.read(file, List.of(), List.of());
      return new CommandRun(0, "");
    } catch (ScenarioException e) {
      return new CommandRun(2, e.getMessage());
    }
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
