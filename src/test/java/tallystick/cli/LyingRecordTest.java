package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.WithoutSums;

/** A sound record without checksums, with a lie planted in it: the report must say so. */
class LyingRecordTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final PlantedRun SOUND =
      PlantedRun.of(
          "{arrival: poisson, rate: 14, prompt_tokens: {uniform: [150, 700]},"
              + " output_tokens: {uniform: [20, 100]}}",
          60,
          "--max-num-seqs", "16");

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path sound;

  @BeforeAll
  static void simulate() throws IOException {
    sound = SOUND.folder(shared, 4711);
    CommandRun report = CommandRun.of("report", sound.toString());
    assertThat(report.code()).as(report.output()).isZero();
    WithoutSums.in(sound);
  }

  @Test
  void rowsTakenOutOfACompleteRecordAreMissed() throws IOException {
    Path run = copy("rows");
    withoutRows(run, 5);
    assertThat(codesOf(4, run)).contains("requests_without_row");
  }

  @Test
  void theyAreMissedEvenIfTheProgressNotesAreLoweredToo() throws IOException {
    Path run = copy("notes");
    withoutRows(run, 5);
    edit(run, "harness.ndjson", text -> text.replaceAll("\"sent\":\\d+", "\"sent\":1"));
    assertThat(codesOf(4, run)).contains("requests_without_row");
  }

  @Test
  void aSumThatNoObservationsGiveIsFound() throws IOException {
    for (String family : List.of("inter_token_latency_seconds", "request_prompt_tokens")) {
      Path run = copy(family);
      eachValue(run, "vllm:" + family + "_sum", 0, value -> value / 2);
      assertThat(codesOf(4, run)).as(family).contains("impossible_histogram");
    }
  }

  @Test
  void aSumThatIsWrongFromOneScrapeOnIsFound() throws IOException {
    Path run = copy("sum");
    eachValue(run, "vllm:e2e_request_latency_seconds_sum", 40, value -> value + 500);
    assertThat(codesOf(4, run)).contains("impossible_histogram");
  }

  @Test
  void bucketsWithFiveObservationsTooManyAreFound() throws IOException {
    Path run = copy("buckets");
    eachValue(run, "vllm:time_to_first_token_seconds_bucket", 30, value -> value + 5);
    assertThat(codesOf(4, run)).contains("impossible_histogram");
  }

  @Test
  void gaugesThatStayAtZeroWhileAnswersStreamAreFound() throws IOException {
    Path run = copy("gauges");
    eachValue(run, "vllm:num_requests_running", 0, value -> 0);
    eachValue(run, "vllm:num_requests_waiting", 0, value -> 0);
    assertThat(codesOf(0, run)).contains("gauges_at_zero");
  }

  @Test
  void firstTokensBeforeTheEngineMadeThemAreFound() throws IOException {
    Path run = copy("ttft");
    eachRequest(
        run,
        row -> {
          add((ArrayNode) row.get("chunk_ns"), 0, -10_000_000);
          row.put("first_byte_ns", row.path("first_byte_ns").asLong() - 10_000_000);
        });
    assertThat(codesOf(4, run)).contains("accounts_inconsistent");
  }

  @Test
  void firstTokensBeforeTheFirstByteAreFound() throws IOException {
    Path run = copy("first");
    eachRequest(run, row -> add((ArrayNode) row.get("chunk_ns"), 0, -100_000));
    assertThat(codesOf(4, run)).contains("times_out_of_order");
  }

  @Test
  void largestGapsThatWereHalvedAreFoundWhateverMakesUpForThem() throws IOException {
    for (boolean sameEnd : List.of(true, false)) {
      Path run = copy("gaps-" + sameEnd);
      eachRequest(run, row -> halveLargestGap((ArrayNode) row.get("chunk_ns"), sameEnd));
      assertThat(codesOf(4, run)).as("same end " + sameEnd).contains("accounts_inconsistent");
    }
  }

  /** It holds each token until a time has passed since the one before; a flush ends the wait. */
  @Test
  void aGatewayThatPacesTheStreamIsNoLie() throws IOException {
    for (long pace : List.of(12_000_000L, 20_000_000L, 40_000_000L)) {
      for (boolean flushes : List.of(true, false)) {
        Path run = copy("pace-" + pace + flushes);
        eachRequest(run, row -> pace(row, pace, flushes));
        assertThat(codesOf(0, run))
            .as(pace + " flushes " + flushes)
            .doesNotContain("accounts_inconsistent");
      }
    }
  }

  private static void pace(ObjectNode row, long pace, boolean flushes) {
    ArrayNode chunks = (ArrayNode) row.get("chunk_ns");
    long left = flushes ? 0 : Long.MAX_VALUE / 2;
    for (int i = 1; i < chunks.size() && flushes; i++) {
      left += chunks.get(i).asLong();
    }
    long behind = 0;
    for (int i = 1; i < chunks.size(); i++) {
      long gap = chunks.get(i).asLong();
      left -= gap;
      long later = Math.min(left, Math.max(0, behind + pace - gap));
      add(chunks, i, later - behind);
      behind = later;
    }
    row.put("ended_ns", row.get("ended_ns").asLong() + behind);
  }

  private static void halveLargestGap(ArrayNode chunks, boolean sameEnd) {
    int largest = 1;
    for (int i = 2; i < chunks.size() - 1; i++) {
      largest = chunks.get(i).asLong() > chunks.get(largest).asLong() ? i : largest;
    }
    if (chunks.size() > 2) {
      long half = chunks.get(largest).asLong() / 2;
      add(chunks, largest, -half);
      add(chunks, largest + 1, sameEnd ? half : 0);
    }
  }

  private static void add(ArrayNode numbers, int index, long more) {
    numbers.set(index, numbers.numberNode(numbers.get(index).asLong() + more));
  }

  private static void withoutRows(Path run, int count) throws IOException {
    Path requests = run.resolve("record/requests.ndjson");
    List<String> rows = new ArrayList<>(Files.readAllLines(requests));
    rows.subList(300, 300 + count).clear();
    Files.write(requests, rows);
    Path manifest = run.resolve("record/manifest.json");
    ObjectNode tree = (ObjectNode) JSON.readTree(manifest.toFile());
    ((ObjectNode) tree.get("ending")).put("request_rows", rows.size());
    Files.writeString(manifest, tree.toString());
  }

  private static void edit(Path run, String file, UnaryOperator<String> change)
      throws IOException {
    Path path = run.resolve("record").resolve(file);
    Files.writeString(path, change.apply(Files.readString(path)));
  }

  private static void eachRequest(Path run, Consumer<ObjectNode> change) throws IOException {
    Path requests = run.resolve("record/requests.ndjson");
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(requests)) {
      ObjectNode row = (ObjectNode) JSON.readTree(line);
      change.accept(row);
      rows.add(row.toString());
    }
    Files.write(requests, rows);
  }

  /** Changes every value of the series of a name, from a line of the file on. */
  private static void eachValue(Path run, String name, int fromLine, DoubleUnaryOperator change)
      throws IOException {
    Path scrapes = run.resolve("record/scrapes.ndjson");
    List<String> rows = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    int scrape = 0;
    for (String line : Files.readAllLines(scrapes)) {
      ObjectNode row = (ObjectNode) JSON.readTree(line);
      if (row.path("name").asText().equals(name)) {
        ids.add(row.get("series").asInt());
      }
      if (row.has("value") && scrape++ >= fromLine) {
        ArrayNode values = (ArrayNode) row.get("value");
        for (int i = 0; i < values.size(); i++) {
          if (ids.contains(row.get("id").get(i).asInt())) {
            values.set(i, values.numberNode(change.applyAsDouble(values.get(i).asDouble())));
          }
        }
      }
      rows.add(row.toString());
    }
    assertThat(ids).as(name).isNotEmpty();
    Files.write(scrapes, rows);
  }

  private static List<String> codesOf(int exitCode, Path run) throws IOException {
    CommandRun report = CommandRun.of("report", run.toString());
    JsonNode analysis = JSON.readTree(run.resolve("analysis.json").toFile());
    assertThat(report.code()).as(report.output()).isEqualTo(exitCode);
    return analysis.at("/findings").findValuesAsText("code");
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
