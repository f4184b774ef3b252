package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** A study of a simulated engine whose profile is known, or thought to be. */
class StudyPredictionTest {
  @TempDir private Path folder;

  private String screen = "";

  private JsonNode study(String profile) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("chat.yaml"),
            """
            name: chat
            endpoint: completions
            workload: {arrival: poisson, rate: 4, prompt_tokens: 100, output_tokens: 16}
            duration: 20s
            seed: 3
            objectives: [{ttft: 100ms, share: 0.95}]
            engine: {max_num_seqs: "4"}
            """);
    Path out = folder.resolve(profile);
    CommandRun run =
        CommandRun.of(
            "study", scenario.toString(), "--rehearse", "--budget", "14m", "--predict", profile,
            "--out", out.toString());
    assertThat(run.code()).as(run.output()).isIn(0, 5);
    assertThat(run.output()).contains("predicting the short runs in virtual time");
    screen = run.output().substring(run.output().indexOf("\nstudy ") + 1).strip();
    Path experiment = CommandRun.onlyRun(out);
    // A path that is longer than a line is not cut: it must work where it is pasted.
    assertThat(screen.lines())
        .hasSizeLessThanOrEqualTo(24)
        .allMatch(line -> line.length() <= 80 || line.strip().startsWith(experiment.toString()));
    assertThat(experiment.resolve("summary.md"))
        .content()
        .contains("## Predicted beside measured", "good, predicted");
    return new ObjectMapper().readTree(experiment.resolve("study.json").toFile());
  }

  private static long scouts(JsonNode study) {
    return study.get("runs").findValuesAsText("kind").stream().filter("SCOUT"::equals).count() / 2;
  }

  @Test
  void aRightProfilePredictsEveryStepAndAWrongOneIsToldAndMisleadsNothing() throws IOException {
    JsonNode right = study("llama-3.1-8b-h100");

    assertThat(right.at("/predicted/simulated").asBoolean()).isTrue();
    assertThat(right.at("/predicted/steps")).isNotEmpty();
    for (JsonNode step : right.at("/predicted/steps")) {
      assertThat(step.get("predicted")).isEqualTo(step.get("measured"));
    }
    assertThat(scouts(right)).isEqualTo(4);
    assertThat(screen).contains("FORECAST").doesNotContain("the profile is off");

    JsonNode wrong = study("tiny-cpu");

    assertThat(screen.replaceAll("\\s+", " ")).contains("(simulated)", "the profile is off by ");
    double capacity = right.at("/completed_per_second/given").asDouble();
    assertThat(wrong.at("/completed_per_second/given").asDouble())
        .isBetween(0.9 * capacity, 1.1 * capacity);
  }
}
