package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/schemas/scenario.schema.json} is made from the table of keys and accepts what the
 * reader accepts; {@code -Dupdate-schemas} writes it anew.
 */
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
  void theSchemaIsMadeFromTheTableOfKeys() throws IOException {
    ObjectWriter writer = new ObjectMapper().writerWithDefaultPrettyPrinter();
    String schema =
        (writer.writeValueAsString(ScenarioSchema.whole()) + "\n").replace("\r\n", "\n");
    if (System.getProperty("update-schemas") != null) {
      Files.writeString(FILE, schema);
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=ScenarioSchemaTest -Dupdate-schemas writes it", FILE)
        .isEqualTo(schema);
  }

  @Test
  void acceptsTheExampleOfEveryKey() throws IOException {
    for (ScenarioPlace place : ScenarioPlace.all()) {
      String text = place.scenario(place.key().example());
      assertThat(faults(YAML.readTree(text))).as(text).isEmpty();
    }
  }

  /** Scenarios with changed words: what the reader takes without a note, the schema takes. */
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
      List<String> notes = new ArrayList<>();
      try {
        ScenarioReader.read(file, List.of(), List.of(), false, notes::add);
      } catch (ScenarioException e) {
        continue;
      }
      if (!notes.isEmpty()) {
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

  private static List<String> faults(JsonNode document) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
    return schema.validate(document).stream().map(Object::toString).toList();
  }
}
