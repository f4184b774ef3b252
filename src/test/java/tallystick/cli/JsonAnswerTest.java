package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tallystick.cli.exit.Interruption;
import tallystick.cli.terminal.TerminalWriter;

/** With {@code --json} standard output is one document, and words for people go elsewhere. */
class JsonAnswerTest {
  private static final String SAMPLE = "reports/sample";
  private static final String RULES = "src/test/resources/lint/guide.yaml";

  @TempDir private Path folder;
  @TempDir private Path scenarios;

  private record Said(int code, String out, String err) {
    /** The only document of the output. */
    JsonNode document() throws IOException {
      try (JsonParser in = new ObjectMapper().createParser(out)) {
        JsonNode document = in.readValueAsTree();
        assertThat(in.nextToken()).as("what comes after the document").isNull();
        return document;
      }
    }
  }

  @Test
  void aRunAnswersWithItsAnalysisAndStillShowsItsScreen() throws IOException {
    Said said =
        say(
            "simulate", "scenarios/quickstart.yaml", "--set", "duration=2s", "--json",
            "--out", folder.toString());

    assertThat(said.code()).isZero();
    assertThat(said.document()).isEqualTo(CommandRun.analysis(folder));
    assertThat(said.err()).contains("Simulating in virtual time", "MET ");
    Said again = say("report", CommandRun.onlyRun(folder).toString(), "--json");
    assertThat(again.document()).isEqualTo(said.document());
  }

  @Test
  void rulesAndPlansAnswerToo() throws IOException {
    Said lint = say("lint", RULES, "--json");
    assertThat(lint.code()).isEqualTo(1);
    assertThat(lint.document()).isNotEmpty();
    assertThat(lint.err()).contains("error");

    JsonNode backtest = say("backtest", RULES, SAMPLE, "--alone", "--json").document();
    assertThat(backtest.path("replays")).hasSize(2);
    assertThat(backtest.at("/replays/0/scores/0/alert").asText()).isNotEmpty();

    Said plan = say("plan", "scenarios/quickstart.yaml", "--json");
    assertThat(plan.document().path("request_count").asInt()).isGreaterThan(300);
    assertThat(plan.err()).isEmpty();
  }

  @Test
  void aSearchForACapacityAnswersWithItsFile() throws IOException {
    Path scenario = scenarios.resolve("capacity.yaml");
    Files.writeString(
        scenario,
        """
        workload: {rate: 2, prompt_tokens: 16, output_tokens: 16}
        duration: 1s
        objectives: [{all: [{ttft: 1s}, {tpot: 50ms}], share: 0.9}]
        """);
    Said said =
        say(
            "capacity", scenario.toString(), "--rehearse", "--budget", "1s", "--json",
            "--out", folder.toString());

    assertThat(said.code()).isEqualTo(2);
    Path file = CommandRun.onlyRun(folder).resolve("capacity.json");
    assertThat(said.document()).isEqualTo(new ObjectMapper().readTree(Files.readString(file)));
    assertThat(said.err()).contains("Experiment in ");
    Said quiet =
        say(
            "capacity", scenario.toString(), "--rehearse", "--budget", "1s", "--quiet",
            "--out", folder.resolve("quiet").toString());
    assertThat(quiet.out()).contains("VERDICT").doesNotContain("Experiment in ");
  }

  @Test
  void alertsAnswerWithWhatIsEarnedAndWhatIsRefused() throws IOException {
    Said said =
        say("alerts", SAMPLE, "--skip", "0", "--json", "--out", folder.resolve("a").toString());

    JsonNode answer = said.document();
    assertThat(said.code()).as(said.err()).isEqualTo(5);
    assertThat(said.err()).contains("VERDICT  no threshold learned");
    assertThat(answer.path("files").toString()).contains("rules.yaml");
    assertThat(answer.path("simulated").asBoolean()).isFalse();
    assertThat(answer.at("/refused/0/missing").asText()).isNotEmpty();
    JsonNode signal = answer.at("/objectives/0/signals/0");
    assertThat(signal.path("signal").asText()).isEqualTo("bad_ratio");
    assertThat(signal.path("threshold").isNull()).isTrue();
    assertThat(signal.path("code").asText()).isNotEmpty();
  }

  @Test
  void whatWritesFilesAnswersWithTheirNames() throws IOException {
    String out = folder.resolve("rows").toString();
    Said exported = say("export", SAMPLE, "--format", "csv", "--output", out, "--json");
    assertThat(exported.document().path("files")).isNotEmpty();
    assertThat(exported.err()).contains(out);

    Said page = say("open", SAMPLE, "--print", "--json");
    assertThat(page.document().path("page").asText()).isEqualTo(SAMPLE + "/report.html");

    Said launched =
        say(
            "launch", "slurm", "scenarios/steady-chat.yaml", "--target", "http://10.0.0.7:8000",
            "--shards", "2", "--json", "--out", folder.resolve("job").toString());
    assertThat(launched.document().path("files")).hasSize(1);
    assertThat(launched.err()).contains("NEXT     sbatch");
  }

  @Test
  void everyCommandButThoseForShellsAndPeopleCanAnswer() {
    List<String> without =
        commands(Tally.commandLine(new Interruption()))
            .filter(command -> command.getCommandSpec().findOption("--json") == null)
            .map(CommandLine::getCommandName)
            .sorted()
            .toList();

    assertThat(without).containsExactly("completion", "engine", "help", "init");
  }

  private static Stream<CommandLine> commands(CommandLine line) {
    return line.getSubcommands().isEmpty()
        ? Stream.of(line)
        : line.getSubcommands().values().stream().flatMap(JsonAnswerTest::commands);
  }

  @Test
  void aMistakeIsNoAnswer() {
    Said said = say("report", folder.resolve("absent").toString(), "--json");

    assertThat(said.code()).isNotZero();
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains("absent");
  }

  private static Said say(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Tally.commandLine(new Interruption());
    line.setOut(new TerminalWriter(out)).setErr(new TerminalWriter(err));
    int code = line.execute(arguments);
    return new Said(code, out.toString(), err.toString());
  }
}
