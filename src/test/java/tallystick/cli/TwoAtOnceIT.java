package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Two tallys at once on one target, into one folder. Nothing here asks how fast the machine is. */
@Tag("stress")
class TwoAtOnceIT {
  private static final String SCENARIO =
      """
      name: two
      endpoint: chat/completions
      workload:
        arrival: poisson
        rate: 12
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [8, 30]}
      duration: 8s
      warmup: {requests: 0}
      scrape_interval: 200ms
      timeout: 10s
      """;

  private static final Pattern FOREIGN =
      Pattern.compile("The engine served about (\\d+) requests that this run did not send");

  @TempDir private Path folder;

  @Test
  void eachNamesTheOthersTrafficAndLosesNothingOfItsOwn() throws Exception {
    Path scenario = Files.writeString(folder.resolve("two.yaml"), SCENARIO);
    Path out = folder.resolve("reports");
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      List<String> words =
          List.of(
              "run", scenario.toString(), "--target", engine.url(), "--out", out.toString(),
              "--allow-foreign-traffic", "--quiet-timeout", "1", "--quiet");
      Process one = tally("one", words);
      Process two = tally("two", words);
      end(one, "one", 0, 4);
      end(two, "two", 0, 4);
    }
    List<Path> runs = folders(out);
    assertThat(runs).hasSize(2);
    for (Path run : runs) {
      JsonNode manifest =
          CommandRun.json(Files.readString(RecordFiles.ofRun(run).manifest()));
      assertThat(manifest.at("/ending/state").asText()).isEqualTo("completed");
      JsonNode analysis = CommandRun.json(Files.readString(run.resolve("analysis.json")));
      assertThat(analysis.at("/counts/ok").asInt())
          .isEqualTo(analysis.at("/counts/planned").asInt())
          .isPositive();
      assertThat(analysis.path("findings").findValuesAsText("code"))
          .doesNotContain("rows_missing", "record_faults", "requests_without_row");
      saysThatItWasNotAlone(analysis);
      assertThat(Files.readString(out.resolve("index.html")))
          .contains(run.getFileName().toString());
    }
  }

  /** Whether its counts are bounded or not: it never calls the other's requests its own. */
  private static void saysThatItWasNotAlone(JsonNode analysis) {
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("not_reconciled");
    List<String> texts = analysis.path("findings").findValuesAsText("text");
    for (String text : texts) {
      Matcher told = FOREIGN.matcher(text);
      if (told.find()) {
        int others = Integer.parseInt(told.group(1));
        assertThat(others).isBetween(1, analysis.at("/counts/planned").asInt());
        return;
      }
    }
    assertThat(texts).anyMatch(text -> text.contains("did not become idle: somebody else"));
  }

  @Test
  void twoReportsOfOneRunAtOnceAreBothWhole() throws Exception {
    Path out = folder.resolve("reports");
    Path scenario = Files.writeString(folder.resolve("two.yaml"), SCENARIO);
    CommandRun.of("simulate", scenario.toString(), "--out", out.toString());
    Path run = CommandRun.onlyRun(out);
    String page = Files.readString(run.resolve("report.html"));
    List<Process> both = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      both.add(tally(name, List.of("report", run.toString())));
    }
    for (Process each : both) {
      end(each, List.of("one", "two", "three").get(both.indexOf(each)), 0);
    }
    assertThat(run.resolve("report.html")).hasContent(page);
    try (Stream<Path> files = Files.walk(out)) {
      assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(".partial"));
    }
  }

  private Process tally(String log, List<String> arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally"));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(log).toFile())
        .start();
  }

  private void end(Process process, String log, Integer... codes) throws Exception {
    boolean hasEnded = process.waitFor(180, TimeUnit.SECONDS);
    process.destroyForcibly();
    String said = Files.readString(folder.resolve(log));
    assertThat(hasEnded).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isIn((Object[]) codes);
  }

  private static List<Path> folders(Path parent) throws Exception {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(Files::isDirectory).toList();
    }
  }
}
