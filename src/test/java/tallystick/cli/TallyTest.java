package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tallystick.cli.exit.Interruption;

class TallyTest {

  /** A command that fails as only a mistake of ours can. */
  @Command(name = "broken")
  static final class Broken implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new IllegalStateException("a state nobody thought of");
    }
  }

  @Test
  void aBugOfOursEndsWithSeventyAndAsksForAReport() {
    StringWriter text = new StringWriter();
    CommandLine line = Tally.commandLine(new Interruption()).addSubcommand(new Broken());
    int code = line.setErr(new PrintWriter(text, true)).execute("broken");
    assertThat(code).isEqualTo(70);
    assertThat(text.toString()).contains("bug in tally").contains("a state nobody thought of");
  }

  /** A command that fails as only a small machine can. */
  @Command(name = "greedy")
  static final class Greedy implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  @Test
  void anErrorIsNoExceptionOfACommandAndReachesTheEndOfMain() {
    CommandLine line = Tally.commandLine(new Interruption()).addSubcommand(new Greedy());
    assertThatThrownBy(() -> line.execute("greedy")).isInstanceOf(OutOfMemoryError.class);
  }

  /** An interactive zsh knows no comments and hands their words to the command. */
  @Test
  void whatStandsBehindACommentsSignIsNoArgument() {
    assertThat(Tally.withoutComment("open", "reports/a#b", "#", "its", "page"))
        .containsExactly("open", "reports/a#b");
    assertThat(Tally.withoutComment("open", "#its")).containsExactly("open", "#its");
  }

  @Test
  void withoutACommandTheCommandsAreListed() {
    CommandRun none = CommandRun.of();
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.output()).contains("Commands:").contains("Name a command");
    CommandRun help = CommandRun.of("help", "simulate");
    assertThat(help.code()).isZero();
    assertThat(help.output()).contains("Usage: tally simulate");
  }

  @Test
  void aScenariosKeyTypedAsAnOptionIsAnsweredWithSet() {
    for (String[] words : new String[][] {{"--rate", "5"}, {"--rate=5"}}) {
      CommandRun ran = CommandRun.of(concat("run", "scenarios/quickstart.yaml", words));
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.output())
          .contains("--rate is a key of the scenario: write --set workload.rate=5")
          .doesNotContain("Unknown");
    }
    assertThat(CommandRun.of("run", "s.yaml", "--rate", "5", "--duration=10s").output())
        .contains("--set workload.rate=5", "--set duration=10s");
    assertThat(CommandRun.of("run", "scenarios/quickstart.yaml", "--tagret=x").output())
        .doesNotContain("key of the scenario");
  }

  @Test
  void onlyANearCommandIsSuggested() {
    assertThat(CommandRun.of("runn").output())
        .contains("Did you mean: run?")
        .doesNotContain("tune", "launch");
    assertThat(CommandRun.of("run", "scenarios/quickstart.yaml", "--tagret=x").output())
        .contains("Did you mean: --target?");
    assertThat(CommandRun.of("xyzzy").output())
        .doesNotContain("Did you mean")
        .contains("Name one of: help, run, ", ", verify");
    assertThat(CommandRun.of("benchmark").output()).contains("Did you mean: run?");
    assertThat(CommandRun.of("Analyze").output()).contains("Did you mean: report?");
    assertThat(CommandRun.of("rnu", "scenarios/quickstart.yaml").output())
        .contains("Did you mean: run?");
    assertThat(CommandRun.of("engine", "--prot", "8000").output())
        .contains("Did you mean: --port?");
  }

  @Test
  void aLauncherThatIsNoneIsAnsweredWithThoseThatThereAre() {
    CommandRun unknown = CommandRun.of("launch", "k8s", "scenarios/quickstart.yaml");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.output()).contains("Name one of: kubernetes, llm-d, slurm");
    assertThat(CommandRun.of("launch", "slrum").output())
        .contains("Did you mean: slurm?")
        .doesNotContain("Name one of");
  }

  @Test
  void aServerUnderAnotherNameIsAnsweredWithTarget() {
    CommandRun url = CommandRun.of("run", "scenarios/quickstart.yaml", "--url", "http://a:1");
    assertThat(url.code()).isEqualTo(2);
    assertThat(url.output()).contains("write --target http://a:1").doesNotContain("Unknown");
    assertThat(
            CommandRun.of("simulate", "scenarios/quickstart.yaml", "--target=http://a:1").output())
        .contains("simulate asks no server: ./tally run takes --target http://a:1");
    CommandRun swapped = CommandRun.of("run", "http://127.0.0.1:1");
    assertThat(swapped.code()).isEqualTo(2);
    assertThat(swapped.output()).contains("scenarios/quickstart.yaml --target URL");
    assertThat(CommandRun.of("run", "scenarios/quickstart.yaml", "--target", "a:1").output())
        .startsWith("--target must be an http or https URL");
  }

  @Test
  void severalServersAreAnsweredWithTheKeyForThem() {
    assertThat(
            CommandRun.of(
                    "run", "scenarios/quickstart.yaml", "--target", "http://a:1", "--target",
                    "http://b:1")
                .output())
        .contains("several engines: write --set 'targets=[URL, URL]'");
    assertThat(
            CommandRun.of("run", "scenarios/quickstart.yaml", "http://a:1", "http://b:1").output())
        .contains("write --set 'targets=[http://a:1, http://b:1]'");
  }

  @Test
  void aServerWithoutItsOptionIsAnsweredWithIt() {
    assertThat(CommandRun.of("doctor", "http://a:1").output())
        .contains("write --target http://a:1");
    assertThat(CommandRun.of("run", "scenarios/quickstart.yaml", "http://a:1").output())
        .contains("write --target http://a:1");
    CommandRun two =
        CommandRun.of("regress", "scenarios/quickstart.yaml", "http://a:1", "http://b:1");
    assertThat(two.code()).isEqualTo(2);
    assertThat(two.output()).contains("write --base http://a:1 --candidate http://b:1");
  }

  @Test
  void aKeyWithoutItsValueIsAnsweredWithBoth() {
    for (String[] words :
        new String[][] {
          {"run", "scenarios/quickstart.yaml", "--set", "workload.rate", "10"},
          {"run", "--set", "workload.rate", "10", "scenarios/quickstart.yaml"}
        }) {
      CommandRun ran = CommandRun.of(words);
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.output()).contains("write --set workload.rate=10");
    }
  }

  @Test
  void aMisspeltFlagOfTheEngineIsAnsweredWithTheNearest() {
    CommandRun ran =
        CommandRun.of(
            "tune", "scenarios/tune-short.yaml", "--rehearse", "--vary", "max_num_seq=8,16");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("did you mean \"max-num-seqs\"?");
  }

  @Test
  void whatIsNoRunIsToldWhatItIs(@TempDir Path folder) throws IOException {
    FollowedDocument.copy(Path.of("reports/sample"), folder.resolve("reports/sample"));
    assertThat(CommandRun.of("report", folder.resolve("reports").toString()).output())
        .contains("is not a run but holds some; name one, for example")
        .contains(folder.resolve("reports/sample").toString());
    assertThat(CommandRun.of("report", "reports/sample/record").output())
        .contains("is a part of a run; name the whole: reports/sample");
    CommandRun file = CommandRun.of("report", "reports/sample/report.html");
    assertThat(file.code()).isEqualTo(2);
    assertThat(file.output()).contains("is a file; name a run's folder");
  }

  @Test
  void aStartThatIsPastIsAnsweredWithOneAhead() {
    CommandRun ran =
        CommandRun.of(
            "run", "scenarios/quickstart.yaml", "--target", "http://127.0.0.1:1", "--shard", "0/2",
            "--start-at", "2020-01-01T19:00:00Z");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output())
        .containsPattern("is past: .*a minute or more ahead, for example 20\\d\\d-.*:00Z");
  }

  @Test
  void aFaultWithoutEffectIsRefused() {
    CommandRun ran = CommandRun.of("simulate", "scenarios/quickstart.yaml", "--fault", "slow");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("slow:decode=3");
  }

  private static String[] concat(String first, String second, String[] rest) {
    return Stream.concat(Stream.of(first, second), Stream.of(rest)).toArray(String[]::new);
  }

  @Test
  void whatIsNoNumberIsSaidInPlainWords() {
    CommandRun ran = CommandRun.of("capacity", "scenarios/steady-chat.yaml", "--power", "abc");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("'--power': 'abc' is not a number, for example 2.5");
    assertThat(CommandRun.of("run", "scenarios/quickstart.yaml", "--seed", "x").output())
        .contains("'x' is not a whole number");
  }

  @Test
  void aShortenedScenarioNameIsCompleted() {
    assertThat(CommandRun.of("plan", "quickstart.yaml").output())
        .contains("did you mean scenarios/quickstart.yaml?");
    CommandRun ran = CommandRun.of("plan", "quickstar");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("ready ones are agents, ", "quickstart");
  }
}
