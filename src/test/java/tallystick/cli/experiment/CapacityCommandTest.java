package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.CommandRun;

/** The search as a user types it, in virtual time. */
class CapacityCommandTest {
  private static final String JOURNAL = "journal.ndjson";

  @TempDir private Path folder;

  private Path scenario(String objective) throws IOException {
    return Files.writeString(
        folder.resolve("chat.yaml"),
        """
        name: chat
        endpoint: completions
        workload: {arrival: poisson, rate: 8, prompt_tokens: 100, output_tokens: 16}
        duration: 60s
        seed: 3
        objectives: [%s]
        """
            .formatted(objective));
  }

  private CommandRun search(Path scenario, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("capacity", scenario.toString(), "--rehearse", "--max-num-seqs", "4"));
    words.addAll(List.of("--out", folder.resolve("out").toString()));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static JsonNode answer(Path experiment) throws IOException {
    return new ObjectMapper().readTree(experiment.resolve("capacity.json").toFile());
  }

  @Test
  void answersALikelyRateAtTheEndOfItsBudgetAndTheSameWhenResumed() throws IOException {
    Path scenario = scenario("{ttft: 100ms, share: 0.95}");

    CommandRun whole = search(scenario, "--budget", "5m");

    assertThat(whole.code()).as(whole.output()).isEqualTo(0);
    assertThat(whole.output())
        .contains("CARRIES  ", "(likely ", "TRUST    yes", "NEXT")
        .contains("simulated engine");
    Path experiment = CommandRun.onlyRun(folder.resolve("out"));
    List<String> lines = Files.readAllLines(experiment.resolve(JOURNAL));
    assertThat(lines.size()).isGreaterThan(3);

    Path killed = Files.createDirectory(folder.resolve("killed"));
    String cut = lines.get(3).substring(0, 20);
    Files.writeString(
        killed.resolve(JOURNAL), String.join("\n", lines.subList(0, 3)) + "\n" + cut);
    CommandRun resumed =
        search(scenario, "--budget", "5m", "--resume", killed.toString());

    assertThat(resumed.code()).isEqualTo(0);
    assertThat(answer(killed)).isEqualTo(answer(experiment));
  }

  /** The rate that fails is a matter of one slow engine; the screen said only that none waits. */
  @Test
  void oneSlowEngineOfTwoIsNamedWhereARateFails() throws IOException {
    CommandRun run =
        search(
            scenario("{e2e: 300ms, share: 0.95}"), "--budget", "5m", "--data-parallel-size", "2",
            "--fault", "slow:prefill=3,decode=3,engine=1");

    assertThat(run.output().replaceAll("\\s+", " "))
        .containsPattern("WHY at [\\d.]+/s .*; One engine is slower than the others, engine 1 ");
  }

  @Test
  void aRehearsalBeforeSeveralTargetsSaysThatItIsOfOne() throws IOException {
    Path scenario = scenario("{ttft: 100ms, share: 0.95}");
    Files.writeString(
        scenario, "targets: ['http://127.0.0.1:1', 'http://127.0.0.1:2']\n",
        StandardOpenOption.APPEND);

    assertThat(search(scenario, "--budget", "2m").output().replaceAll("\\s+", " "))
        .contains("one simulated engine in the place of 2 targets");
    CommandRun predicted = search(scenario, "--budget", "2m", "--predict", "tiny-cpu");
    assertThat(predicted.code()).isEqualTo(2);
    assertThat(predicted.output()).contains("--predict plays one engine");
  }

