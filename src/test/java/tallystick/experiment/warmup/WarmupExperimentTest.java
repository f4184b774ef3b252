package tallystick.experiment.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static tallystick.experiment.PlayedExperiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.Budget;
import tallystick.experiment.Journal;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

/**
 * What a new experiment needs: a design, what a run leaves, and an answer. The loop brings the
 * journal, the budget, the words, and how it stops and goes on.
 */
class WarmupExperimentTest {
  private static final List<Integer> ALL_RUNS = List.of(8, 16, 32, 64, 128, 256);

  @TempDir private Path folder;

  private final WarmingBench bench = new WarmingBench();
  private final List<String> said = new ArrayList<>();

  private WarmupExperiment experiment(long seed) throws IOException {
    return experiment(seed, 600);
  }

  private WarmupExperiment experiment(long seed, double budget) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("small.yaml"),
            """
            workload: {rate: 12, prompt_tokens: 200, output_tokens: 30}
            duration: 8s
            """);
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of());
    return new WarmupExperiment(scenario, bench, new Budget(OptionalDouble.of(budget)), seed);
  }

  private Path begun(String name) throws IOException {
    Path here = Files.createDirectory(folder.resolve(name));
    Journal.begin(here, experiment(3).identity());
    return here;
  }

  @Test
  void saysAfterHowManyRequestsTheEngineIsWarm() throws Exception {
    WarmupAnswer answer = run(experiment(3), begun("whole"), said::add, () -> false).orElseThrow();

    assertThat(answer.requests()).isEqualTo(128);
    assertThat(bench.played).isEqualTo(ALL_RUNS);
    assertThat(said)
        .startsWith("8 requests   10 of 10 min left", "  TTFT 368 ms")
        .endsWith("256 requests   6 of 10 min left", "  TTFT 100 ms");
  }

  @Test
  void whatFitsTheBudgetIsPlayedAndAnswered() throws Exception {
    WarmupAnswer answer =
        run(experiment(3, 70), begun("short"), line -> {}, () -> false).orElseThrow();

    assertThat(answer.requests()).isZero();
    assertThat(bench.played).containsExactly(8, 16, 32);
  }

  @Test
  void stoppedAtAnyPointItGoesOnAndPlaysNoFinishedRunAgain() throws Exception {
    Path whole = begun("whole");
    run(experiment(3), whole, said::add, () -> false).orElseThrow();
    int lines = said.size();
    for (int stop = 0; stop < lines - 1; stop++) {
      Path here = begun("stopped-" + stop);
      bench.played.clear();
      said.clear();
      int least = stop;

      assertThat(run(experiment(3), here, said::add, () -> said.size() >= least)).isEmpty();
      assertThat(here.resolve(WarmupAnswer.FILE)).doesNotExist();
      assertThat(run(experiment(3), here, line -> {}, () -> false)).isPresent();

      assertThat(bench.played).isEqualTo(ALL_RUNS);
      assertThat(here.resolve(WarmupAnswer.FILE))
          .hasSameTextualContentAs(whole.resolve(WarmupAnswer.FILE));
    }
  }

  @Test
  void aRunThatIsStoppedOrFailsIsPlayedAgainAndTheOthersAreKept() throws Exception {
    Path here = begun("cut");
    bench.failingIn = 2;
    bench.stoppedIn = 4;

    assertThatThrownBy(() -> run(experiment(3), here, line -> {}, () -> false))
        .hasMessage("no space left on the disk");
    assertThat(run(experiment(3), here, line -> {}, () -> false)).isEmpty();
    assertThat(run(experiment(3), here, said::add, () -> false)).isPresent();

    assertThat(said).startsWith(
            "2 finished runs are taken from " + here, "32 requests   10 of 10 min left");
    assertThat(bench.played).isEqualTo(ALL_RUNS);
  }

  @Test
  void whatWasInDoubtAtTheEndIsPlayedAgain() throws Exception {
    Path here = begun("doubt");
    Journal.resume(here, experiment(3).identity())
        .add(new WarmupRun(8, 8, 9, "the client was late"));

    run(experiment(3), here, said::add, () -> false).orElseThrow();

    assertThat(bench.played).isEqualTo(ALL_RUNS);
    assertThat(said.getFirst()).startsWith("8 requests");
  }

  @Test
  void aJournalOfAnotherOneIsRefusedAndNothingIsPlayed() throws Exception {
    Path here = begun("other");

    assertThatThrownBy(() -> run(experiment(4), here, said::add, () -> false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is of another experiment (warmup of small), not the same: --seed;");
    assertThat(bench.played).isEmpty();
    assertThat(said).isEmpty();
  }

  /** As a shipped one shows, which has its room, its command and these lines. */
  @Test
  void twoFilesKnowAnExperimentBesideItsOwn() throws IOException {
    Path main = Path.of("src/main/java/tallystick");
    Set<Path> own =
        Set.of(main.resolve("experiment/study"), main.resolve("cli/experiment/StudyCommand.java"));
    Pattern name =
        Pattern.compile("\\bexperiment\\.study\\b|\\bStudyCommand\\b|\\| study \\|");
    List<Path> files =
        new ArrayList<>(
            List.of(
                Path.of("CONTRIBUTING.md"), Path.of("docs/architecture.md"), Path.of("pom.xml"),
                Path.of("src/test/java/tallystick/ArchitectureTest.java")));
    try (Stream<Path> sources = Files.walk(main)) {
      sources.filter(Files::isRegularFile).forEach(files::add);
    }
    List<Path> touched = new ArrayList<>();
    for (Path file : files) {
      if (own.stream().noneMatch(file::startsWith)
          && name.matcher(Files.readString(file)).find()) {
        touched.add(file);
      }
    }
    assertThat(touched)
        .containsExactly(Path.of("CONTRIBUTING.md"), main.resolve("cli/Tally.java"));
  }
}
