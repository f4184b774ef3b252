package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import tallystick.scenario.Dataset.Block;
import tallystick.scenario.Dataset.Entry;
import tallystick.scenario.Dataset.Message;
import tallystick.scenario.Dataset.Text;
import tallystick.scenario.Dataset.Tokens;

class DatasetReaderTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("data");
  }

  @Test
  void readsMooncakeAndKeepsTheBlocksThatAreShared() throws IOException {
    Files.writeString(file, """
        {"timestamp": 500, "input_length": 1100, "output_length": 7, "hash_ids": [1, 2, 3]}
        {"timestamp": 1500, "input_length": 600, "output_length": 8, "hash_ids": [1, 9]}

        {"timestamp": 2000, "input_length": 1024, "output_length": 9, "hash_ids": [1, 2]}
        """);

    assertThat(entries("mooncake", ""))
        .containsExactly(
            new Entry(0, List.of(new Tokens(
                1100, List.of(new Block(1, 512), new Block(2, 512)), 7))),
            new Entry(SECOND, List.of(new Tokens(600, List.of(new Block(1, 512)), 8))),
            new Entry(1500 * SECOND / 1000, List.of(new Tokens(
                1024, List.of(new Block(1, 512), new Block(2, 512)), 9))));
  }

  @Test
  void readsMooncakeBlocksOfAnotherSize() throws IOException {
    Files.writeString(file, """
        {"timestamp": 0, "input_length": 40, "output_length": 7, "hash_ids": [1, 2, 3]}
        {"timestamp": 0, "input_length": 40, "output_length": 7, "hash_ids": [1, 2, 3]}
        """);

    assertThat(((Tokens) entries("mooncake", ", block_tokens: 16").get(0).turns().get(0)).blocks())
        .containsExactly(new Block(1, 16), new Block(2, 16), new Block(3, 8));
  }

  /** Numbers of the first lines of github.com/kvcache-ai/Mooncake, synthetic_trace.jsonl. */
  @Test
  void readsLinesOfThePublishedMooncakeTrace() throws IOException {
    Files.writeString(file, """
        {"timestamp": 3437, "input_length": 2752, "output_length": 35, "hash_ids": [708, 709, \
        710, 711, 712, 713]}
        {"timestamp": 16801, "input_length": 2754, "output_length": 50, "hash_ids": [708, 709, \
        710, 711, 712, 1469]}
        """);

    List<Entry> entries = entries("mooncake", "");

    assertThat(entries).extracting(Entry::atNanos).containsExactly(0L, 13_364_000_000L);
    assertThat(entries).allSatisfy(
        e -> assertThat(((Tokens) e.turns().get(0)).blocks()).hasSize(5));
  }

  @Test
  void aMooncakeLengthOfWholeBlocksMayCountOneMore() throws IOException {
    Files.writeString(file, """
        {"timestamp": 0, "input_length": 512, "output_length": 1, "hash_ids": [1, 2]}
        {"timestamp": 0, "input_length": 600, "output_length": 1, "hash_ids": [1, 2]}
        """);

    assertThat(((Tokens) entries("mooncake", "").get(0).turns().get(0)).blocks())
        .containsExactly(new Block(1, 512));
  }

  /** Fields as in github.com/alibaba-edu/qwen-bailian-usagetraces-anon; numbers are made up. */
  @Test
  void readsBailianInSecondsAndBlocksOfSixteenTokens() throws IOException {
    Files.writeString(file, """
        {"chat_id": 1, "parent_chat_id": -1, "timestamp": 0.5, "input_length": 40, \
        "output_length": 12, "type": "text", "turn": 1, "hash_ids": [1, 2, 3]}
        {"chat_id": 2, "parent_chat_id": -1, "timestamp": 30.25, "input_length": 40, \
        "output_length": 12, "type": "text", "turn": 1, "hash_ids": [1, 2, 9]}
        {"chat_id": 3, "parent_chat_id": 1, "timestamp": 61.114, "input_length": 56, \
        "output_length": 20, "type": "text", "turn": 2, "hash_ids": [1, 2, 3, 11]}
        """);

    assertThat(entries("bailian", ""))
        .containsExactly(
            new Entry(0, List.of(new Tokens(
                40, List.of(new Block(1, 16), new Block(2, 16), new Block(3, 8)), 12))),
            new Entry(29_750_000_000L, List.of(new Tokens(
                40, List.of(new Block(1, 16), new Block(2, 16)), 12))),
            new Entry(60_614_000_000L, List.of(new Tokens(
                56, List.of(new Block(1, 16), new Block(2, 16), new Block(3, 16)), 20))));
  }

  @Test
  void readsBothWritingsOfAzureTimesAndOrdersThem() throws IOException {
    Files.writeString(file,
        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
            + "2023-11-16 18:15:46.6805900,374,44\r\n"
            + "2023-11-16 18:15:45.6805900,12,3\r\n"
            + "2023-11-16 18:15:47.680590+00:00,5,6\r\n");

    assertThat(entries("azure", ""))
        .containsExactly(
            new Entry(0, List.of(new Tokens(12, List.of(), 3))),
            new Entry(SECOND, List.of(new Tokens(374, List.of(), 44))),
            new Entry(2 * SECOND, List.of(new Tokens(5, List.of(), 6))));
  }

  @Test
  void readsAzureColumnsByTheirNames() throws IOException {
    Files.writeString(file, """
        TIMESTAMP,NumImages,GeneratedTokens,ContextTokens
        2024-05-10 00:00:00.009930+00:00,2,44,374
        """);

    assertThat(entries("azure", "").get(0).turns())
        .containsExactly(new Tokens(374, List.of(), 44));
  }

  @Test
  void readsAnsweredQuestionsOfShareGpt() throws IOException {
    Files.writeString(file, """
        [{"id": "a", "conversations": [
           {"from": "system", "value": "Be brief."}, {"from": "human", "value": "Why?"},
           {"from": "gpt", "value": "Because."},
           {"from": "human", "value": "And?"}, {"from": "gpt", "value": "No more to say."}]},
         {"id": "b", "conversations": [{"from": "gpt", "value": "Hello"}]},
         {"id": "c", "conversations": []},
         {"id": "d", "conversations": [
           {"from": "user", "value": "Hi"}, {"from": "assistant", "value": ""}]}]
        """);

    assertThat(entries("sharegpt", ""))
        .containsExactly(
            new Entry(Dataset.NO_TIME, List.of(
                new Text(
                    List.of(new Message("system", "Be brief."), new Message("user", "Why?")), 2),
                new Text(List.of(new Message("user", "And?")), 4))),
            new Entry(Dataset.NO_TIME, List.of(
                new Text(List.of(new Message("user", "Hi")), 1))));
  }

  @Test
  void readsPlainLines() throws IOException {
    Files.writeString(file, """
        {"prompt": "Hi", "max_tokens": 3, "at": 1.5}
        {"messages": [{"role": "system", "content": "x"}], "max_tokens": 4, "at": 2}
        {"prompt_tokens": 100, "max_tokens": 5, "at": 3}
        """);

    assertThat(entries("jsonl", ""))
        .containsExactly(
            new Entry(0, List.of(new Text(List.of(new Message("user", "Hi")), 3))),
            new Entry(SECOND / 2, List.of(new Text(List.of(new Message("system", "x")), 4))),
            new Entry(3 * SECOND / 2, List.of(new Tokens(100, List.of(), 5))));
  }

  @Test
  void takesNoMoreThanTheLimit() throws IOException {
    Files.writeString(file, "{\"prompt_tokens\": 1, \"max_tokens\": 1}\n".repeat(5) + "broken\n");

    assertThat(entries("jsonl", ", limit: 5")).hasSize(5);
  }

  @Test
  void drawnOutputLengthsReplaceThoseOfTheFile() throws IOException {
    Files.writeString(file, "{\"prompt\": \"Hi\"}\n");

    RequestContent content = content("{format: jsonl, file: data}", ", output_tokens: 9");

    assertThat(((RequestContent.FromDataset) content).outputs())
        .isEqualTo(new RequestContent.Outputs.Drawn(new Lengths.Fixed(9)));
  }

  /** Each row: format, content with ¶ for a new line, the line named, words of the message. */
  @ParameterizedTest
  @CsvFileSource(resources = "/scenario/bad-data.txt", delimiter = '|', quoteCharacter = '~')
  void namesTheBadLine(String format, String text, int line, String words) throws IOException {
    Files.writeString(file, text == null ? "" : text.replace("¶", "\n"));

    ScenarioException mistake =
        catchThrowableOfType(ScenarioException.class, () -> entries(format, ""));

    assertThat(mistake).isNotNull().hasMessageContaining(words);
    assertThat(mistake.line()).as(mistake.getMessage()).isEqualTo(line);
    assertThat(mistake.file()).endsWith("data");
  }

  @Test
  void refusesATraceWithoutTimes() throws IOException {
    Files.writeString(file, "{\"prompt\": \"Hi\", \"max_tokens\": 2}\n");

    ScenarioException mistake =
        catchThrowableOfType(
            ScenarioException.class, () -> trace("{format: jsonl, file: data}"));

    assertThat(mistake).hasMessageContaining("has entries without a time");
  }

  @Test
  void aTraceIsAsLongAsItsEntriesUnlessItIsBounded() throws IOException {
    Files.writeString(file, "{\"prompt\": \"Hi\", \"max_tokens\": 2, \"at\": 1}\n".repeat(7));

    assertThat(trace("{format: jsonl, file: data}").extent())
        .isEqualTo(new Scenario.Extent(0, 7));
  }

  /** Two a second of a minute, in seconds: read as milliseconds they come within 59 ms. */
  @Test
  void aTraceThatStartsMoreThanAThousandASecondIsRefusedUnlessAskedFor() throws IOException {
    Files.writeString(file, everySecond(60, 2));
    String dataset = "{format: mooncake, file: data}";

    assertThat(catchThrowableOfType(ScenarioException.class, () -> trace(dataset)))
        .hasMessageContaining("starts 120 requests within 0.059 s, more than 1,000 a second")
        .hasMessageContaining("max_starts_per_second");
    assertThat(trace(dataset + ", max_starts_per_second: 5000").extent().requests()).isEqualTo(120);
    assertThat(trace(dataset + ", speed: 0.001").extent().requests()).isEqualTo(120);
  }

  @Test
  void aDenseSecondIsRefusedIfItIsPlayed() throws IOException {
    Files.writeString(file, dense(0, 1) + dense(9_000, 1) + dense(90_000, 1001));
    String dataset = "{format: mooncake, file: data}";

    assertThat(catchThrowableOfType(ScenarioException.class, () -> trace(dataset)))
        .hasMessageContaining("starts 1,001 requests within 0.000 s");
    assertThat(trace(dataset, "duration: 60s\n").extent().durationNanos()).isEqualTo(60 * SECOND);
    assertThat(trace(dataset, "requests: 500\n").extent().requests()).isEqualTo(500);
  }

  @Test
  void aHandfulThatComesTogetherIsNoDenseTrace() throws IOException {
    Files.writeString(file, dense(0, 1) + dense(1, 3) + dense(2, 3));

    assertThat(trace("{format: mooncake, file: data}").extent().requests()).isEqualTo(7);
  }

  private static String everySecond(int seconds, int times) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < seconds; i++) {
      lines.append(dense(i, times));
    }
    return lines.toString();
  }

  private static String dense(long timestamp, int times) {
    return "{\"timestamp\": %d, \"input_length\": 9, \"output_length\": 9}\n"
        .formatted(timestamp).repeat(times);
  }

  private Scenario trace(String dataset) throws IOException {
    return trace(dataset, "");
  }

  private Scenario trace(String dataset, String more) throws IOException {
    Path scenario = folder.resolve("x.yaml");
    Files.writeString(scenario, more + "workload: {arrival: trace, dataset: " + dataset + "}\n");
    return ScenarioReader.read(scenario, List.of(), List.of());
  }

  private List<Entry> entries(String format, String more) throws IOException {
    RequestContent content = content("{format: " + format + ", file: data" + more + "}", "");
    return ((RequestContent.FromDataset) content).dataset().entries();
  }

  private RequestContent content(String dataset, String more) throws IOException {
    Path scenario = folder.resolve("x.yaml");
    Files.writeString(
        scenario, "requests: 1\nworkload: {rate: 1, dataset: " + dataset + more + "}\n");
    return ScenarioReader.read(scenario, List.of(), List.of()).workload().classes().get(0)
        .content();
  }
}
