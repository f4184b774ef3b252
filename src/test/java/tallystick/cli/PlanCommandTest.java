package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.runrecord.PlanJson;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioException;
import tallystick.scenario.ScenarioReader;

class PlanCommandTest {
  private static final String SCENARIO = "scenarios/quickstart.yaml";

  @TempDir private Path folder;

  @Test
  void saysThatOnlyFirstTurnsAreSentAndWhatIsNewInAConversation(@TempDir Path here)
      throws IOException {
    Files.writeString(
        here.resolve("chats.json"),
        """
        [{"conversations": [{"from": "human", "value": "A?"}, {"from": "gpt", "value": "B."},
          {"from": "human", "value": "C?"}, {"from": "gpt", "value": "D."}]}]
        """);
    Path file = here.resolve("chats.yaml");
    String load = "workload: {rate: 2, dataset: {format: sharegpt, file: chats.json}%s}\n";
    Files.writeString(file, load.replace("%s", "") + "duration: 10s\n");
    assertThat(CommandRun.of("plan", file.toString()).output())
        .contains("Only first turns are sent; conversation: {turns: 8}")
        .containsPattern("main +\\d+ requests, \\d+ given texts, ");
    Files.writeString(file, load.replace("%s", ", conversation: {turns: 8}") + "duration: 10s\n");
    assertThat(CommandRun.of("plan", file.toString()).output()).doesNotContain("Only first turns");
    Files.writeString(
        file,
        "workload: {rate: 2, prompt_tokens: 100, output_tokens: 10, conversation: {turns: 3}}\n"
            + "duration: 10s\n");
    assertThat(CommandRun.of("plan", file.toString()).output())
        .containsPattern("main +\\d+ requests, [\\d,]+ new prompt tokens, ");
  }

  @Test
  void printsTheFirstRequestsAndTheTotals() {
    List<String> lines = run(SCENARIO, "--set", "workload.rate=8", "--rows", "2").lines().toList();

    assertThat(lines.get(0)).contains("request", "phase", "start", "prompt", "output");
    assertThat(lines).anyMatch(line -> line.contains("warmup") && line.contains("0.0"));
    assertThat(lines).anyMatch(line -> line.endsWith("more in this phase"));
    assertThat(lines.get(lines.size() - 1)).startsWith("all ").contains("requests");
    assertThat(lines).allMatch(line -> line.length() <= 100);
  }

