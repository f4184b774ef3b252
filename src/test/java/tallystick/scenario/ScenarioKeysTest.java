package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of keys and the readers are of one mind. */
class ScenarioKeysTest {
  @TempDir private Path folder;

  /** The files that examples name. */
  @BeforeEach
  void createFiles() throws IOException {
    Files.writeString(
        folder.resolve("prompts.jsonl"), "{\"prompt\":\"a\",\"max_tokens\":5,\"at\":0}\n");
    Files.writeString(
        folder.resolve("rows.csv"), "prompt_tokens,max_tokens,session_id,delay\n5,5,a,1\n");
    Files.writeString(folder.resolve("key.txt"), "k");
    Files.writeString(folder.resolve("ca.pem"), "");
    Files.createDirectory(folder.resolve("traces"));
    Files.copy(
        Path.of("scenarios/traces/mooncake-sample.jsonl"),
        folder.resolve("traces/mooncake-sample.jsonl"));
  }

  static List<ScenarioPlace> places() {
    return ScenarioPlace.all();
  }

  @ParameterizedTest
  @MethodSource("places")
  void aKeyIsReadWithItsExampleAndExplained(ScenarioPlace place) throws IOException {
    ValueType.Key key = place.key();
    assertThat(key.description()).as(place.path()).matches("(?s)[A-Z].+\\.");
    assertThat(key.example()).as(place.path()).isNotBlank();
    assertThat(read(place, key.example())).as(place.path()).isNotNull();
  }

  /** No key takes a list with an empty list; one that nobody reads would. */
  @ParameterizedTest
  @MethodSource("places")
  void aKeyOfTheTableIsReadByAReader(ScenarioPlace place) {
    assertThatThrownBy(() -> read(place, "[[]]"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(place.key().name());
  }

  /** What the table says of a key that is not written is what the reader does. */
  @ParameterizedTest
  @MethodSource("places")
  void aKeyThatIsNotWrittenHasTheValueOfTheTable(ScenarioPlace place) throws IOException {
    String fallback = place.key().unwritten().value();
    if (!fallback.isEmpty()) {
      assertThat(read(place, fallback)).as(place.path()).isEqualTo(read(place, "null"));
    }
  }

  @Test
  void aReaderCannotAskForAKeyThatTheTableDoesNotKnow() {
    assertThatThrownBy(() -> ScenarioKeys.REQUEST.get("tempo"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(places()).hasSizeGreaterThan(110);
  }

  @Test
  void metricsAndMeaningsAreThoseOfTheModel() {
    assertThat(ScenarioKeys.METRICS.names())
        .containsExactlyElementsOf(words(Objective.Metric.values()));
    assertThat(ScenarioKeys.MEANINGS.names())
        .containsExactlyElementsOf(words(Exporter.Quantity.values()));
    assertThat(
            ScenarioKeys.FIRST_LEVEL.get("endpoint").type().find(ValueType.Choice.class)
                .orElseThrow().words())
        .containsExactlyElementsOf(Stream.of(Endpoint.values()).map(Endpoint::word).toList());
    assertThat(
            ScenarioKeys.REQUEST.get("token_limit").type().find(ValueType.Choice.class)
                .orElseThrow().words())
        .containsExactlyElementsOf(Stream.of(TokenLimit.values()).map(TokenLimit::field).toList());
    assertThat(
            ScenarioKeys.FIRST_LEVEL.get("stop_when").type().find(ValueType.Keys.class)
                .orElseThrow().names())
        .containsExactlyElementsOf(Stream.of(StopRule.values()).map(StopRule::key).toList());
  }

  /** The scenario with a value of the key; without the key for {@code null}. */
  private Scenario read(ScenarioPlace place, String value) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(file, place.scenario(value).replaceFirst(",?\"\\w+\":null", ""));
    return ScenarioReader.read(file, place.overrides(), List.of());
  }

  private static List<String> words(Enum<?>[] constants) {
    return Arrays.stream(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
  }
}
