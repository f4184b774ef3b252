package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.run.SimulateCommand;
import tallystick.runrecord.WithoutSums;

/** The lesson scenario on the simulated engine: one short run of one mix. */
class AlertsCommandTest {
  private static final String GUIDE = "src/test/resources/lint/guide.yaml";
  @TempDir private static Path folder;
  private static String run;

  @BeforeAll
  static void simulateOnce() throws IOException {
    Path runs = folder.resolve("runs");
    CommandResult simulated =
        CommandResult.of(
            new SimulateCommand(), "scenarios/slo-steps-short.yaml", "--no-report", "--out",
            runs.toString());
    assertThat(simulated.code()).as(simulated.err()).isZero();
    try (Stream<Path> made = Files.list(runs)) {
      run = made.filter(Files::isDirectory).findFirst().orElseThrow().toString();
    }
  }

  @Test
  void aLessonIsRefusedWithTheNumbersThatAreMissing() throws IOException {
    Path out = folder.resolve("alerts");
    CommandResult result =
        CommandResult.of(
            new AlertsCommand(), run, "--slo", "scenarios/slo/chat.yaml", "--window", "30s",
            "--skip", "15", "--out", out.toString(), "--verbose");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("every signal: ", "no_violating_window", "need >= 5 from >= 2")
        .contains("Valid for: SIMULATED engine");
    for (String file :
        List.of("rules_test.yaml", "prometheusrule.yaml", "openslo.yaml", "sloth.yaml",
            "alertmanager.yaml", "dashboard.json")) {
      assertThat(out.resolve(file)).isNotEmptyFile();
    }
    assertThat(Files.readString(out.resolve("rules.yaml")))
        .contains("# SIMULATED", "# refused: VLLMHighTTFT", "- alert: VLLMTargetDown");
  }

  @Test
  void aRunWhoseSidesCannotBeComparedInFullIsUsedAndNamed() throws IOException {
    Path other = folder.resolve("in-part");
    Files.createDirectories(other.resolve("record"));
    try (Stream<Path> files = Files.list(Path.of(run).resolve("record"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, other.resolve("record").resolve(file.getFileName()));
      }
    }
    WithoutSums.in(other);
    Path scrapes = other.resolve("record/scrapes.ndjson");
    Files.writeString(
        scrapes, Files.readString(scrapes).replace("vllm:generation_tokens_total", "own_total"));
    CommandResult result =
        CommandResult.of(
            new AlertsCommand(), other.toString(), "--slo", "scenarios/slo/chat.yaml", "--out",
            folder.resolve("alerts-in-part").toString());
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("Used, although the engine's metrics do not allow comparing every count: ")
        .contains("suffered in too few windows");
  }

  /** A Prometheus may read them at any moment, and a disk may be full: never half a file. */
  @Test
  void rulesAreReplacedWholeAndThroughNoLink() throws IOException {
    Path own = Files.writeString(folder.resolve("own"), "the user's own\n");
    Path out = Files.createDirectories(folder.resolve("linked"));
    Files.createSymbolicLink(out.resolve("rules.yaml"), own);
    CommandResult result =
        CommandResult.of(
            new AlertsCommand(), run, "--slo", "scenarios/slo/chat.yaml", "--window", "30",
            "--skip", "15", "--out", out.toString());

    assertThat(result.code()).as(result.err()).isEqualTo(5);
    assertThat(own).hasContent("the user's own\n");
    assertThat(Files.isSymbolicLink(out.resolve("rules.yaml"))).isFalse();
    assertThat(Files.readString(out.resolve("rules.yaml"))).contains("# SIMULATED");
  }

  @Test
  void aTimeBelowZeroIsTheUsersMistake() {
    CommandResult result = CommandResult.of(new AlertsCommand(), run, "--skip=-1s");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--skip must be >= 0, was -1.0 s: write for example 30s");
  }

  @Test
  void theGuidesRulesAreReplayedInBothDialects() {
    CommandResult result = CommandResult.of(new BacktestCommand(), GUIDE, run, "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("As Prometheus 2.42 would have fired:", "As Prometheus 3.x would have fired:")
        .contains("users suffered")
        .contains("VLLMHighTTFT", "0 of 1");
  }

  @Test
  void aRuleThatCannotBeEvaluatedIsTheUsersToKnow() throws IOException {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        "groups:\n- name: g\n  rules:\n  - alert: A\n    expr: deg(x) > 1\n"
            + "  - alert: B\n    expr: x @ start()\n");
    CommandResult result = CommandResult.of(new BacktestCommand(), rules.toString(), run);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains(rules + ":5: A is left out: not understood: function deg")
        .contains(rules + ":7: B is left out: not understood: @ start()")
        .contains(rules + ": no rule of it can be evaluated");
  }

  @Test
  void theLintNamesTheLineOfWhatItCannotRead() throws IOException {
    Path rules = folder.resolve("syntax.yaml");
    Files.writeString(
        rules,
        "groups:\n- name: g\n  rules:\n  - alert: A\n    expr: sum(up\n"
            + "  - alert: B\n    expr: deg(x) > 1\n");
    CommandResult linted = CommandResult.of(new LintCommand(), rules.toString());
    assertThat(linted.code()).isEqualTo(1);
    assertThat(linted.out())
        .contains(rules + ":5", "syntax")
        .contains(rules + ":7", "not_understood", "function deg");
  }

  @Test
  void aFileThatIsNoYamlIsTheUsersMistakeForLintAndBacktest() throws IOException {
    Path rules = folder.resolve("broken.yaml");
    Files.writeString(rules, "groups:\n- name: g\n  rules: [\n");
    CommandResult linted = CommandResult.of(new LintCommand(), rules.toString());
    CommandResult replayed = CommandResult.of(new BacktestCommand(), rules.toString(), run);
    assertThat(List.of(linted.code(), replayed.code())).containsExactly(2, 2);
    assertThat(linted.err()).contains(rules + ":");
    assertThat(replayed.err()).contains(rules + ":");
  }

  @Test
  void anSloFileWithAMistakeIsNamedWithItsLine() throws IOException {
    Path slo = folder.resolve("slo.yaml");
    Files.writeString(slo, "objectives:\n  - {ttft: 1000, share: 0.99}\n");
    CommandResult result = CommandResult.of(new AlertsCommand(), run, "--slo", slo.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(slo + ":2: objectives[0].ttft has no unit: 1000");
  }
}
