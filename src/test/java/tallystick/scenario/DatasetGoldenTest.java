package tallystick.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.Golden;

/** What each format of data sets yields, entry by entry, and every message about a bad one. */
class DatasetGoldenTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "azure, azure-sample.csv", "bailian, bailian-sample.jsonl", "jsonl, prompts-sample.jsonl",
    "mooncake, mooncake-sample.jsonl", "sharegpt, sharegpt-sample.json",
    "weka, weka-sample.jsonl"
  })
  void aShippedFileYieldsTheSame(String format, String name) throws IOException {
    Files.copy(Path.of("scenarios/traces", name), folder.resolve("data"));

    Golden.assertSame("dataset/" + format + ".txt", entries(format, ""));
    Golden.assertSame("dataset/" + format + ".txt", entries(format, ", output_tokens: 9"));
  }

  @Test
  void everyMessageAboutABadFileIsTheSame() throws IOException {
    StringBuilder told = new StringBuilder();
    for (String line : Files.readAllLines(Path.of("src/test/resources/scenario/bad-data.txt"))) {
      String[] cells = line.split("\\|");
      if (line.startsWith("#")) {
        continue;
      }
      Files.writeString(folder.resolve("data"), cells[1].strip().replace("¶", "\n"));
      told.append(line.strip()).append("\n  ");
      try {
        told.append(entries(cells[0].strip(), ""));
      } catch (ScenarioException e) {
        told.append(e.getMessage().replace(folder + "/", "")).append('\n');
      }
    }
    Golden.assertSame("dataset/mistakes.txt", told.toString());
  }

  private String entries(String format, String more) throws IOException {
    Path scenario = folder.resolve("x.yaml");
    Files.writeString(
        scenario,
        "requests: 1\nworkload: {rate: 1, dataset: {format: " + format + ", file: data}" + more
            + "}\n");
    RequestContent content =
        ScenarioReader.read(scenario, List.of(), List.of()).workload().classes().get(0).content();
    Stream<String> lines =
        ((RequestContent.FromDataset) content).dataset().entries().stream()
            .map(entry -> entry.toString().replace(", links=[]]", "]"))
            .map(entry -> entry.replace(", session=]", "]"));
    return String.join("\n", lines.toList()) + "\n";
  }
}
