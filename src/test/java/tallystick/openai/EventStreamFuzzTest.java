package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import tallystick.Fuzz;
import tallystick.Fuzz.Growing;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;

/** Event streams of any bytes, cut anywhere: read as the standard says, and then as chunks. */
class EventStreamFuzzTest implements FuzzedReader {
  private static final int LONGEST = 500;
  private static final List<String> WORDS =
      List.of(
          "data", "data:", "data: ", "event: error\n", "id: 1\n", "retry: 1\n", ":", ": ping\n\n",
          "\n", "\n\n", "\r", "\r\n", "\r\r", "\uFEFF", " ", "[DONE]", "data: [DONE]\n\n", "{", "}",
          "[", "]", "\"", ",", ":", "\"choices\"", "\"delta\"", "\"content\"", "\"text\"",
          "\"usage\"",
          "\"index\"", "\"token_ids\"", "\"logprobs\"", "\"finish_reason\"",
          "\"completion_tokens\"",
          "\"error\"", "\"id\"", "null", "true", "0", "-1", "2147483648", "1e99",
          "99999999999999999999",
          "\\u0000", "\\ud800", "\\", "é", "😀",
          "{\"choices\":[{\"index\":4194304,\"text\":\"x\"}]}",
          "{\"choices\":[{\"index\":-7,\"text\":\"x\"}]}",
          "[".repeat(2_000), "{\"a\":".repeat(900));

  @Override
  public Fuzz fuzz() {
    List<byte[]> sound =
        Stream.of("chat-stream", "completions-stream", "chat-stream-n2", "usage-on-finish")
            .map(EventStreamFuzzTest::recorded)
            .toList();
    return new Fuzz("events", new FuzzInputs(sound, WORDS, LONGEST), this::read);
  }

  @Override
  public List<Growing> growing() {
    return List.of(
        Growing.of("data: x\n"), Growing.of("data: x\n\n"), Growing.of("\r"), Growing.of("\n"),
        Growing.of("x"), Growing.of(":\n"), Growing.of("event: %d\n"),
        new Growing("data: {\"choices\":[", "{\"index\":%d,\"text\":\"x\"},", "{}]}\n\n"),
        new Growing("data: {", "\"k%d\":1,", "\"a\":1}\n\n"),
        new Growing("data: {\"a\":\"", "\\u0041", "\"}\n\n"),
        Growing.of("data: {\"id\":\"%d\",\"choices\":[{\"text\":\"x\"}]}\n\n"));
  }

  private void read(byte[] input) throws IOException {
    List<String> events = EventBodyTest.read(input, new Random(Arrays.hashCode(input)));
    assertThat(events).isEqualTo(EventBodyTest.standards(input));
    ChunkParser parser = new ChunkParser(false);
    for (String event : events) {
      try {
        if (parser.parse(event.substring(event.indexOf('|') + 1)) == ChunkParser.Kind.CONTENT) {
          assertThat(parser.tokens()).isGreaterThanOrEqualTo(-1);
          parser.commit();
        }
      } catch (IOException e) {
        assertThat(e.getMessage()).isNotNull();
      }
    }
    parser.close();
  }

  private static byte[] recorded(String name) {
    try (InputStream in = EventStreamFuzzTest.class.getResourceAsStream(name + ".sse")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
