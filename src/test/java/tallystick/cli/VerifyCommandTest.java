package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.ManifestJson;
import tallystick.runrecord.WithoutSums;

/** Records that changed after they were written, by {@code tally verify} and {@code report}. */
class VerifyCommandTest {
  private static final PlantedRun SOUND =
      PlantedRun.of("{arrival: poisson, rate: 10, prompt_tokens: 64, output_tokens: 24}", 30);

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path sound;

  @BeforeAll
  static void simulate() throws IOException {
    sound = SOUND.folder(shared, 4711);
  }

  @Test
  void aRecordAsItWasWrittenIsWhole() {
    CommandRun said = CommandRun.of("verify", sound.toString());
    assertThat(said.code()).as(said.output()).isZero();
    assertThat(said.output()).contains("whole and unchanged (5 files, ");
  }

  /** The report names it, too, wherever the file can still be read. */
  @ParameterizedTest
  @ValueSource(
      strings = {"requests.ndjson", "scrapes.ndjson", "harness.ndjson", "plan.json",
        "manifest.json"})
  void oneBitAnywhereIsFound(String name) throws IOException {
    SplittableRandom random = new SplittableRandom(name.hashCode());
    for (int i = 0; i < 12; i++) {
      Path run = copy(name + i);
      Path file = run.resolve("record").resolve(name);
      byte[] bytes = Files.readAllBytes(file);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(7));
      Files.write(file, bytes);
      CommandRun said = CommandRun.of("verify", run.toString());
      assertThat(said.code()).as("byte %d of %s: %s", at, name, said.output()).isEqualTo(4);
      assertThat(said.output()).contains("not what was written:\n  " + name);
      CommandRun report = CommandRun.of("report", run.toString());
      assertThat(report.code()).as("byte %d: %s", at, report.output()).isIn(2, 3, 4);
    }
  }

  /** Digits that gave other figures, which the report called trusted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!', quoteCharacter = '`',
      value = {
        "requests.ndjson ! (\"phase\":\"main\".*?\"chunk_ns\":.[0-9]+,[0-9]*)[1-9]([0-9]{3},)"
            + " ! $10$2",
        "requests.ndjson ! \"status\":200 ! \"status\":201",
        "requests.ndjson ! (\"phase\":\"main\".*?\"ended_ns\":[0-9]+)[0-4]([0-9]{5},) ! $15$2",
        "harness.ndjson ! (\"in_flight\":)[0-9] ! $19",
        "harness.ndjson ! (\"mark\":\"warmup_origin\",\"detail\":\") ! $1x",
        "manifest.json ! (\"origin_utc_nanos\" : 1)7 ! $18",
        "manifest.json ! (\"tally\" : \").*?\" ! $19.9.9\"",
        "plan.json ! (\"request_timeout_nanos\":)9 ! $18",
        "plan.json ! (\"scrape_interval_nanos\":) ! $11",
      })
  void theReportSaysThatAChangedRecordIsNotWhatWasWritten(String name, String what, String by)
      throws IOException {
    Path run = copy("changed");
    Path file = run.resolve("record").resolve(name);
    String text = Files.readString(file);
    String changed = text.replaceFirst(what, by);
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(file, changed);

    CommandRun report = CommandRun.of("report", run.toString());

    assertThat(report.code()).as(report.output()).isEqualTo(4);
    assertThat(report.output()).contains("The record is not what was written: " + name);
    JsonNode analysis = new ObjectMapper().readTree(run.resolve("analysis.json").toFile());
    assertThat(analysis.at("/findings").findValuesAsText("code")).contains("record_changed");
    CommandRun compared = CommandRun.of("compare", run.toString(), sound.toString());
    assertThat(compared.output()).contains("not what was written");
  }

  @Test
  void aRecordThatNobodyClosedIsNotSaidToHaveChanged() throws IOException {
    Path run = copy("open");
    Path manifest = run.resolve("record/manifest.json");
    Manifest closed = ManifestJson.read(manifest);
    ManifestJson.write(closed.closed(closed.clock(), Manifest.Ending.OPEN), manifest);

    CommandRun said = CommandRun.of("verify", run.toString());

    assertThat(said.code()).as(said.output()).isEqualTo(4);
    assertThat(said.output()).contains("never closed").doesNotContain("Copy what changed");
  }

  @Test
  void whatChangedIsTheLineThatIsNamed() throws IOException {
    Path run = copy("line");
    Path requests = run.resolve("record/requests.ndjson");
    List<String> lines = new ArrayList<>(Files.readAllLines(requests));
    lines.set(41, lines.get(41).replaceFirst("\"user\":\\d+", "\"user\":7777"));
    Files.write(requests, lines);
    assertThat(CommandRun.of("verify", run.toString()).output())
        .contains("requests.ndjson:42 is not as it was written")
        .doesNotContain("requests.ndjson:41 ", "requests.ndjson:43 ");
  }

  @Test
  void aRecordWithoutChecksumsSaysSoAndTheWorstOfSeveralDecides() throws IOException {
    CommandRun old = CommandRun.of("verify", "reports/sample", sound.toString());
    assertThat(old.code()).as(old.output()).isEqualTo(5);
    assertThat(old.output()).contains("sample: carries no checksums", "whole and unchanged");
    Path taken = copy("taken");
    WithoutSums.in(taken);
    assertThat(CommandRun.of("verify", taken.toString()).code()).isEqualTo(5);
    assertThat(CommandRun.of("report", taken.toString()).code())
        .isEqualTo(CommandRun.of("report", sound.toString()).code());
    Path changed = copy("changed");
    Files.delete(changed.resolve("record/scrapes.ndjson"));
    CommandRun all =
        CommandRun.of("verify", changed.toString(), "reports/sample", sound.toString());
    assertThat(all.code()).isEqualTo(4);
    assertThat(all.output()).contains("scrapes.ndjson is missing");
  }

  @Test
  void whatIsNoRunIsTheUsersMistake() {
    assertThat(CommandRun.of("verify", "docs").code()).isEqualTo(2);
    assertThat(CommandRun.of("verify").code()).isEqualTo(2);
  }

  private Path copy(String name) throws IOException {
    Path run = Files.createDirectories(folder.resolve(name).resolve("record")).getParent();
    try (Stream<Path> files = Files.list(sound.resolve("record"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, run.resolve("record").resolve(file.getFileName()));
      }
    }
    return run;
  }
}