  @Test
  void aTraceIsReplayedFasterByAnOptionOfEveryCommandThatTakesAScenario() {
    String trace = "scenarios/trace-replay.yaml";
    double once = lastStart(CommandRun.of("plan", trace, "--rows", "1000", "--speed", "1"));
    double twice = lastStart(CommandRun.of("plan", trace, "--rows", "1000", "--speed", "2"));
    CommandRun refused =
        CommandRun.of("simulate", "scenarios/quickstart.yaml", "--speed", "2", "--no-report");

    assertThat(twice).isPositive().isCloseTo(once / 2, Offset.offset(1e-5));
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.output()).contains("workload.speed", "only arrival: trace");
    assertThat(CommandRun.of("run", "--help").output()).contains("--speed");
  }

  @Test
  void showsThreeRowsOfADataSetAsTheyWereUnderstood() throws IOException {
    Files.writeString(
        folder.resolve("rows.csv"),
        "Timestamp,Request tokens,Response tokens\n5,300,18\n6,400,0\n7,1,2\n8,9,9\n9,7,7\n");
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, "endpoint: completions\nworkload: {trace: rows.csv}\n");

    List<String> lines = CommandRun.of("plan", file.toString()).output().lines().toList();

    assertThat(lines).filteredOn(line -> line.startsWith("note: ")).hasSize(3);
    assertThat(lines).anyMatch(line -> line.endsWith("(burstgpt): 4 entries, 1 row left out"));
    assertThat(lines).filteredOn(line -> line.matches(" +\\d\\.000 s +\\d+ tokens? +\\d+ +1"))
        .hasSize(3).last().asString().contains("3.000 s  9 tokens");
  }

  private static double lastStart(CommandRun plan) {
    return plan.output().lines()
        .filter(line -> line.matches("\\s*\\d+\\s+main.* s .*"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll(".* ([0-9.]+) s .*", "$1")))
        .max()
        .orElseThrow();
  }

  @Test
  void whatARunWouldRefuseThePlanRefusesToo() throws IOException {
    String text = Files.readString(Path.of(SCENARIO)).replaceAll("(?m)^engine:.*\\n?", "");
    Path flag = folder.resolve("flag.yaml");
    Files.writeString(flag, text + "engine: {num_gpu_blocks: 100}\n");
    Path fault = folder.resolve("fault.yaml");
    Files.writeString(fault, text + "engine: {fault: \"slw:decode=3\"}\n");

    CommandRun unknown = CommandRun.of("plan", flag.toString());
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.output()).contains("flag.yaml: engine: unknown engine flag num-gpu-blocks");
    CommandRun misspelt = CommandRun.of("plan", fault.toString());
    assertThat(misspelt.code()).isEqualTo(2);
    assertThat(misspelt.output()).contains("begins with one of stall, admission, slow,");
    assertThat(CommandRun.of("plan", SCENARIO, "--rows", "-1").code()).isEqualTo(2);
  }

  @Test
  void promptsThatTheEmbeddedEngineRefusesAreToldWhereItAnswers() {
    String[] tooLong = {"plan", SCENARIO, "--set", "workload.prompt_tokens=5000"};
    CommandRun embedded = CommandRun.of(tooLong);
    List<String> server = new ArrayList<>(List.of(tooLong));
    server.addAll(List.of("--set", "target=http://10.0.0.7:8000"));

    assertThat(embedded.code()).isZero();
    assertThat(embedded.output())
        .containsPattern("CAUTION  \\d+ prompts do not fit the embedded engine's")
        .contains("max-model-len of 4096", "--target");
    assertThat(CommandRun.of(server.toArray(String[]::new)).output()).doesNotContain("CAUTION");
    assertThat(CommandRun.of("plan", SCENARIO).output()).doesNotContain("CAUTION");
  }

  @Test
  void theJsonIsThePlanOfTheRecord() throws IOException {
    Scenario scenario = ScenarioReader.read(Path.of(SCENARIO), List.of(), List.of("gpu=H100"));
    Plan plan = Planner.plan(scenario, 7);
    Path file = folder.resolve("plan.json");
    Files.writeString(file, run(SCENARIO, "--json", "--seed", "7", "--label", "gpu=H100"));

    assertThat(PlanJson.read(file)).isEqualTo(plan);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kv-pressure", "conversations", "agents", "mixed-traffic", "trace-replay", "spike"
      })
  void everyKindOfPlanSurvivesItsJson(String name) throws IOException {
    Path scenarioFile = Path.of("scenarios", name + ".yaml");
    Plan plan = Planner.plan(ScenarioReader.read(scenarioFile, List.of(), List.of()), 1);
    Path file = folder.resolve("plan.json");
    Files.writeString(file, run(scenarioFile.toString(), "--json"));

    assertThat(PlanJson.read(file)).isEqualTo(plan);
  }

  @Test
  void aPlanWrittenWithoutTheLaterSettingsHasThePlainOnes() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode plan = (ObjectNode) mapper.readTree(run(SCENARIO, "--json"));
    List<JsonNode> removed = Stream.of("classes", "access", "stop")
        .map(later -> ((ObjectNode) plan.findParent(later)).remove(later))
        .toList();
    String json = mapper.writeValueAsString(plan);
    Path file = Files.writeString(folder.resolve("plan.json"), json);

    assertThat(removed).hasSize(3).doesNotContainNull();
    assertThat(json).doesNotContain("\"classes\"", "\"access\"", "\"stop\"");
    assertThat(PlanJson.read(file).settings().classOf("default").model()).isEmpty();
    assertThat(PlanJson.read(file).settings().stop()).isEqualTo(Scenario.StopRules.NEVER);
  }

  @Test
  void theUsersMistakesComeOutAsTheyAre() {
    List<Exception> mistakes = new ArrayList<>();
    CommandLine command = new CommandLine(new PlanCommand());
    command.setExecutionExceptionHandler((mistake, line, result) -> {
      mistakes.add(mistake);
      return 2;
    });

    assertThat(command.execute(SCENARIO, "--set", "workload.raet=8")).isEqualTo(2);
    assertThat(mistakes).singleElement().isInstanceOf(ScenarioException.class);
  }

  private static String run(String... arguments) {
    StringWriter text = new StringWriter();
    CommandLine command = CommandRun.alone(new PlanCommand());
    command.setOut(new PrintWriter(text));
    assertThat(command.execute(arguments)).isZero();
    return text.toString();
  }
}
