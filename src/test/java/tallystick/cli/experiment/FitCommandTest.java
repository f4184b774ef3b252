package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class FitCommandTest {
  @TempDir private Path folder;

  private Path run(String name, String more, String... flags) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            """
            name: chat
            endpoint: completions
            workload: {arrival: poisson, rate: 8, output_tokens: 24, %s}
            duration: 12s
            seed: 3
            """
                .formatted(more));
    String out = folder.resolve(name).toString();
    String[] words = {"simulate", scenario.toString(), "--no-report", "--out", out};
    String[] all = java.util.Arrays.copyOf(words, words.length + flags.length);
    System.arraycopy(flags, 0, all, words.length, flags.length);
    CommandRun run = CommandRun.of(all);
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(folder.resolve(name));
  }

  @Test
  void fitsChecksAndWritesAProfileThatASimulationTakes() throws IOException {
    Path fitted = run("a", "prompt_tokens: {uniform: [20, 1500]}");
    Path other = run("b", "prompt_tokens: 200");
    Path profile = folder.resolve("p.properties");

    CommandRun fit =
        CommandRun.of(
            "fit", fitted.toString(), "--check", other.toString(), "--out", profile.toString());

    assertThat(fit.code()).as(fit.output()).isEqualTo(5);
    assertThat(fit.output())
        .contains("fit   1 run of a simulated engine", "VERDICT", "TRUST", "CHECK", "NEXT")
        .containsPattern("step +\\S+ +\\S+ to \\S+ +yes")
        .containsPattern("NEXT +fit these runs with one more: ")
        .containsPattern("trust it under loads like these\\s+alone|its predictions are\\s+off")
        .contains("main of chat-virtual");
    assertThat(fit.output().lines()).hasSizeLessThan(26).allMatch(line -> line.length() <= 80);
    assertThat(Files.readString(profile)).contains("base_us=", "simulated engine");
    run("c", "prompt_tokens: 200", "--profile", profile.toString());
  }

  @Test
  void anEngineWhoseCacheIsSmallerThanTheSimulatedOnesLongestRequestIsFitted() {
    CommandRun fit =
        CommandRun.of(
            "fit", "reports/sample", "--out", folder.resolve("p.properties").toString());

    assertThat(fit.code()).as(fit.output()).isNotEqualTo(2);
    assertThat(fit.output())
        .contains("VERDICT", "# what it says is simulated")
        .doesNotContain("max-model-len", "(what");
  }

  @Test
  void runsOfUnlikeEnginesAreNotTrusted() throws IOException {
    Path one = run("a", "prompt_tokens: 200");
    Path other = run("b", "prompt_tokens: 200", "--block-size", "32");

    CommandRun fit = CommandRun.of("fit", one.toString(), other.toString());

    assertThat(fit.code()).isEqualTo(4);
    assertThat(fit.output()).contains("no profile", "differ in", "block_size (16, 32)");
  }

  @Test
  void aMissingRunOrProfileIsTheUsersMistake() throws IOException {
    CommandRun fit = CommandRun.of("fit", folder.resolve("none").toString());
    assertThat(fit.code()).isEqualTo(2);
    String once = run("once", "prompt_tokens: 200").toString();
    CommandRun twice = CommandRun.of("fit", once, "--check", once);
    assertThat(twice.code()).isEqualTo(2);
    assertThat(twice.output()).contains("is named twice: name each run once");
    CommandRun simulate =
        CommandRun.of("simulate", "scenarios/quickstart.yaml", "--profile", "none.properties");
    assertThat(simulate.code()).isEqualTo(2);
    assertThat(simulate.output()).contains("there is no profile none.properties");
  }
}