  @Test
  void theFirstScreenFitsTheTerminal() throws IOException {
    CommandRun run =
        search(
            scenario("{ttft: 100ms, share: 0.95}"), "--budget", "10m", "--peak", "500",
            "--price", "2.5");

    String screen = run.output().substring(run.output().indexOf("\ncapacity") + 1);
    assertThat(screen.lines().count()).isLessThanOrEqualTo(24);
    assertThat(screen).contains("REPLICAS ");
    assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  @Tag("stress")
  void aRightProfilePredictsEachProbeAndAWrongOneIsToldAndMisleadsNothing() throws IOException {
    Path scenario = scenario("{ttft: 100ms, share: 0.95}");

    CommandRun right = search(scenario, "--budget", "6m", "--predict", "llama-3.1-8b-h100");
    JsonNode known = answer(CommandRun.onlyRun(folder.resolve("out")));
    Path other = folder.resolve("other");
    CommandRun wrong =
        CommandRun.of(
            "capacity", scenario.toString(), "--rehearse", "--max-num-seqs", "4", "--out",
            other.toString(), "--budget", "20m", "--predict", "tiny-cpu");
    JsonNode misled = answer(CommandRun.onlyRun(other));

    assertThat(right.output()).contains("predicting the search in virtual time");
    assertThat(known.at("/predicted/simulated").asBoolean()).isTrue();
    assertThat(known.at("/predicted/probes")).hasSameSizeAs(known.get("probes"));
    for (int i = 0; i < known.get("probes").size(); i++) {
      assertThat(known.at("/predicted/probes/" + i + "/good"))
          .isEqualTo(known.at("/probes/" + i + "/good"));
    }
    String screen = wrong.output().substring(wrong.output().indexOf("\ncapacity") + 1);
    assertThat(screen).contains("the profile is off, at least ").contains("predicted");
    // A folder's name cannot be broken, and how long it is chance decides here.
    assertThat(screen.lines())
        .hasSizeLessThanOrEqualTo(24)
        .allMatch(line -> line.length() <= 80 || line.strip().startsWith(other.toString()));
    assertThat(misled.get("low_per_second").asDouble())
        .isLessThan(known.at("/predicted/per_second").asDouble());
    assertThat(misled.get("high_per_second").asDouble())
        .isGreaterThan(known.at("/predicted/per_second").asDouble());
  }

  @Test
  void aBudgetForNotOneProbeNamesTheLeast() throws IOException {
    CommandRun run = search(scenario("{ttft: 100ms, share: 0.95}"), "--budget", "10s");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains("it needs at least 78 s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--keep-engine", "--serve-wait=5s"})
  void whatIsForAStartedEngineIsNotPassedOver(String option) throws IOException {
    CommandRun run = search(scenario("{ttft: 100ms, share: 0.95}"), option);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains(" is for an engine of --serve or --serve-deployment");
  }

  @Test
  void saysThatNoRateHoldsWhereOneRequestAloneIsTooSlow() throws IOException {
    CommandRun run = search(scenario("{ttft: 1ms, share: 0.95}"));

    assertThat(run.code()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains("no rate holds TTFT within 1 ms for 95 %");
  }

  @Test
  void anExperimentThatAnotherTallyWorksInIsNotTouched() throws IOException {
    Path scenario = scenario("{ttft: 1ms, share: 0.95}");
    search(scenario);
    Path experiment = CommandRun.onlyRun(folder.resolve("out"));
    Path journal = experiment.resolve(JOURNAL);
    // What the other one is writing must not be cut off as a line that a kill cut.
    Files.writeString(journal, "{\"half\"", StandardOpenOption.APPEND);
    byte[] before = Files.readAllBytes(journal);
    try (FileChannel other = ExperimentOptions.locked(experiment)) {
      CommandRun run = search(scenario, "--resume", experiment.toString());

      assertThat(run.code()).isEqualTo(2);
      assertThat(run.output()).contains("another tally works in");
      assertThat(journal).hasBinaryContent(before);
    }
    assertThat(search(scenario, "--resume", experiment.toString()).code()).isEqualTo(1);
  }

  @Test
  void anotherScenarioIsNotResumed() throws IOException {
    search(scenario("{ttft: 1ms, share: 0.95}"));
    Path experiment = CommandRun.onlyRun(folder.resolve("out"));

    CommandRun run =
        search(scenario("{ttft: 2ms, share: 0.95}"), "--resume", experiment.toString());

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains("is of another experiment");
  }

  @Test
  void mistakesAreNamed() throws IOException {
    assertThat(search(scenario("{itl: 50ms, share: 0.95}")).output())
        .containsPattern("\\.yaml:\\d+: objectives\\[0] has itl, which judges gaps between");
    Path scenario = scenario("{ttft: 1s, share: 0.95}");
    assertThat(search(scenario, "--budget", "soon").output()).contains("--budget is not a time");
    assertThat(search(scenario, "--share", "2").code()).isEqualTo(2);
  }
}
