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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** With {@code --json} standard output is one document, and words for people go elsewhere. */
class JsonAnswerTest {
  private static final String SAMPLE = "reports/sample";
  private static final String RULES = "src/test/resources/lint/guide.yaml";

  @TempDir private Path folder;

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

    assertThat(said.code()).isEqualTo(5);
    assertThat(said.document()).isEqualTo(CommandRun.analysis(folder));
    assertThat(said.err()).contains("Simulating in virtual time", "VERDICT  cannot tell");
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
    Path scenario = Files.createTempFile(folder.resolveSibling(""), "capacity", ".yaml");
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
