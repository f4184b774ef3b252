package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A record whose names would steer a terminal, run as a script in a page or break a table, fed to
 * every command that reads records.
 */
class HostileNamesTest {
  private static final String STEERING = "\u001b[31m\u001b]0;owned\u0007\u009b2J\u202e\r\nFAKE";
  private static final String NAME =
      "a" + STEERING + "<script>x()</script>\"'><img src=x onerror=y()> | `c` [d](javascript:e)"
          + "\n# f " + "g".repeat(1_500);

  @TempDir static Path folder;
  private static Path one;
  private static Path other;

  @BeforeAll
  static void play() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("s.yaml"),
            """
            name: hostile
            model: %1$s
            endpoint: completions
            workload:
              arrival: poisson
              rate: {steps: [{rate: 2, for: 150s, name: %1$s}, {rate: 8, for: 150s}]}
              classes: [{name: %1$s, prompt_tokens: 64, output_tokens: 32}]
            objectives: [{ttft: 1s, share: 0.9}]
            labels: {gpu: %1$s}
            """
                .formatted(quoted()));
    one = run(scenario, "one");
    other = run(scenario, "other");
  }

  private static String quoted() throws IOException {
    return new ObjectMapper()
        .writer()
        .with(JsonWriteFeature.ESCAPE_NON_ASCII)
        .writeValueAsString(NAME);
  }

  private static Path run(Path scenario, String name) throws IOException {
    Path out = folder.resolve(name);
    CommandRun played =
        CommandRun.of("simulate", scenario.toString(), "--out", out.toString(), "--no-report");
    assertThat(played.code()).as(played.output()).isZero();
    Path run = CommandRun.onlyRun(out);
    Path manifest = run.resolve("record/manifest.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode tree = (ObjectNode) mapper.readTree(manifest.toFile());
    tree.put("scenario", NAME).put("run_id", NAME).put("model", NAME);
    tree.withObject("/versions").put("engine", NAME).put(NAME, NAME);
    tree.withObject("/host").put("name", NAME);
    tree.withObject("/ending").put("state", "failed").put("detail", NAME);
    mapper.writeValue(manifest.toFile(), tree);
    return run;
  }

  private static void expectPlain(CommandRun ran) {
    assertThat(ran.code()).as(shown(ran)).isNotEqualTo(70);
    assertThat(ran.output()).matches("(?s)[\\n\\t\\P{C}]*");
    for (String raw : List.of("\nFAKE", "\n# f", "g".repeat(1_000))) {
      int found = ran.output().indexOf(raw);
      assertThat(found < 0 ? "" : around(ran.output(), found)).isEmpty();
    }
  }

  private static String around(String text, int place) {
    return text.substring(Math.max(0, place - 200), Math.min(text.length(), place + 100));
  }

  private static String shown(CommandRun ran) {
    return around(ran.output(), 0);
  }

  /** Every file that a command may have written for people or other programs. */
  private static void expectPlainFiles(Path written) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(written)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.toString().contains("/record/"))
              .filter(file -> !file.toString().endsWith(".parquet"))
              .toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      String text = Files.readString(file);
      assertThat(text.replaceAll("(?s)[\\n\\t\\P{C}]", "")).as(file.toString()).isEmpty();
      if (file.toString().matches(".*\\.(html|md|xml)")) {
        for (String raw :
            List.of("<script>x()", "<img src=x", "[d](javascript:", "\n# f", "\nFAKE")) {
          // Brackets make a link in Markdown alone.
          boolean isHarmless = raw.startsWith("[") && !file.toString().endsWith(".md");
          int found = isHarmless ? -1 : text.indexOf(raw);
          assertThat(found < 0 ? "" : around(text, found)).as(file.toString()).isEmpty();
        }
      }
    }
  }

  @Test
  void areShownPlainlyByReport() throws IOException {
    expectPlain(CommandRun.of("report", one.toString()));
    expectPlainFiles(one);
  }

  @Test
  void areShownPlainlyByCompare() throws IOException {
    Path markdown = folder.resolve("compare/pair.md");
    Files.createDirectories(markdown.getParent());
    CommandRun ran =
        CommandRun.of(
            "compare", one.toString(), other.toString(), "--markdown", markdown.toString());
    expectPlain(ran);
    expectPlainFiles(markdown.getParent());
  }

  @Test
  void areShownPlainlyByAlertsAndBacktest() throws IOException {
    Path out = folder.resolve("alerts");
    expectPlain(
        CommandRun.of(
            "alerts", one.toString(), other.toString(), "--out", out.toString(), "--runbook-url",
            "https://example.com/" + "\u001b[31m"));
    expectPlainFiles(out);
    expectPlain(
        CommandRun.of("backtest", out.resolve("rules.yaml").toString(), one.toString()));
  }

  @Test
  void areShownPlainlyByExport() throws IOException {
    Path out = folder.resolve("export");
    expectPlain(
        CommandRun.of(
            "export", one.toString(), "--format", "csv", "--output", out.toString()));
    expectPlain(
        CommandRun.of(
            "export", one.toString(), "--format", "openmetrics", "--output", out.toString()));
    expectPlain(CommandRun.of("export", one.toString(), "--format", "parquet"));
  }

  @Test
  void steerNothingAsArgumentsOfEngine() {
    for (String option : List.of("--served-model-name", "--fault", "--no-such-flag", "--host")) {
      CommandRun ran = CommandRun.of("engine", "--port", "-1", option, NAME);
      assertThat(ran.code()).as(shown(ran)).isNotEqualTo(70);
      assertThat(ran.output()).matches("(?s)[\\n\\t\\P{C}]*");
    }
  }
}
