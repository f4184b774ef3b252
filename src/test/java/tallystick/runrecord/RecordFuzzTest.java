package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import tallystick.Fuzz.Growing;
import tallystick.Fuzz;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;

/**
 * A record one of whose files holds any bytes: the first byte of an input names the file, the rest
 * is what it holds.
 */
class RecordFuzzTest implements FuzzedReader {
  private static final Path SAMPLE = Path.of("reports/sample/record");
  private static final List<String> FILES =
      List.of(
          "requests.ndjson", "scrapes.ndjson", "harness.ndjson", "plan.json", "manifest.json",
          "traces.ndjson");
  private static final String SPAN =
      "{\"trace_id\":\"%s\",\"span_id\":\"00f067aa0ba902b7\",\"queue_seconds\":0.01,"
          + "\"ttft_seconds\":0.2,\"e2e_seconds\":1.5,\"prompt_tokens\":12}\n";

  private static final int KEPT = 3;
  private static final int LONGEST = 40_000;
  private static final List<String> WORDS =
      List.of(
          "{", "}", "[", "]", "\"", ":", ",", "\n", "\r\n", "null", "true", "0", "-1", "1e999",
          "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483648",
          "1.5", "\"\"", "\"index\":", "\"chunk_ns\":", "\"chunk_tokens\":", "\"outcome\":\"ok\"",
          "\"status\":", "\"phase\":\"\"", "\"kind\":", "\"samples\":", "\"format_version\":", "99",
          "\"started_ns\":", "\"ended_ns\":", "\"target\":", "\"NaN\"", "\"+Inf\"", "\\u0000",
          "\\ud800", "\\", "\u0000", "\uFEFF", "é", "[".repeat(1_500), "{\"a\":".repeat(600));

  @TempDir private Path run;
  private final List<byte[]> sound = new ArrayList<>();
  private RecordReader opened;

  @Override
  public Fuzz fuzz() throws IOException {
    Files.createDirectories(run.resolve("record"));
    List<String> seeds = new ArrayList<>();
    for (String name : FILES) {
      Files.writeString(file(name), small(name));
      sound.add(Files.readAllBytes(file(name)));
      seeds.add(FILES.indexOf(name) + small(name));
    }
    opened = RecordReader.open(run);
    return new Fuzz("record", FuzzInputs.of(seeds, WORDS, LONGEST), this::read);
  }

  @Override
  public List<Growing> growing() {
    return List.of(
        Growing.of("0{\"index\":%d}\n"), Growing.of("0\n"), new Growing("0", "x\n", ""),
        new Growing("0{\"index\":1,\"chunk_ns\":[", "1,", "1]}\n"), new Growing("0", "[", ""),
        new Growing("0{\"index\":1,\"detail\":\"", "\\u0041", "\"}\n"),
        new Growing("1", "{\"target\":0,\"at_ns\":%d}\n", ""), new Growing("1", "x", ""),
        new Growing("2", "{\"kind\":\"cpu\",\"at_ns\":%d}\n", ""),
        new Growing("3{", "\"k%d\":[],", "\"a\":1}"), new Growing("5", "{\"trace_id\":%d}\n", ""),
        new Growing("4{", "\"k%d\":1,", "\"a\":1}"));
  }

  private void read(byte[] input) throws IOException {
    int changed = input.length == 0 ? 0 : (input[0] & 0xff) % FILES.size();
    Path file = file(FILES.get(changed));
    Fuzz.put(file, Arrays.copyOfRange(input, Math.min(1, input.length), input.length));
    try {
      // Rows are read in the same way whatever the manifest says, so one opening serves all inputs.
      boolean holdsRows = FILES.get(changed).endsWith(".ndjson");
      RecordReader record = holdsRows ? opened : RecordReader.open(run);
      assertThat(read(record, changed)).isEqualTo(read(record, changed));
    } catch (IOException e) {
      assertThat(e.getMessage()).isNotBlank();
    } finally {
      Fuzz.put(file, sound.get(changed));
    }
  }

  /** How many rows the changed file has, and what is said of the others. */
  private static List<Object> read(RecordReader record, int changed) {
    long[] rows = new long[1];
    switch (changed) {
      case 0 -> record.eachRequest(row -> rows[0]++);
      case 1 -> record.eachScrape(row -> rows[0]++);
      case 2 -> record.eachHarness(row -> rows[0]++);
      case 5 -> record.eachSpan(row -> rows[0]++);
      default -> rows[0] = record.plan().rows();
    }
    record.faults().forEach(RecordFuzzTest::isSaidInWords);
    return List.of(rows[0], record.faults(), record.unknowns());
  }

  /** What the JVM says of our code, or nothing, helps no reader. */
  private static void isSaidInWords(String fault) {
    assertThat(fault).isNotBlank().doesNotContain(": null", "Cannot invoke", "No enum constant");
  }

  private Path file(String name) {
    return run.resolve("record").resolve(name);
  }

  /** A file of the sample with few rows, so that many inputs are read in a second. */
  private static String small(String name) throws IOException {
    if (name.equals("traces.ndjson")) {
      return SPAN.formatted("4bf92f3577b34da6a3ce929d0e0e4736").repeat(KEPT);
    }
    if (name.equals("plan.json")) {
      ObjectMapper json = new ObjectMapper();
      JsonNode plan = json.readTree(SAMPLE.resolve(name).toFile());
      plan.forEach(
          node -> {
            while (node instanceof ArrayNode array && array.size() > KEPT) {
              array.remove(array.size() - 1);
            }
          });
      return json.writeValueAsString(plan);
    }
    try (var lines = Files.lines(SAMPLE.resolve(name), StandardCharsets.UTF_8)) {
      long kept = name.endsWith(".ndjson") ? KEPT : Long.MAX_VALUE;
      return lines.limit(kept).collect(Collectors.joining("\n", "", "\n"));
    }
  }
}
