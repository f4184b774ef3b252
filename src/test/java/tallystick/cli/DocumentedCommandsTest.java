package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.Mistake;
import tallystick.experiment.JointObjective;
import tallystick.scenario.ScenarioReader;

/** Every command that a document shows is one that the command line understands. */
class DocumentedCommandsTest {
  private static final Set<String> WITH_A_SCENARIO = Set.of("run", "plan", "simulate");
  private static final Set<String> WITH_A_JOINT_OBJECTIVE = Set.of("capacity", "tune");
  private static final Set<String> OF_THE_PLAN = Set.of("--set", "--label", "--seed", "--speed");
  private static final List<String> OF_THE_REPOSITORY =
      List.of("scenarios/", "src/", "bench/", "docs/", "simulations/");

  private static final String LEAST_SCENARIO =
      """
      workload: {arrival: constant, rate: 1, prompt_tokens: 8, output_tokens: 8}
      duration: 2s
      """;

  static List<FencedCommands.Shown> shown() throws IOException {
    return FencedCommands.all();
  }

  @ParameterizedTest
  @MethodSource("shown")
  void theCommandLineTakesIt(FencedCommands.Shown shown) {
    for (List<String> words : shown.commands()) {
      if (isOurs(words)) {
        assertThat(faultOf(words.subList(1, words.size()))).as(shown.toString()).isEmpty();
      }
      assertThat(words.stream().filter(DocumentedCommandsTest::isMissing))
          .as(shown.toString())
          .isEmpty();
    }
  }

  @Test
  void everyCommandIsRunOrSaysWhyNot() throws IOException {
    Map<String, Long> counted = new TreeMap<>();
    for (FencedCommands.Shown shown : shown()) {
      assertThat(shown.isRun() || shown.saysWhyNot())
          .as("%s%nmark its block: sh run, sh long or sh needs %s", shown, FencedCommands.REASONS)
          .isTrue();
      counted.merge(shown.label(), 1L, Long::sum);
    }
    System.out.println("Commands that documents show: " + counted);
  }

  @Test
  void aMisspeltOptionKeyOrFileIsFound() {
    assertThat(faultOf(List.of("run", "scenarios/quickstart.yaml", "--tagret=x")))
        .contains("--tagret");
    assertThat(faultOf(List.of("run", "scenarios/quickstart.yaml", "--set", "workload.rat=1")))
        .contains("rat");
    assertThat(isMissing("scenarios/quickstrat.yaml")).isTrue();
    assertThat(isMissing("reports/RUN")).isFalse();
    assertThat(ShellWords.split("A=1 ./tally plan 'a b' --rows 1 > x  # no words"))
        .containsExactly(List.of("./tally", "plan", "a b", "--rows", "1"));
  }

  @Test
  void aBlockThatShowsOurCommandIsMarked() throws IOException {
    List<String> unmarked = new ArrayList<>();
    for (Path document : FencedCommands.documents()) {
      unmarked.addAll(FencedCommands.unmarkedIn(document));
    }
    assertThat(unmarked).isEmpty();
  }

  @Test
  void theReadmeShowsTheFirstScreenOfTheSample(@TempDir Path folder) throws IOException {
    Path sample = folder.resolve("sample");
    FollowedDocument.copy(Path.of("reports/sample"), sample);
    String shown = CommandRun.of("report", sample.toString()).output();
    String screen = shown.substring(0, shown.indexOf("./tally")).strip();
    assertThat(Files.readString(Path.of("README.md"))).contains(screen);
    for (String file : List.of("report.html", "summary.md", "analysis.json", "junit.xml")) {
      assertThat(sample.resolve(file)).hasSameTextualContentAs(Path.of("reports/sample", file));
    }
  }

  /** Those whose commands are all quick are followed with every build. */
  @Test
  void ciFollowsPagesThatHaveLongCommands() throws IOException {
    List<String> pages =
        shown().stream()
            .filter(one -> one.isRun() && !one.isQuick())
            .map(one -> "" + one.document())
            .toList();
    for (String line : Files.readAllLines(Path.of(".ci/pages"))) {
      assertThat(line).matches("\\d+ \\S+\\.md");
      assertThat(pages).contains(line.split(" ")[1]);
    }
  }

