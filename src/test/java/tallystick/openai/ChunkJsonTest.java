package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.RequestRow;

/**
 * A parser that has read many chunks means the same as one that reads its first, and takes just
 * what is JSON. Against bodies recorded from a real vLLM 0.32.0, and these with bytes changed.
 */
class ChunkJsonTest {
  private static final String[] RECORDED = {
    "chat-stream", "chat-stream-n2", "completions-stream", "completions-stream-nousage",
    "completions-stream-tokenids", "completions-stream-usage-only", "stream-interval4"
  };

  /** What other servers send, spaced and ordered in their ways. */
  private static final String[] MADE = {
    "{\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"hm\",\"content\":null}}]}",
    "{\"choices\":[{\"index\":1,\"delta\":{\"reasoning_content\":\"hm\",\"tool_calls\":[]}}]}",
    "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"function\":{}}, {}]}}]}",
    " { \"choices\" : [ { \"index\" : 0 , \"text\" : \" a\" , \"token_ids\" : [ 7 , 8 ] } ] } ",
    "{\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"\\n\\u00e9\\\"x\"},\"index\":2}]}",
    "{\"choices\":[{\"index\":0,\"text\":\"ä€😀\",\"logprobs\":{\"a\":[-0.25,1.5,-3,true]}}]}",
    "{\"error\":null,\"metrics\":null,\"usage\":null,\"choices\":[]}",
    "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":9,"
        + "\"prompt_tokens_details\":{\"cached_tokens\":5,\"audio\":null}}}",
    "{\"choices\":[{\"index\":0,\"text\":\"x\"},{\"index\":1,\"text\":\"y\"}]}",
    "{\"choices\":[],\"metrics\":{\"queue_time_ms\":4.0}}",
    "{\"error\":{\"message\":\"engine died\",\"code\":500}}",
    "{\"object\":\"error\",\"message\":\"engine died\"}",
    "{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"},\"y\"],"
        + "\"refusal\":null,\"function_call\":{\"name\":\"f\"},\"audio\":{\"id\":7}}}]}",
    "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":"
        + "{\"prompt_tokens\":99999999999,\"completion_tokens\":1e400}}",
  };

  private static final int MUTANTS = 60_000;
  private static final String INSERTED = "{}[]\",:\\ \n\t0129-.eEnulltruefalse\u0000\u001f\u007fä";

  private static final ObjectMapper TREES =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  @Test
  void aParserUsedAgainReadsAsAFreshOneWhateverCameBefore() throws IOException {
    List<String> seeds = new ArrayList<>(recorded());
    seeds.addAll(List.of(MADE));
    Random random = new Random(20261121);
    ChunkContents contents = secondChunk(true);
    ChunkJson used = new ChunkJson(contents);
    int taken = 0;
    for (int i = 0; i < MUTANTS; i++) {
      String data = new String(mutate(seeds, random), StandardCharsets.UTF_8);
      reset(contents);
      ChunkContents fresh = secondChunk(true);
      boolean isTaken = isTaken(used, data);
      assertThat(isTaken).as(data).isEqualTo(isTaken(new ChunkJson(fresh), data));
      assertThat(said(contents)).as(data).isEqualTo(said(fresh));
      taken += isTaken ? 1 : 0;
    }
    // A reader that takes nothing, or everything, would make this test say nothing.
    assertThat(taken).isBetween(MUTANTS / 10, MUTANTS * 9 / 10);
  }

  @Test
  void takesJustTheJsonThatCanBeAChunk() throws IOException {
    List<String> seeds = new ArrayList<>(recorded());
    seeds.addAll(List.of(MADE));
    Random random = new Random(20261122);
    ChunkContents contents = secondChunk(false);
    ChunkJson reader = new ChunkJson(contents);
    for (int i = 0; i < MUTANTS; i++) {
      String data = new String(mutate(seeds, random), StandardCharsets.UTF_8);
      reset(contents);
      boolean isTaken = isTaken(reader, data);
      JsonNode tree = tree(data);
      if (tree == null) {
        // The tree also refuses a field that comes twice.
        continue;
      }
      assertThat(isTaken).as(data).isEqualTo(canBeChunk(tree));
      if (isTaken) {
        JsonNode choices = tree.path("choices");
        assertThat(contents.choiceCount).as(data).isEqualTo(choices.size());
        assertThat(contents.hasText).as(data).isEqualTo(hasText(choices));
        assertThat(contents.hasUsage).as(data).isEqualTo(tree.path("usage").isObject());
      }
    }
  }

  @Test
  void takesNoTextThatTheTreeDoesNotTake() throws IOException {
    List<String> seeds = recorded();
    Random random = new Random(20261123);
    int refused = 0;
    for (int i = 0; i < MUTANTS / 10; i++) {
      String data = new String(mutate(seeds, random), StandardCharsets.UTF_8);
      if (!isJson(data)) {
        refused++;
        assertThat(isTaken(new ChunkJson(secondChunk(false)), data)).as(data).isFalse();
      }
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":]}", "{\"choices\":[}", "{\"choices\":[],}", "{,}", "{\"a\":01}",
        "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":-}", "{\"a\":nullx}", "{\"a\":tru}",
        "{\"choices\":[{\"text\":null\"x\"}]}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u00g0\"}",
        "{\"a\":\"\t\"}", "{\"a\" 1}", "{\"a\":1 2}", "{} {}", "{}}", "[{}]", "", "{\"a\":\"",
        "{\"a\":[1,]}", "{'a':1}", "{a:1}", "{\"a\":1}//", "{\"a\":NaN}", "{", "{}{", "1", "\"a\""
      })
  void refusesWhatIsNoJsonAndReadsTheNext(String data) throws IOException {
    ChunkContents contents = secondChunk(false);
    ChunkJson reader = new ChunkJson(contents);
    reader.read("{\"choices\":[]}");

    assertThatThrownBy(() -> reader.read(data)).isInstanceOf(IOException.class);
    contents.beginChunk();
    reader.read(" {\"choices\":[{\"text\":\"x\"}]} \n");
    assertThat(contents.hasText).isTrue();
  }

  @Test
  void refusesDepthsWithoutEnd() {
    String deep = "{\"a\":" + "[".repeat(100_000);
    assertThat(isTaken(new ChunkJson(secondChunk(false)), deep)).isFalse();
    String parts = "{\"choices\":[{\"delta\":{\"content\":" + "[".repeat(100_000);
    assertThat(isTaken(new ChunkJson(secondChunk(false)), parts)).isFalse();
  }

  @Test
  void readsChunksLongerThanItsBuffer() throws IOException {
    ChunkContents contents = secondChunk(true);
    ChunkJson reader = new ChunkJson(contents);
    String text = "é\uD83D\uDE00x".repeat(100_000);
    reader.read("{\"choices\":[{\"text\":\"" + text + "\"}]}");
    assertThat(contents.text.toString()).isEqualTo(text);
  }

  private static boolean isTaken(ChunkJson reader, String data) {
    try {
      reader.read(data);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isJson(String data) {
    try {
      return new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .readTree(data)
          .isObject();
    } catch (IOException e) {
      return false;
    }
  }

  private static JsonNode tree(String data) {
    try {
      return TREES.readTree(data);
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean canBeChunk(JsonNode tree) {
    JsonNode choices = tree.path("choices");
    boolean isNone = choices.isMissingNode() || choices.isNull();
    boolean areObjects = choices.isArray();
    int last = 0;
    for (JsonNode choice : choices) {
      areObjects &= choice.isObject();
      last = choice.has("index") ? choice.path("index").asInt() : last;
    }
    return tree.isObject() && (isNone || areObjects) && last < ChunkContents.MAXIMUM_CHOICES;
  }

  private static boolean hasText(JsonNode choices) {
    for (JsonNode choice : choices) {
      for (String holder : List.of("delta", "message")) {
        JsonNode said = choice.path(holder);
        if (isText(said.path("content")) || hasPart(said.path("content"))
            || isText(said.path("reasoning")) || isText(said.path("reasoning_content"))
            || isText(said.path("refusal"))
            || said.path("tool_calls").isArray() && said.path("tool_calls").size() > 0
            || said.path("function_call").isObject() && said.path("function_call").size() > 0) {
          return true;
        }
      }
      if (isText(choice.path("text"))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isText(JsonNode node) {
    return node.isTextual() && !node.textValue().isEmpty();
  }

  private static boolean hasPart(JsonNode list) {
    for (JsonNode part : list) {
      boolean isOne =
          list.isArray() && isText(part)
              || isText(part.path("text")) || isText(part.path("refusal"))
              || isText(part.path("thinking"));
      if (list.isArray() && (isOne || hasPart(part.path("thinking")))) {
        return true;
      }
    }
    return false;
  }

  /** Contents of a stream that has begun, so that what a chunk leaves out shows. */
  private static ChunkContents secondChunk(boolean keepsText) {
    ChunkContents contents = new ChunkContents(keepsText);
    reset(contents);
    return contents;
  }

  private static void reset(ChunkContents contents) {
    char[] id = "chatcmpl-8c11eeaffa95e984".toCharArray();
    contents.takeId(id, 0, id.length);
    contents.promptTokens = 3;
    contents.completionTokens = RequestRow.UNKNOWN;
    contents.cachedTokens = 2;
    contents.finishReason = "";
    contents.error = "";
    contents.idChanging = false;
    contents.engine = RequestRow.EngineTimings.NONE;
    contents.text.setLength(0);
    contents.beginChunk();
  }

  private static List<Object> said(ChunkContents chunk) {
    return List.of(
        chunk.hasText, chunk.choiceCount, chunk.choiceIndex, chunk.listedTokens, chunk.hasUsage,
        chunk.promptTokens, chunk.completionTokens, chunk.cachedTokens, chunk.finishReason,
        chunk.isFinish, chunk.engine, chunk.error, chunk.idChanging, chunk.text.toString());
  }

  /** One to three bytes changed, dropped or put in; or the tail of another chunk. */
  private static byte[] mutate(List<String> seeds, Random random) {
    byte[] seed = any(seeds, random);
    int from = random.nextInt(seed.length);
    if (random.nextInt(8) == 0) {
      byte[] other = any(seeds, random);
      int cut = random.nextInt(other.length);
      return join(seed, from, new byte[0], other, cut);
    }
    byte[] mutant = seed;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(mutant.length);
      byte[] put = {};
      if (random.nextInt(3) > 0) {
        byte[] all = INSERTED.getBytes(StandardCharsets.UTF_8);
        put = new byte[] {all[random.nextInt(all.length)]};
      }
      mutant = join(mutant, at, put, mutant, Math.min(mutant.length, at + random.nextInt(2)));
    }
    return mutant;
  }

  private static byte[] any(List<String> seeds, Random random) {
    return seeds.get(random.nextInt(seeds.size())).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] join(byte[] head, int headTo, byte[] put, byte[] tail, int tailFrom) {
    byte[] whole = new byte[headTo + put.length + tail.length - tailFrom];
    System.arraycopy(head, 0, whole, 0, headTo);
    System.arraycopy(put, 0, whole, headTo, put.length);
    System.arraycopy(tail, tailFrom, whole, headTo + put.length, tail.length - tailFrom);
    return whole;
  }

  private static List<String> recorded() throws IOException {
    List<String> chunks = new ArrayList<>();
    for (String name : RECORDED) {
      try (InputStream in = ChunkJsonTest.class.getResourceAsStream(name + ".sse")) {
        String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        body.lines()
            .filter(line -> line.startsWith("data: {"))
            .forEach(line -> chunks.add(line.substring(6)));
      }
    }
    return chunks;
  }
}
