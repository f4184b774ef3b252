package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/schemas/scenario.schema.json} accepts what the reader accepts, with all its keys. */
class ScenarioSchemaTest {
  private static final Path FILE = Path.of("docs/schemas/scenario.schema.json");
  private static final YAMLMapper YAML = new YAMLMapper();

  @TempDir private Path folder;

  @Test
  void everyShippedScenarioFollowsIt() throws IOException {
    List<Path> files = shipped();
    assertThat(files).hasSizeGreaterThan(10);
    for (Path file : files) {
      assertThat(faults(YAML.readTree(file.toFile()))).as(file.toString()).isEmpty();
    }
  }

  @Test
  void namesEveryKeyThatTheReaderKnowsAndNoOther() throws IOException {
    JsonNode schema = new ObjectMapper().readTree(FILE.toFile());
    assertThat(keys(schema)).containsExactlyInAnyOrderElementsOf(ScenarioKeys.FIRST_LEVEL);
    JsonNode sections = schema.get("properties");
    assertThat(keys(sections.get("workload")))
        .containsExactlyInAnyOrderElementsOf(ScenarioKeys.WORKLOAD);
    assertThat(keys(sections.get("request")))
        .containsExactlyInAnyOrderElementsOf(ScenarioKeys.REQUEST);
    assertThat(keys(schema.at("/$defs/class"))).containsAll(ScenarioKeys.OF_CLASS);
    assertThat(keys(schema.at("/$defs/objective")))
        .containsAll(words(Objective.Metric.values())).hasSize(8);
    assertThat(keys(schema.at("/$defs/exporter/properties/metrics")))
        .containsExactlyInAnyOrderElementsOf(words(Exporter.Quantity.values()));
  }

  @Test
  void theDocumentOfScenariosNamesEveryKey() throws IOException {
    List<String> spans =
        Pattern.compile("(?s)```.*?```|`[^`\\n]+`")
            .matcher(Files.readString(Path.of("scenarios/README.md")))
            .results()
            .map(MatchResult::group)
            .toList();
    Set<String> named = new HashSet<>(List.of(String.join(" ", spans).split("\\W+")));
    Set<String> known = new TreeSet<>(List.of("role"));
    known.addAll(ScenarioKeys.FIRST_LEVEL);
    known.addAll(ScenarioKeys.WORKLOAD);
    known.addAll(ScenarioKeys.REQUEST);
    assertThat(named).containsAll(known);
  }

  /** Scenarios with changed words: what the reader takes, the schema takes. */
  @Test
  void acceptsWhatTheReaderAccepts() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<String> originals = new ArrayList<>();
    for (Path file : shipped()) {
      originals.add(Files.readString(file).replaceAll("(?m)^#.*\n", ""));
    }
    Path file = Files.createFile(folder.resolve("x.yaml"));
    int accepted = 0;
    for (int i = 0; i < 1_000; i++) {
      String text = reworded(originals.get(i % originals.size()), random);
      Files.writeString(file, text);
      try {
        ScenarioReader.read(file, List.of(), List.of());
      } catch (ScenarioException e) {
        continue;
      }
      accepted++;
      assertThat(faults(YAML.readTree(text))).as(text).isEmpty();
    }
    assertThat(accepted).isGreaterThan(50);
  }

  @Test
  void refusesWhatIsMisspeltOrHasNoUnit() throws IOException {
    String sound = "workload: {rate: 1, prompt_tokens: 1, output_tokens: 1}\nduration: 1s\n";
    assertThat(faults(YAML.readTree(sound))).isEmpty();
    for (String mistake :
        List.of(
            "sede: 1\n", "timeout: 5\n", "targets: []\n", "endpoint: chat\n", "warmup: {}\n",
            "objectives: [{ttft: 1s}]\n",
            "objectives: [{all: [{ttft: 1s}, {itl: 1s}], share: 0.9}]\n",
            "objectives: [{all: [{ttft: 1s}], share: 0.9}]\n",
            "objectives: [{ttft: 1s, itl: 1s, share: 0.9}]\n",
            "labels: {9a: x}\n", "request: {ignore_eos: 1}\n", "seed: 1.5\n")) {
      assertThat(faults(YAML.readTree(sound + mistake))).as(mistake).isNotEmpty();
    }
  }

  private static String reworded(String original, SplittableRandom random) {
    List<String> words =
        List.of(
            "1", "0.5", "16", "1.5s", "1m30s", "1m30", "200ms", "0s", "true", "99%", "x", "\"7\"",
            "1e2", "[1, 2]", ".5s", "1D", "+2 Min", "7us", "1h .5m");
    String[] parts = original.split("(?<=[:,\\[{] )");
    int at = random.nextInt(parts.length);
    parts[at] =
        parts[at].replaceFirst("[\\w.%-]+", words.get(random.nextInt(words.size())));
    return String.join("", parts);
  }

  private static List<Path> shipped() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private static List<String> words(Enum<?>[] constants) {
    return Arrays.stream(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
  }

  private static List<String> keys(JsonNode object) {
    List<String> keys = new ArrayList<>();
    object.get("properties").fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  private static List<String> faults(JsonNode document) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
    return schema.validate(document).stream().map(Object::toString).toList();
  }
}
