package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryCommandTest {
  @TempDir Path folder;

  private int runs;

  private Path simulated(int promptTokens, String fault) throws IOException {
    return simulated(promptTokens, fault, "");
  }

  private Path simulated(int promptTokens, String fault, String name) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("small.yaml"),
            name + "workload: {arrival: poisson, rate: 12, prompt_tokens: " + promptTokens
                + ", output_tokens: 30}\nduration: 8s\n");
    runs++;
    Path out = folder.resolve(String.format(Locale.ROOT, "runs/%02d", runs));
    CommandRun run =
        CommandRun.of(
            "simulate", scenario.toString(), "--seed", String.valueOf(runs), "--engine-seed",
            String.valueOf(runs), "--fault", fault, "--no-report", "--out", out.toString());
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(out);
  }

  private void write() throws IOException {
    for (int i = 0; i < 10; i++) {
      simulated(200, i < 5 ? "slow:decode=1" : "slow:decode=1.2");
    }
    simulated(400, "slow:decode=1");
    Files.writeString(simulated(200, "slow:decode=1").resolve("record/requests.ndjson"), "");
  }

  private CommandRun history(String... more) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("history", folder.resolve("runs").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void aSlowerReleaseIsFoundAndAnotherMixIsAnotherSeries() throws IOException {
    write();

    Path page = folder.resolve("history.html");
    CommandRun run = history("--metric", "tpot_mean", "--html", page.toString());
    List<String> screen = run.output().lines().toList();
    CommandRun whole = history("--metric", "tpot_mean", "--verbose");

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(screen).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);
    assertThat(run.output())
        .contains("VERDICT  series 1: TPOT mean worse by")
        .contains("left out:")
        .contains("n/a (need 10)")
        .contains("series 2 from 1 in mix")
        .contains("A simulated engine answered in virtual time");
    // Ten runs of the first series, two levels and one change; a series of one run has no picture.
    String html = Files.readString(page);
    assertThat(html)
        .containsPattern("data-name=\"run\" data-values=\"([0-9.,]+ ){9}[0-9.,]+\"")
        .containsPattern("data-name=\"level\" data-values=\"([-0-9.,]+ ){3}[-0-9.,]+\"");
    assertThat(html.split(" worse</text>", -1)).hasSize(2);
    assertThat(html).contains("Series 1: ", "Series 2: ", " worse</text>", "<dt>Verdict</dt>");
    assertThat(whole.output()).contains("06/").contains("Runs left out");
  }

  @Test
  void howManyRunsALevelNeedsIsNotCutForALongName() throws IOException {
    String name = "name: a-scenario-of-a-rather-long-name\n";
    simulated(200, "slow:decode=1", name);
    simulated(200, "slow:decode=1", name);

    assertThat(history().output()).contains("n/a (need 10)");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    for (int i = 0; i < 3; i++) {
      simulated(200, "slow:decode=1");
    }
    CommandRun run = history("--json");
    Path copy = Files.createDirectories(folder.resolve("runs/copy/record"));
    try (Stream<Path> files =
        Files.list(CommandRun.onlyRun(folder.resolve("runs/02")).resolve("record"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }

    assertThat(history("--json").output()).contains("\"why\" : \"copied\"");
    JsonNode answer = CommandRun.json(run.output().substring(run.output().indexOf("{\n")));
    assertThat(answer.at("/left_out")).as(run.output()).isEmpty();
    assertThat(answer.at("/series/0/runs")).hasSize(3);
    assertThat(answer.at("/series/0/tracks/0/metric").asText()).isEqualTo("ttft_p95");
    assertThat(answer.at("/series/0/tracks/0/needed").asInt()).isEqualTo(10);
  }

  @Test
  void whatCannotBeAskedIsAMistake() throws IOException {
    assertThat(history().code()).isEqualTo(2);
    Files.createDirectory(folder.resolve("runs"));
    assertThat(history().output()).contains("no run below");
    assertThat(history("--metric", "ttft").output()).contains("ttft_p95");
    assertThat(history("--metric=ttft_p50", "--metric=ttft_p95", "--metric=ttft_p99",
        "--metric=e2e_mean", "--metric=e2e_p95").code()).isEqualTo(2);
  }
}
