package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.CommandRun;

/** Tuning as a user types it, in virtual time. */
class TuneCommandTest {
  @TempDir private Path folder;

  private CommandRun tune(String engine, String... more) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("small.yaml"),
            """
            name: small
            workload: {rate: 10, prompt_tokens: 100, output_tokens: 20}
            duration: 5s
            seed: 4
            objectives: [{ttft: 500ms, share: 0.9}]
            engine:
              profile: invented-mid-gpu
            %s
            """
                .formatted(engine.indent(2)));
    List<String> words = new ArrayList<>(List.of("tune", scenario.toString(), "--rehearse"));
    words.addAll(List.of("--out", folder.resolve("out").toString()));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @Test
  void whatTheScenarioVariesIsTunedAndShown() throws IOException {
    CommandRun run =
        tune("max_num_seqs: 16, 64\nmax_num_batched_tokens: 1024, 4096", "--blocks", "2",
            "--verbose");

    assertThat(run.code()).as(run.output()).isIn(0, 5);
    String screen = run.output().substring(run.output().indexOf("\ntune") + 1);
    screen = screen.substring(0, screen.indexOf("\n-----"));
    assertThat(screen.strip().lines().count()).isLessThanOrEqualTo(24);
    assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
    assertThat(screen)
        .contains("max_num_seqs x max_num_batched_tokens on the simulated engine",
            "TRUST    yes: 10 runs in 2 blocks", "\n16/1024* ", "\n* today  ");
    assertThat(run.output())
        .contains("All settings (95 % intervals over blocks; percentiles: ")
        .containsPattern("\\n +64/4096 +goodput ");
    Path experiment = CommandRun.onlyRun(folder.resolve("out"));
    assertThat(Files.readString(experiment.resolve("tune.html")))
        .contains(
            "<svg class=\"tiles\" role=\"img\"",
            " aria-label=\"ITL P99 (middle run; least to most) over max_num_seqs");
    assertThat(experiment.resolve("tune.json")).content().contains("\"chance_on_front\"");
  }

  @Test
  void whereNotAllCellsHaveRoomThoseOfTheVerdictHaveIt() throws IOException {
    CommandRun run =
        CommandRun.of(
            "tune", "scenarios/tune-short.yaml", "--rehearse", "--out",
            folder.resolve("out").toString());

    String screen = run.output().substring(run.output().indexOf("\ntune") + 1);
    assertThat(screen)
        .contains(
            "ALSO     as much goodput: 32/1024 (ITL P99 +85 %), 32/4096 (ITL P99 +",
            "more in summary.md", "\n8/1024* ")
        .containsPattern("\n32/1024 ")
        .containsPattern("\n32/4096 ")
        .contains("goodput and preemptions are averages over ")
        .as("percentiles have no average: from the least run to the most")
        .containsPattern("\n32/256 +\\S+ +\\S+ % +\\S+–\\S+ ms +\\S+–\\S+ ms ");
    assertThat(screen.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aFlagVariedByHandStandsBesideThoseOfTheScenario() throws IOException {
    CommandRun run =
        tune("max_num_seqs: 2, 4\nmax_num_batched_tokens: 256, 512", "--vary",
            "max-num-seqs=2,4,8", "--budget", "30s");
    assertThat(run.output()).contains("one block of 6 settings needs at least");
  }

  @Test
  void whatCannotBeTunedIsTheUsersMistake() throws IOException {
    assertThat(tune("max_num_seqs: 16"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.output()).contains("nothing to choose from"));
    assertThat(tune("", "--vary", "max_num_sequences=2,4"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.output()).contains("max-num-sequences"));
    assertThat(tune("", "--vary", "max_num_seqs=0,4"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.output()).contains("max-num-seqs must be >= 1"));
    assertThat(tune("", "--vary", "max_num_seqs=2,4", "--budget", "30s"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(
            run -> assertThat(run.output()).contains("one block of 2 settings needs at least 45"
                + " s"));
    assertThat(tune("", "--vary", "max_num_seqs=2,4", "--current", "block_size=16"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.output()).contains("which --vary does not name"));
  }

  /** 50 requests have no P95: the front is one of fewer figures, and says so. */
  @Test
  void whatIsNotComparedIsSaidBesideTheFront() throws IOException {
    CommandRun run = tune("max_num_seqs: 16, 64", "--blocks", "2");

    assertThat(run.output().replaceAll("\\s+", " "))
        .contains("TTFT P95 was not compared: not every setting reported it");
  }

  /** 5 % is what a comparison takes where nobody says. */
  @ParameterizedTest
  @ValueSource(strings = {"tpot_mean=1%", "tpot_mean=5%"})
  void aMarginThatNothingLooksAtIsRefused(String margin) throws IOException {
    assertThat(tune("max_num_seqs: 16, 64", "--margin", margin))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(
            run ->
                assertThat(run.output())
                    .contains("tune has margins only for ttft_p95 and itl_p99"));
  }

  @Test
  void aListOfValuesIsMendedInTheMessage() throws IOException {
    assertThat(tune("max_num_seqs: [4, 8]"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(
            run ->
                assertThat(run.output()).contains("write without brackets max_num_seqs: 4, 8"));
  }
}
