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
    assertThat(parser.contents().finishReason).isEqualTo("length");
    assertThat(parser.contents().engine.scheduledToFirstTokenSeconds()).isBetween(0.0751, 0.0752);
  }

  @Test
  void countsTokenIds() throws IOException {
    assertThat(tokensOfContent("completions-stream-tokenids")).containsExactly(1, 1, 1);
    assertThat(parser.contents().text).hasToString(" fule duva dize");
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
    ChunkParser other = new ChunkParser(true);
    for (int[] pair : choiceAndTotal) {
      other.parse(chunk.formatted(pair[0], pair[1]));
      tokens.add(other.tokens());
      other.commit();
    }
    assertThat(tokens).containsExactly(1, 1, 1, 3);
  }

  @Test
  void keepsTheTextOfAResponseAndNotItsThinking() throws IOException {
    for (String type : List.of("reasoning_text", "output_text", "output_text")) {
      parser.parse("{\"delta\":\"x\",\"type\":\"response." + type + ".delta\"}");
    }

    assertThat(parser.contents().text).hasToString("xx");
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

  @Test
  void takesAUsageThatComesOnlyWithTheFinishForNoArrival() throws IOException {
    assertThat(tokensOfContent("usage-on-finish")).hasSize(10).containsOnly(RequestRow.UNKNOWN);
    assertThat(parser.usage().completionTokens()).isEqualTo(10);
  }

  @Test
  void takesTheTokensOfATextlessFinishWhereEveryChunkTellsItsOwn() throws IOException {
    String chunk =
        "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":%s}],"
            + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":%d}}";
    parse(chunk.formatted("a", "null", 2));
    parser.commit();

    assertThat(parse(chunk.formatted("", "\"length\"", 3))).isEqualTo(ChunkParser.Kind.CONTENT);
    assertThat(parser.tokens()).isEqualTo(1);
  }

  @Test
  void knowsNoTokensOfAChunkAfterOneThatToldNone() throws IOException {
    parse("{\"choices\":[{\"index\":0,\"text\":\"a\"}]}");
    parser.commit();
    parse("{\"choices\":[{\"index\":0,\"text\":\"b\"}],\"usage\":{\"completion_tokens\":7}}");

    assertThat(parser.tokens()).isEqualTo(RequestRow.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}]}",
        "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":"
            + "[{\"type\":\"text\",\"text\":\"x\"}]}]}}]}",
        "{\"choices\":[{\"delta\":{\"content\":[\"x\"]}}]}",
        "{\"choices\":[{\"delta\":{\"refusal\":\"no\"}}]}",
        "{\"choices\":[{\"delta\":{\"function_call\":{\"name\":\"f\",\"arguments\":\"\"}}}]}",
        "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"x\"}}]}"
      })
  void takesTextInOtherFormsAsContent(String data) throws IOException {
    assertThat(parse(data)).isEqualTo(ChunkParser.Kind.CONTENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":null}",
        "{\"choices\":[{\"delta\":{\"content\":[]}}]}",
        "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"\"}]}}]}",
        "{\"choices\":[{\"delta\":{\"function_call\":{}}}]}",
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":99999999999,"
            + "\"completion_tokens\":1e400,\"prompt_tokens_details\":{\"cached_tokens\":-5}}}"
      })
  void condemnsNoAnswerForAnOddChunk(String data) throws IOException {
    assertThat(parse(data)).isEqualTo(ChunkParser.Kind.OTHER);
    assertThat(parser.usage()).isEqualTo(Usage.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"object\":\"error\",\"message\":\"it broke\",\"type\":\"x\",\"code\":500}",
        "{\"message\":\"it broke\",\"object\":\"error\"}",
        "{\"error\":\"it broke\"}"
      })
  void knowsAnErrorHoweverItIsSpelt(String data) throws IOException {
    assertThat(parse(data)).isEqualTo(ChunkParser.Kind.ERROR);
    assertThat(parser.error()).isEqualTo("it broke");
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "abort"})
  void aFinishThatIsAFailureIsAnError(String reason) throws IOException {
    parse("{\"choices\":[{\"index\":0,\"text\":\"a\",\"finish_reason\":\"" + reason + "\"}]}");

    assertThat(parser.error()).isEqualTo("finish_reason " + reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "[7]", "{}", "\"\"", "\"many\""})
  void whatIsNoNumberIsNoCount(String value) throws IOException {
    parse("{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":" + value + "}}");

    assertThat(parser.usage()).isEqualTo(new Usage(3, RequestRow.UNKNOWN, RequestRow.UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "-1", "1e400", "99999999999"})
  void whatCannotBeACountIsUnknown(String value) throws IOException {
    parse("{\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":" + value + "}}");

    assertThat(parser.usage()).isEqualTo(new Usage(3, RequestRow.UNKNOWN, RequestRow.UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "-5", "1e400", "\"x\"", "{}"})
  void whatCannotBeATimeOfTheEngineIsUnknown(String value) throws IOException {
    parse("{\"choices\":[],\"metrics\":{\"queue_time_ms\":" + value + ",\"mean_itl_ms\":2}}");

    assertThat(parser.contents().engine.queueSeconds()).isNaN();
    assertThat(parser.contents().engine.meanItlSeconds()).isEqualTo(0.002);
  }

  private ChunkParser.Kind parse(String data) throws IOException {
    return parser.parse(data);
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
