package tallystick.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class CompareCommandTest {
  private static final Path SAMPLE = Path.of("reports/sample");

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path plenty;
  private static Path scarce;

  @BeforeAll
  static void simulate() throws IOException {
    plenty = simulated("plenty", "num_gpu_blocks_override: 2048", "rate: 10");
    scarce = simulated("scarce", "num_gpu_blocks_override: 300, max_num_seqs: 4", "rate: 20");
  }

  @Test
  void anOptionAfterTheBorderIsAnsweredWithItsPlace() {
    String sample = SAMPLE.toString();
    CommandRun ran = CommandRun.of("compare", sample, "--", sample, "--margins", "m.yaml");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output())
        .contains("write --margins before the runs: only runs may follow --");
  }

  @Test
  void anOptionThatCompareDoesNotHaveIsUnknownAfterTheBorderToo() {
    String sample = SAMPLE.toString();
    CommandRun ran = CommandRun.of("compare", sample, "--", sample, "--budget=x");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("Unknown option: '--budget'");
  }

  @Test
  void settingsOfScenarioAndEngineThatDifferAreListedAndOthersAreNot() {
    String text = compared(plenty, scarce);
    assertThat(lineOf(text, "engine num_gpu_blocks ")).contains("2048").contains("300");
    assertThat(lineOf(text, "phase main")).contains("10.0/s").contains("20.0/s");
    assertThat(lineOf(text, "scenario")).contains("plenty").contains("scarce");
    assertThat(text).doesNotContain("engine block_size").doesNotContain("request timeout");
    assertThat(text).contains("No verdict");
    assertThat(text.lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void oneScreenSaysWhatDiffersAndGivesNoVerdict() {
    CommandRun run = CommandRun.of("compare", plenty.toString(), scarce.toString());
    assertThat(run.code()).isZero();
    assertThat(run.output())
        .startsWith("\ncompare")
        .containsPattern("LOAD +A was sent [\\d.]+ requests/s, B [\\d.]+: ")
        .contains("CHANGED  ", "one run each", "WHY      ")
        .contains("TRUST    both: Client and engine counts match")
        .contains("NEXT     ")
        .containsPattern("TTFT P95 +[\\d.,]+ m?s +[\\d.,]+ m?s");
    assertThat(run.output().lines())
        .hasSizeLessThan(25)
        .allMatch(line -> line.codePointCount(0, line.length()) <= 80);
  }

  @Test
  void bothLedgersAndDistributionsStandSideBySide() {
    String text = compared(plenty, scarce);
    for (String start : List.of("TTFT", "ITL", "E2E", "R1", "R4")) {
      assertThat(text.lines().filter(line -> line.startsWith(start)))
          .as(start)
          .anyMatch(line -> line.contains(" A  "))
          .anyMatch(line -> line.contains(" B  "));
    }
  }

  @Test
  void aRunBesideItselfDiffersInNothing() {
    assertThat(compared(plenty, plenty)).contains("Settings and versions that differ\n  none");
    assertThat(CommandRun.of("compare", plenty.toString(), plenty.toString()).output())
        .contains("ALIKE    A and B are the same run")
        .doesNotContain("LOAD ");
  }

  @Test
  void aRunOfAnotherKindOfEngineIsComparedAndSaysSo() {
    String text = compared(SAMPLE, plenty);
    assertThat(lineOf(text, "engine ")).contains("simulated engine");
    assertThat(text.replaceAll("\\s+", " ")).contains("simulated engine, virtual time");
    assertThat(text.lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void aDamagedRunIsComparedAsFarAsItReaches() throws IOException {
    Path damaged = copyOf(plenty);
    Files.delete(damaged.resolve("record/plan.json"));
    Files.delete(damaged.resolve("record/manifest.json"));
    Files.writeString(damaged.resolve("record/scrapes.ndjson"), "{\"cut");
    String text = compared(plenty, damaged);
    assertThat(text).contains("incomplete").contains("INVALID");
    assertThat(text.lines().filter(line -> line.matches("TTFT +client, .* B .*")))
        .as("the client's two rows")
        .hasSize(2);
  }

  @Test
  void markdownHoldsTheSameTables() throws IOException {
    Path file = folder.resolve("pair.md");
    CommandRun run =
        CommandRun.of(
            "compare", plenty.toString(), scarce.toString(), "--markdown", file.toString());
    assertThat(run.code()).isZero();
    assertThat(Files.readString(file))
        .contains("| engine num\\_gpu\\_blocks |")
        .contains("## Ledgers");
  }

  private static String compared(Path one, Path other) {
    CommandRun run = CommandRun.of("compare", one.toString(), other.toString(), "--verbose");
    assertThat(run.code()).as(run.output()).isZero();
    return run.output();
  }

  private static String lineOf(String text, String start) {
    return text.lines().filter(line -> line.startsWith(start)).findFirst().orElse("no " + start);
  }

  private static Path simulated(String name, String engine, String rate) throws IOException {
    Path scenario =
        Files.writeString(
            shared.resolve(name + ".yaml"),
            """
            name: %s
            endpoint: completions
            workload: {arrival: poisson, %s, prompt_tokens: 64, output_tokens: 32}
            duration: 20s
            warmup: {requests: 4}
            engine: {%s}
            """
                .formatted(name, rate, engine));
    Path out = Files.createDirectory(shared.resolve(name));
    CommandRun run =
        CommandRun.of("simulate", scenario.toString(), "--out", out.toString(), "--no-report");
    assertThat(run.code()).as(run.output()).isZero();
    return CommandRun.onlyRun(out);
  }

  private Path copyOf(Path run) throws IOException {
    Path copy = Files.createDirectories(folder.resolve("copy/record")).getParent();
    try (Stream<Path> files = Files.list(run.resolve("record"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve("record").resolve(file.getFileName()));
      }
    }
    return copy;
  }
}
