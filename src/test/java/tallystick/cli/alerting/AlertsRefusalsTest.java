package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.rules.RuleBook;
import tallystick.cli.FrozenWords;
import tallystick.cli.run.SimulateCommand;

/**
 * Every refusal from the command to the files: the number that is missing, the exit code, and
 * nothing of what was refused in any file. {@code no_violating_window} is in {@link
 * AlertsCommandTest}.
 */
class AlertsRefusalsTest {
  private static final String[] SILENCE = RuleBook.ABSENCE.toArray(String[]::new);
  @TempDir private static Path folder;
  private static List<String> runs;

  @BeforeAll
  static void simulateOnce() throws IOException {
    simulate("made-steps", "runs", "--seed", "1");
    simulate("made-steps", "runs", "--seed", "2");
    runs = runs("runs");
  }

  @Test
  void oneRunOnlyIsNotSeparable() throws IOException {
    // Users suffer in both of its high steps.
    simulate("made-steps", "one", "--seed", "6");
    CommandResult result = alerts(runs("one"), "--window", "15", "--skip", "8");
    assertThat(result.out())
        .contains("not measured: 0 runs of slowly rising load, need >= 3");
    assertRefused(result, "not_separable", "1 run: leaving one run out needs >= 2");
  }

  @Test
  void twoShortRunsOfOneMixMayWarnOfSymptomsAndOfNothingElse() throws IOException {
    CommandResult result = alerts(runs, "--window", "15", "--skip", "8");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .containsPattern("above the objective's edge 0\\.02 \\(share of requests\\) [^(]*warning")
        .containsPattern("mean KV-cache usage.*: 1 mix, need >= 2.* next: run a second traffic mix")
        .containsPattern("P99 time to first token 1 \\(seconds\\) [^(]*warning")
        .contains("in sample: the alerts shown were");
    assertThat(alertNames())
        .contains("VLLMHighTTFT", "VLLMTargetDown", "VLLMTTFTObjectiveMissed")
        .doesNotContain("VLLMPreemptionRelatedDegradation");
  }

  @Test
  void shortWindowsHoldTooFewObservations() throws IOException {
    assertRefused(
        alerts(runs, "--window", "5", "--skip", "8"),
        "too_few_observations", "median of \\d+ requests in a window, need >= 100");
  }

  @Test
  void anObjectiveStricterThanTheFirstEdgeIsUnresolvable() throws IOException {
    Path slo = folder.resolve("strict.yaml");
    Files.writeString(slo, "objectives:\n  - {ttft: 0.5ms, share: 0.99}\n");
    CommandResult result =
        alerts(List.of(runs.getFirst()), "--window", "15", "--skip", "8", "--slo", slo.toString());
    assertThat(result.out()).contains("the edges go from 0.001 to 2560 s");
    assertRefused(result, "unresolvable", "the objective's 0.0005 s lies in the first");
  }

  @Test
  void whereNothingIsLeftOfTheStepsItSaysSo() throws IOException {
    simulate("made-foreign", "short");
    CommandResult result = alerts(runs("short"), "--skip", "3600");
    assertRefused(result, "no_window", "0 windows: the longest step lasts .* need >= 61m");
  }

  @Test
  void everyObjectiveGivesItsAlerts() throws IOException {
    Path slo = folder.resolve("several.yaml");
    Files.writeString(
        slo,
        """
        objectives:
          - {tpot: 50ms, share: 0.95}
          - {ttft: 1s, share: 0.99}
          - {ttft: 5s, share: 0.999}
        """);
    CommandResult result =
        alerts(runs, "--window", "15", "--skip", "8", "--slo", slo.toString());
    assertThat(result.out())
        .doesNotContain("Left out")
        .contains("by ttft <= 1 s for 0.99", "by ttft <= 5 s for 0.999")
        .contains("by tpot <= 0.05 s for 0.95");
    assertThat(alertNames()).doesNotHaveDuplicates().contains("VLLMHighTTFT");
    assertThat(Files.readString(out().resolve("rules.yaml")))
        .contains("VLLMTTFTObjectiveMissed", "VLLMTPOTObjectiveMissed", "VLLMTTFTObjectiveMissed5s")
        .containsOnlyOnce("refused: VLLMHighTPOT");
    assertThat(out().resolve("rules_test_tpot.yaml")).exists();
  }

