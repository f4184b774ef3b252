package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RecordFiles;
import tallystick.scenario.TargetFile;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/**
 * Files that are no plain files, and names that no shell likes. A pipe that nobody writes to hangs
 * whoever opens it, so each case has a limit of time.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
class OddFilesTest {
  private static final String ENTRY = "{\"prompt_tokens\": 12, \"max_tokens\": 4}\n";

  @TempDir Path folder;

  private Path pipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  private Path withDataset(String file) throws IOException {
    return Files.writeString(
        folder.resolve("s.yaml"),
        """
        name: odd
        endpoint: completions
        workload:
          arrival: constant
          rate: 2
          dataset: {file: "%s", format: jsonl}
        requests: 3
        warmup: {requests: 0}
        """
            .formatted(file));
  }

  private Path named(String name) throws IOException {
    return Files.writeString(
        folder.resolve("s.yaml"),
        """
        name: %s
        endpoint: completions
        workload: {arrival: constant, rate: 5, prompt_tokens: 8, output_tokens: 4}
        requests: 10
        """
            .formatted(name));
  }

  private static void isRefused(CommandRun ran, String words) {
    assertThat(ran.code()).as(ran.output()).isEqualTo(2);
    assertThat(ran.output()).contains(words);
  }

  @Test
  void aDatasetBehindALinkIsRead() throws Exception {
    Files.writeString(folder.resolve("real.jsonl"), ENTRY);
    Files.createSymbolicLink(folder.resolve("link.jsonl"), Path.of("real.jsonl"));
    CommandRun ran = CommandRun.of("plan", withDataset("link.jsonl").toString());
    assertThat(ran.code()).as(ran.output()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pipe", ".", "/dev/zero", "gone"})
  void aDatasetThatIsNoFileIsRefusedAtOnce(String name) throws Exception {
    pipe("pipe");
    isRefused(CommandRun.of("plan", withDataset(name).toString()), "names no readable file");
  }

  @Test
  void aDatasetWithoutLinesIsNotHeldInMemory() throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("big").toFile(), "rw")) {
      file.setLength(8L << 30);
    }
    isRefused(
        CommandRun.of("plan", withDataset("big").toString()), "a line is longer than 64 MiB");
  }

  @ParameterizedTest
  @CsvSource({"pipe, no regular file", "/dev/zero, no regular file", "., 'a folder, not a file'"})
  void aListOfTargetsThatIsNoFileIsRefusedAtOnce(String name, String words) throws Exception {
    pipe("pipe");
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      Path scenario =
          Files.writeString(
              folder.resolve("t.yaml"),
              """
              name: odd
              endpoint: completions
              target: %s
              targets_file: %s
              workload: {arrival: constant, rate: 2, prompt_tokens: 8, output_tokens: 4}
              requests: 3
              """
                  .formatted(engine.url(), name));
      isRefused(
          CommandRun.of("run", scenario.toString(), "--out", folder.toString()), words);
    }
  }

  @Test
  void aScenarioOrAListOfTargetsOfMoreThanAMebibyteIsRefused() throws Exception {
    Path scenario = named("large");
    Files.writeString(scenario, Files.readString(scenario) + "# c\n".repeat(1 << 18));
    isRefused(CommandRun.of("plan", scenario.toString()), "larger than 1 MiB");

    Path list = Files.writeString(folder.resolve("list.json"), "[]" + " ".repeat(1 << 20));
    assertThatThrownBy(() -> TargetFile.read(list)).hasMessageContaining("larger than 1 MiB");
  }

  /** Its file is 300 MB of nothing: it takes no room on the disk. */
  @Test
  void aRecordWithoutLinesIsNotHeldInMemoryAndIsInvalid() throws Exception {
    CommandRun.of("simulate", named("lines").toString(), "--out", folder.resolve("o").toString());
    Path run = CommandRun.onlyRun(folder.resolve("o"));
    Path rows = RecordFiles.ofRun(run).requests();
    try (RandomAccessFile file = new RandomAccessFile(rows.toFile(), "rw")) {
      file.setLength(0);
      file.setLength(300L << 20);
    }
    CommandRun report = CommandRun.of("report", run.toString(), "--verbose");

    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(report.output()).contains("requests.ndjson");
  }

  @Test
  void rulesAreNotHeldAgainstADeviceWithoutEnd() throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), "groups: []\n");
    isRefused(
        CommandRun.of("lint", rules.toString(), "--exposition", "/dev/zero"), "larger than 64 MiB");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space", "it's \"quoted\"", "two\nlines", "größe-雪-\uD83D\uDE00", "-dash", "a/../b",
        "$(touch x);`y`", "*?[x]", "%s%n", "#hash&amp;"
      })
  void whateverAFolderIsCalledTheRunIsThere(String name) throws Exception {
    Path scenario = named("odd");
    Files.createDirectories(folder.resolve("reports/a"));
    Path out = folder.resolve("reports").resolve(name);
    CommandRun ran = CommandRun.of("simulate", scenario.toString(), "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isZero();
    Path run = CommandRun.onlyRun(out);
    assertThat(run.resolve("report.html")).isNotEmptyFile();
    assertThat(CommandRun.of("report", run.toString()).code()).isZero();
    assertThat(CommandRun.of("export", run.toString(), "--format", "csv").code()).isZero();
  }

  @Test
  void aNameThatIsTooLongIsSaid() throws Exception {
    String out = folder.resolve("x".repeat(300)).toString();
    CommandRun ran = CommandRun.of("simulate", named("odd").toString(), "--out", out);
    assertThat(ran.code()).as(ran.output()).isEqualTo(3);
    assertThat(ran.output()).contains("name another folder with --out");

    String scenario = named("n".repeat(300)).toString();
    CommandRun named =
        CommandRun.of("simulate", scenario, "--out", folder.resolve("y").toString());
    assertThat(named.code()).as(named.output()).isZero();
    assertThat(CommandRun.onlyRun(folder.resolve("y")).getFileName().toString())
        .startsWith("n".repeat(120) + "-2");
  }

  /** Rows and the plan name both; where one is made plain and the other not, none is in place. */
  @ParameterizedTest
  @ValueSource(
      strings = {"\uD83D\uDC69\u200D\uD83D\uDCBB chat", "soft\u00ADhyphen", "a\\tb", "LONG"})
  void whateverAClassAndAStepAreCalledTheirRowsAreInPlace(String name) throws Exception {
    String workload =
        "{arrival: poisson, rate: {steps: [{name: \"NAME\", rate: 5, for: 10s}]},"
            + " classes: [{name: \"NAME\", prompt_tokens: 8, output_tokens: 4}]}";
    String odd = name.replace("LONG", "x".repeat(301));
    RunAnalysis analysis =
        Analyzer.analyze(PlantedRun.of(workload.replace("NAME", odd), 10).play(folder, 3));
    assertThat(analysis.counts().ok()).isPositive();
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.ROWS_OUT_OF_PLACE);
  }
}
