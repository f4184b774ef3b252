package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;
import tallystick.cli.exit.ExitCode;

/** What cannot be told is no pass: exit code 5, unless the user explores. */
class UnprovenRunTest {
  @TempDir private Path folder;
  @TempDir private Path scenarios;

  /** Three requests, fast as they are, say nothing of 90 %. */
  @Test
  void threeRequestsProveNothing() throws IOException {
    CommandRun ran = simulate("{ttft: 10s, share: 0.9}");

    assertThat(ran.code()).as(ran.output()).isEqualTo(ExitCode.TOO_CLOSE.number());
    assertThat(ran.output()).contains("TOO CLOSE").contains("3 requests are too few");
    String run = CommandRun.onlyRun(folder).toString();
    assertThat(CommandRun.of("report", run).code()).isEqualTo(ExitCode.TOO_CLOSE.number());
    CommandRun accepted = CommandRun.of("report", run, "--accept-unproven");
    assertThat(accepted.code()).isEqualTo(ExitCode.GOOD.number());
    assertThat(accepted.output()).contains("TOO CLOSE");
    assertThat(Files.readString(CommandRun.onlyRun(folder).resolve("junit.xml")))
        .contains("skipped=\"1\"").contains("failures=\"0\"");
  }

  @Test
  void aMissedObjectiveOutranksOneThatIsTooCloseToCall() throws IOException {
    CommandRun ran =
        simulate("{ttft: 10s, share: 0.9}, {e2e: 1ms, share: 0.9}", "--set", "duration=4s");

    assertThat(ran.output()).contains("MISSED   1 of 2 objectives (sure)");
    assertThat(ran.code()).isEqualTo(ExitCode.RESULT_FAILS.number());
  }

  /** What is likely missed would be 5 by the one and 0 by the other: the stricter made it pass. */
  @Test
  void whoRequiresSureAnswersAcceptsNoUnprovenOnes() throws IOException {
    CommandRun both = simulate("{ttft: 10s, share: 0.9}", "--require=sure", "--accept-unproven");

    assertThat(both.code()).as(both.output()).isEqualTo(ExitCode.USER_MISTAKE.number());
    assertThat(both.output()).contains("--require sure and --accept-unproven contradict");
    assertThat(folder).isEmptyDirectory();
    CommandRun likely =
        simulate("{ttft: 10s, share: 0.9}", "--accept-unproven", "--require=likely");
    assertThat(likely.code()).as(likely.output()).isEqualTo(ExitCode.GOOD.number());
  }

  @Test
  void aRunWithoutObjectivesIsGood() throws IOException {
    assertThat(simulate("").code()).isEqualTo(ExitCode.GOOD.number());
  }

  private CommandRun simulate(String objectives, String... more) throws IOException {
    Path scenario = scenarios.resolve("s.yaml");
    Files.writeString(
        scenario,
        """
        workload: {arrival: constant, rate: 3, prompt_tokens: 16, output_tokens: 16}
        duration: 1s
        """
            + (objectives.isEmpty() ? "" : "objectives: [" + objectives + "]\n"));
    String[] arguments = new String[more.length + 4];
    System.arraycopy(more, 0, arguments, 4, more.length);
    arguments[0] = "simulate";
    arguments[1] = scenario.toString();
    arguments[2] = "--out";
    arguments[3] = folder.toString();
    return CommandRun.of(arguments);
  }
}
