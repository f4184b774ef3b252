package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.Golden;
import tallystick.cli.CommandRun;
import tallystick.experiment.Journal;

/**
 * What each experiment prints while it goes on, played to its end and gone on with from a journal
 * that an earlier build wrote.
 */
class ExperimentProgressTest {
  private static final String GOLDEN = "experiment/";

  private static final String SCENARIO =
      """
      name: small
      endpoint: completions
      workload: {arrival: poisson, rate: 8, prompt_tokens: 100, output_tokens: 16}
      duration: 10s
      seed: 3
      objectives: [{ttft: 100ms, share: 0.95}, {e2e: 2s, share: 0.95}]
      engine: {max_num_seqs: "4", max_num_batched_tokens: "1024", block_size: "32"}
      """;

  /** A journal's head and two finished runs. */
  private static final int KEPT_LINES = 3;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "capacity; capacity.json; --budget 6m",
        "regress; comparison.json; --repeats 3 --candidate-engine max_num_seqs=2",
        "tune; tune.json; --blocks 2 --repeats 3 --vary max_num_seqs=1,4 --current"
            + " max_num_seqs=1 --margin itl_p99=90% --predict llama-3.1-8b-h100 --budget 30m",
        "study; study.json; --budget 14m --predict llama-3.1-8b-h100"
      })
  void saysTheSameWordsWholeAndGoneOnWith(String command, String result, String options)
      throws IOException {
    Path scenario = Files.writeString(folder.resolve("small.yaml"), SCENARIO);
    List<String> words = new ArrayList<>(List.of(command, scenario.toString(), "--rehearse"));
    words.addAll(List.of(options.split(" ")));

    CommandRun whole = run(words, "--out", folder.resolve("whole").toString());
    Path experiment = CommandRun.onlyRun(folder.resolve("whole"));
    Golden.assertSame(GOLDEN + command + ".txt", progress(whole, experiment));
    List<String> written = Files.readAllLines(experiment.resolve(Journal.FILE));
    // The runs of a study are read again, to the last digit: its own journal, not that of another
    // machine.
    List<String> old =
        command.equals("study") ? written.subList(0, KEPT_LINES) : old(command, written);
    JsonNode answer = answer(experiment.resolve(result));

    Files.writeString(
        experiment.resolve(Journal.FILE),
        String.join("\n", old) + "\n" + written.get(KEPT_LINES).substring(0, 20));
    CommandRun resumed = run(words, "--resume", experiment.toString());

    Golden.assertSame(GOLDEN + command + "-resumed.txt", progress(resumed, experiment));
    assertThat(resumed.code()).isEqualTo(whole.code());
    JsonNode again = withoutNew(answer(experiment.resolve(result)));
    if (command.equals("capacity")) {
      // Its earlier build did not count arrivals, which the curve is laid through: the rate moves.
      assertThat(again.path("outcome")).isEqualTo(answer.path("outcome"));
      assertThat(again.path("likely_per_second").doubleValue())
          .isCloseTo(answer.path("likely_per_second").doubleValue(), withinPercentage(5));
    } else {
      assertThat(again).isEqualTo(withoutNew(answer));
    }
  }

  /** What was written; an earlier build noted its own version in its runs. */
  private static JsonNode answer(Path file) throws IOException {
    return CommandRun.json(
        Files.readString(file)
            .replaceAll("\"version tally\" ?: ?\"[^\"]*\"", "\"version tally\":\"any\""));
  }

  /** Of a probe that an earlier build wrote down its figures, and how long it really measured. */
  private static JsonNode withoutNew(JsonNode answer) {
    answer
        .path("probes")
        .forEach(
            probe -> {
              ((ObjectNode) probe).remove("figures");
              ((ObjectNode) probe.path("load")).remove("measured_seconds");
            });
    return answer;
  }

  private static CommandRun run(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return CommandRun.of(all.toArray(String[]::new));
  }

  /** What stands before the answer's screen. */
  private static String progress(CommandRun run, Path experiment) {
    return run.output().replace(experiment.toString(), "FOLDER").lines()
        .takeWhile(line -> !line.isBlank())
        .collect(Collectors.joining("\n"));
  }

  /** What an earlier build noted of a probe and nothing asks for any more. */
  private static final String DROPPED = "crowding";

  /** A journal of an earlier build, whose lines have no other field that is not written now. */
  private static List<String> old(String command, List<String> written) throws IOException {
    List<String> old =
        Files.readAllLines(
            Path.of("src/test/resources/golden").resolve(GOLDEN + command + ".ndjson"));
    for (int i = 0; i < old.size(); i++) {
      Set<String> before = fields(CommandRun.json(old.get(i)));
      before.removeIf(field -> field.startsWith(DROPPED));
      assertThat(fields(CommandRun.json(written.get(i))))
          .as("fields of line %d", i + 1)
          .containsAll(before);
    }
    return old;
  }

  private static Set<String> fields(JsonNode node) {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      names.add(one.getKey());
      fields(one.getValue()).forEach(inner -> names.add(one.getKey() + "." + inner));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      names.addAll(fields(node.get(i)));
    }
    return names;
  }
}
