package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** Which loads are one load, for whoever compares runs of them. */
class LikeLoadTest {
  @TempDir private Path folder;

  private String run(String load, int seed) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("load.yaml"),
            "workload: {prompt_tokens: 50, output_tokens: 20, " + load + "\n");
    Path out = folder.resolve("runs" + Files.list(folder).count());
    CommandRun ran =
        CommandRun.of(
            "simulate", scenario.toString(), "--seed", "" + seed, "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isZero();
    return CommandRun.onlyRun(out).toString();
  }

  private String compared(String... runs) {
    return CommandRun.of("compare", runs[0], runs[1], "--", runs[2], runs[3]).output();
  }

  /** They end by chance, at another moment with each seed. */
  @Test
  void runsOfSoManyRequestsAreOneLoadWhateverTheirSeeds() throws IOException {
    String load = "rate: 8}\nrequests: 120";
    assertThat(compared(run(load, 1), run(load, 2), run(load, 3), run(load, 4)))
        .doesNotContain("INVALID", "phases");
    String steps = "rate: {steps: [1, 2, 4]}}\nduration: 20s"; // of 6.67 s each
    assertThat(compared(run(steps, 1), run(steps, 2), run(steps, 3), run(steps, 4)))
        .doesNotContain("phases ");
  }

  @Test
  void usersThatThinkAreAnotherLoad() throws IOException {
    String load = "concurrency: 4}\nduration: 20s";
    String think = "concurrency: 4, think_time: {uniform: [1s, 3s]}}\nduration: 20s";
    assertThat(compared(run(load, 1), run(load, 2), run(think, 3), run(think, 4)))
        .contains("INVALID", "users think 2.0 s");
    assertThat(compared(run(think, 1), run(think, 2), run(think, 3), run(think, 4)))
        .doesNotContain("INVALID");
  }
}
