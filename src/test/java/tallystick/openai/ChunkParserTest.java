package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Usage;

/** Against bodies recorded from a real vLLM 0.32.0. */
class ChunkParserTest {
  private final ChunkParser parser = new ChunkParser(true);

  @Test
  void takesTheTokensOfAMergedChunkFromContinuousUsage() throws IOException {
    assertThat(tokensOfContent("completions-stream")).containsExactly(1, 7);
    assertThat(parser.usage()).isEqualTo(new Usage(10, 8, 0));
    assertThat(parser.finishReason()).isEqualTo("length");
    assertThat(parser.engine().scheduledToFirstTokenSeconds()).isBetween(0.0751, 0.0752);
  }

  @Test
  void countsTokenIds() throws IOException {
    assertThat(tokensOfContent("completions-stream-tokenids")).containsExactly(1, 1, 1);
    assertThat(parser.text()).isEqualTo(" fule duva dize");
  }

  @Test
  void leavesTokensUnknownWhereTheServerDoesNotSay() throws IOException {
    assertThat(tokensOfContent("completions-stream-nousage"))
        .isNotEmpty()
        .containsOnly(RequestRow.UNKNOWN);
    assertThat(parser.usage().isKnown()).isFalse();
  }

  @Test
  void countsTheUsageChunkAsNoToken() throws IOException {
    List<Integer> tokens = tokensOfContent("completions-stream-usage-only");
    assertThat(tokens).containsOnly(RequestRow.UNKNOWN);
    assertThat(parser.usage().isKnown()).isTrue();
    assertThat(tokens.size()).isLessThanOrEqualTo(parser.usage().completionTokens());
  }

  @Test
  void countsTheRoleChunkAsNoToken() throws IOException {
    List<Integer> tokens = tokensOfContent("chat-stream");
    assertThat(tokens.stream().mapToInt(count -> count).sum())
        .isEqualTo(parser.usage().completionTokens());
    assertThat(tokens.get(0)).isEqualTo(1);
  }

  @Test
  void keepsTheCountsOfTwoChoicesApart() throws IOException {
    assertThat(tokensOfContent("chat-stream-n2")).hasSize(6).containsOnly(RequestRow.UNKNOWN);
    String chunk =
        "{\"choices\":[{\"index\":%d,\"text\":\"x\"}],"
            + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":%d}}";
    int[][] choiceAndTotal = {{0, 1}, {1, 1}, {0, 2}, {1, 4}};
    List<Integer> tokens = new ArrayList<>();
    for (int[] pair : choiceAndTotal) {
      parse(chunk.formatted(pair[0], pair[1]));
      tokens.add(parser.tokens());
      parser.commit();
    }
    assertThat(tokens).containsExactly(1, 1, 1, 3);
  }

  @Test
  void followsAStreamInterval() throws IOException {
    assertThat(tokensOfContent("stream-interval4")).containsExactly(1, 4, 4, 4, 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"hm\"}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"hm\"}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"function\":{}}, {}]}}]}",
        "{\"choices\":[{\"index\":0,\"text\":\"\",\"token_ids\":[7]}]}"
      })
  void takesReasoningToolCallsAndTextlessTokensAsContent(String data) throws IOException {
    assertThat(parse(data)).isEqualTo(ChunkParser.Kind.CONTENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"choices\":[]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{\"content\":null,\"tool_calls\":[]}}]}",
        "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}"
      })
  void takesChunksWithoutTextAsNoContent(String data) throws IOException {
    assertThat(parse(data)).isEqualTo(ChunkParser.Kind.OTHER);
  }

  @Test
  void knowsAnErrorInsideAStream() throws IOException {
    assertThat(parse("{\"error\":{\"message\":\"engine died\",\"code\":500}}"))
        .isEqualTo(ChunkParser.Kind.ERROR);
    assertThat(parser.error()).isEqualTo("engine died");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "no json", "[1]", "{\"choices\":", "{\"choices\":{}}", "{} {}",
        "{\"choices\":[{\"index\":99999,\"text\":\"x\"}]}"
      })
  void refusesWhatIsNoChunk(String data) {
    assertThatThrownBy(() -> parse(data)).isInstanceOf(IOException.class);
  }

  private ChunkParser.Kind parse(String data) throws IOException {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, 0, bytes.length);
  }

  private List<Integer> tokensOfContent(String sample) throws IOException {
    List<Integer> tokens = new ArrayList<>();
    for (String line : body(sample).split("\n")) {
      if (line.startsWith("data: {")
          && parse(line.substring(6)) == ChunkParser.Kind.CONTENT) {
        tokens.add(parser.tokens());
        parser.commit();
      }
    }
    return tokens;
  }

  private static String body(String sample) throws IOException {
    try (InputStream in = ChunkParserTest.class.getResourceAsStream(sample + ".sse")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