  @Test
  void withoutHealthThereIsNoThreshold() throws IOException {
    simulate("made-no-health", "no-health");
    assertRefused(
        alerts(runs("no-health"), "--window", "15", "--skip", "8"),
        "no_healthy_window", "0 met windows from 0 steps, need >= 5");
  }

  @Test
  void stepsThatOnlyOverloadTellOverload() throws IOException {
    simulate("made-overload", "overload");
    assertRefused(
        alerts(runs("overload"), "--window", "15", "--skip", "30"),
        "overload_only", "all \\d+ missed windows come from steps");
  }

  @Test
  void aRunWhoseLedgerDoesNotCloseIsNoBasis() throws IOException {
    simulate("made-foreign", "foreign", "--foreign-share", "0.1");
    assertRefused(
        alerts(runs("foreign"), "--window", "30", "--skip", "15"),
        "unreconciled", "runs not reconciled or not valid: 1, allowed 0");
  }

  @Test
  void whatTheRunsGiveStandsBesideTheUsersRules() {
    List<String> arguments =
        new ArrayList<>(List.of("src/test/resources/lint/guide.yaml", "--verbose"));
    arguments.addAll(runs);
    CommandResult result =
        account(CommandResult.of(new BacktestCommand(), arguments.toArray(String[]::new)));
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("As Prometheus 3.x would have fired:")
        .contains("Beside yours, alerts derived from these runs, replayed on the same runs:")
        .containsPattern("refused: VLLMPreemptionRelatedDegradation, .* \\([a-z_]+\\): ");
  }

  private static void simulate(String scenario, String to, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "src/test/resources/alerts/" + scenario + ".yaml", "--no-report", "--out",
                folder.resolve(to).toString()));
    arguments.addAll(List.of(more));
    CommandResult simulated =
        CommandResult.of(new SimulateCommand(), arguments.toArray(String[]::new));
    assertThat(simulated.code()).as(simulated.err()).isZero();
  }

  private static List<String> runs(String under) throws IOException {
    try (Stream<Path> made = Files.list(folder.resolve(under))) {
      return made.filter(Files::isDirectory).map(Path::toString).sorted().toList();
    }
  }

  private static Path out() {
    return folder.resolve("alerts");
  }

  private static CommandResult alerts(List<String> of, String... more) {
    List<String> arguments = new ArrayList<>(of);
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--out", out().toString(), "--verbose"));
    return account(CommandResult.of(new AlertsCommand(), arguments.toArray(String[]::new)));
  }

  /** What stands below the first screen, without its line breaks. */
  private static CommandResult account(CommandResult result) {
    String account = FrozenWords.account(result.out()).replaceAll("\\s+", " ");
    return new CommandResult(result.code(), account, result.err());
  }

  private static List<String> alertNames() throws IOException {
    String text = Files.readString(out().resolve("rules.yaml"));
    return RuleFile.read("rules.yaml", text).rules().stream()
        .filter(RuleSource::alert)
        .map(RuleSource::name)
        .toList();
  }

  /** The code, the signals that it holds for, and the reason. */
  private static String refused(String code, String how) {
    return "Refused: [^(]*\\(" + code + "\\) (?:(?!Refused: ).)*?"
        + "(share of requests above[^:]*|every signal): " + how;
  }

  /** The share of bad requests is refused like this, and no file holds more than absence. */
  private static void assertRefused(CommandResult result, String code, String how)
      throws IOException {
    assertThat(result.out()).containsPattern(refused(code, how));
    assertThat(result.code())
        .as(result.err())
        .isEqualTo(code.equals("unreconciled") ? 4 : 5);
    assertThat(alertNames()).containsExactly(SILENCE);
    for (String file : List.of("rules.yaml", "prometheusrule.yaml")) {
      assertThat(Files.readString(out().resolve(file)))
          .contains("# refused: VLLMHighTTFT", "# refused: VLLMTTFTObjectiveMissed")
          .doesNotContain("- record:");
    }
    assertOnlyComments("sloth.yaml", "openslo.yaml");
  }

  private static void assertOnlyComments(String... files) throws IOException {
    for (String file : files) {
      assertThat(Files.readAllLines(out().resolve(file)))
          .isNotEmpty()
          .allMatch(line -> line.startsWith("# "));
    }
  }
}