  /** A run's files lie where the pipeline picks them up, and nothing else lies there. */
  @Test
  void aPipelineTypesWhatTheCommandLineTakesAndTakesWhatItsRunLeft() throws IOException {
    Pattern reports = Pattern.compile("reports/[^\\s\"\\]]+");
    List<String> pipelines =
        new ArrayList<>(FencedCommands.blocksIn(Path.of("docs/ci.md"), "yaml"));
    for (String block : pipelines) {
      assertThat(reports.matcher(block).results().map(MatchResult::group))
          .allMatch(one -> (one + "/").startsWith("reports/load/"));
    }
    pipelines.add(Files.readString(Path.of("action.yml")));
    Pattern command = Pattern.compile("(?m)^ *(?:- )?(tally [a-z]+ [^>|\\n]*)");
    List<String> typed =
        pipelines.stream().flatMap(all -> command.matcher(all).results()).map(one -> one.group(1))
            .toList();
    for (String line : typed) {
      String filled =
          line.replaceAll("\\$SCENARIO", "steady-chat")
              .replaceAll("\\$RULES|\\$BASELINE|\\$run", "reports/sample")
              .replaceAll("\\$ARGUMENTS|\\$\\{TARGET:\\+([^}]*)}", "$1")
              .replaceAll("\\$[A-Za-z_]+", "http://127.0.0.1:8000");
      List<String> words = ShellWords.split(filled).getFirst();
      assertThat(faultOf(words.subList(1, words.size()))).as(filled).isEmpty();
    }
    assertThat(typed).hasSize(6);
  }

  @Test
  void everyPieceOfAScenarioIsOneThatItsReaderTakes(@TempDir Path folder) throws IOException {
    List<String> faults = new ArrayList<>();
    int pieces = 0;
    for (Path document : FencedCommands.documents()) {
      for (String piece : FencedCommands.blocksIn(document, "yaml")) {
        if (piece.matches("(?s)(target|targets|exporters|workload|objectives):.*")) {
          Path scenario = folder.resolve(pieces++ + ".yaml");
          Files.writeString(scenario, piece + "\n" + LEAST_SCENARIO);
          CommandRun plan = CommandRun.of("plan", "--rows", "1", scenario.toString());
          if (plan.code() != 0) {
            faults.add(document + ": " + plan.output());
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(pieces).as("pieces of scenarios in documents").isPositive();
  }

  private static boolean isOurs(List<String> words) {
    return words.getFirst().equals("./tally") || words.getFirst().equals("tally");
  }

  /** What the command line, and a scenario's reader behind it, have against these words. */
  private static String faultOf(List<String> words) {
    try {
      ParseResult parsed =
          Tally.commandLine(new Interruption()).parseArgs(words.toArray(new String[0]));
      ParseResult command = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
      if (WITH_A_JOINT_OBJECTIVE.contains(command.commandSpec().name())) {
        joinObjectives(command);
      }
      return WITH_A_SCENARIO.contains(command.commandSpec().name()) && !asksForHelp(command)
          ? faultOfPlan(command)
          : "";
    } catch (ParameterException | Mistake | IllegalArgumentException mistake) {
      return mistake.getMessage();
    }
  }

  /** Some commands take only objectives that one request can keep all together. */
  private static void joinObjectives(ParseResult command) {
    Path scenario = command.matchedPositionalValue(0, Path.of(""));
    if (Files.isRegularFile(scenario)) {
      JointObjective.of(
          ScenarioReader.read(scenario, List.of(), List.of()).objectives(),
          command.hasMatchedOption("--share") ? OptionalDouble.of(0.9) : OptionalDouble.empty());
    }
  }

  private static boolean asksForHelp(ParseResult command) {
    return command.isUsageHelpRequested();
  }

  private static String faultOfPlan(ParseResult command) {
    List<String> words = new ArrayList<>(List.of("plan", "--rows", "1"));
    for (CommandLine.Model.OptionSpec option : command.matchedOptions()) {
      if (OF_THE_PLAN.contains(option.longestName())) {
        for (String value : option.stringValues()) {
          words.add(option.longestName() + "=" + value);
        }
      }
    }
    words.addAll(command.matchedPositionals().getFirst().stringValues());
    CommandRun plan = CommandRun.of(words.toArray(new String[0]));
    return plan.code() == 0 ? "" : plan.output();
  }

  private static boolean isMissing(String word) {
    return OF_THE_REPOSITORY.stream().anyMatch(word::startsWith)
        && !word.contains("*")
        && !Files.exists(Path.of(word));
  }
}
