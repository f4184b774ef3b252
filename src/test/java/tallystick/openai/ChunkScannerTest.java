package tallystick.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.RequestRow;

/**
 * What the scanner takes means the same as what a JSON parser reads; in doubt it takes nothing.
 * Against bodies recorded from a real vLLM 0.32.0, and against these with bytes changed.
 */
class ChunkScannerTest {
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
  };

  private static final int MUTANTS = 60_000;
  private static final String INSERTED = "{}[]\",:\\ \n\t0129-.eEnulltruefalse\u0000\u001f\u007fä";

  @Test
  void takesEveryUsualChunkOfARealServerAndMeansTheSame() throws IOException {
    List<String> refused = new ArrayList<>();
    for (String data : recorded()) {
      if (!agrees(data.getBytes(StandardCharsets.UTF_8), false)) {
        refused.add(data);
      }
      agrees(data.getBytes(StandardCharsets.UTF_8), true);
    }
    // The engine's own account of a request has fractions; it comes once a stream.
    assertThat(refused).allSatisfy(data -> assertThat(data).contains("\"metrics\":{"));
  }

  @Test
  void meansTheSameWhereOtherServersSpellOtherwise() {
    for (String data : MADE) {
      agrees(data.getBytes(StandardCharsets.UTF_8), false);
      agrees(data.getBytes(StandardCharsets.UTF_8), true);
    }
  }

  @Test
  void neverTakesWhatIsNoJsonNorReadsItOtherwise() throws IOException {
    List<String> seeds = new ArrayList<>(recorded());
    seeds.addAll(List.of(MADE));
    Random random = new Random(20261121);
    AtomicInteger taken = new AtomicInteger();
    for (int i = 0; i < MUTANTS; i++) {
      byte[] mutant = mutate(seeds, random);
      taken.addAndGet(agrees(mutant, i % 2 == 0) ? 1 : 0);
    }
    // A scanner that takes nothing, or everything, would make this test say nothing.
    assertThat(taken.get()).isBetween(MUTANTS / 10, MUTANTS * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"choices\":]}", "{\"choices\":[}", "{\"choices\":[],}", "{,}", "{\"a\":01}",
        "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":-}", "{\"a\":nullx}", "{\"a\":tru}",
        "{\"choices\":[{\"text\":null\"x\"}]}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u00g0\"}",
        "{\"a\":\"\t\"}", "{\"a\" 1}", "{\"a\":1 2}", "{} {}", "{}}", "[{}]", "", "{\"a\":\"",
        "{\"a\":[1,]}", "{'a':1}", "{a:1}", "{\"a\":1}//", "{\"a\":NaN}"
      })
  void refusesWhatIsNoJson(String data) {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    assertThat(new ChunkScanner(new ChunkContents(false)).scan(bytes, 0, bytes.length)).isFalse();
  }

  @Test
  void refusesDepthsWithoutEnd() {
    byte[] deep = ("{\"a\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(new ChunkScanner(new ChunkContents(false)).scan(deep, 0, deep.length)).isFalse();
  }

  /** Whether the scanner takes the chunk; if it does, it must mean the same as JSON. */
  private static boolean agrees(byte[] data, boolean keepsText) {
    ChunkContents scanned = secondChunk(keepsText);
    // Bytes around the chunk are not the chunk's.
    byte[] framed = new byte[data.length + 2];
    framed[0] = '"';
    framed[framed.length - 1] = '}';
    System.arraycopy(data, 0, framed, 1, data.length);
    if (!new ChunkScanner(scanned).scan(framed, 1, data.length + 1)) {
      return false;
    }
    String text = new String(data, StandardCharsets.UTF_8);
    ChunkContents read = secondChunk(keepsText);
    try {
      new ChunkJson(read).read(text);
    } catch (IOException e) {
      throw new AssertionError("scanned although it is no chunk: " + text, e);
    }
    assertThat(said(scanned)).as(text).isEqualTo(said(read));
    return true;
  }

  /** Contents of a stream that has begun, so that what a chunk leaves out shows. */
  private static ChunkContents secondChunk(boolean keepsText) {
    ChunkContents contents = new ChunkContents(keepsText);
    byte[] id = "chatcmpl-8c11eeaffa95e984".getBytes(StandardCharsets.UTF_8);
    contents.takeId(id, 0, id.length);
    contents.promptTokens = 3;
    contents.completionTokens = RequestRow.UNKNOWN;
    contents.cachedTokens = 2;
    contents.beginChunk();
    return contents;
  }

  private static List<Object> said(ChunkContents chunk) {
    return List.of(
        chunk.hasText, chunk.choiceCount, chunk.choiceIndex, chunk.listedTokens, chunk.hasUsage,
        chunk.promptTokens, chunk.completionTokens, chunk.cachedTokens, chunk.finishReason,
        chunk.engine, chunk.error, chunk.idChanging, chunk.text.toString());
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
      try (InputStream in = ChunkScannerTest.class.getResourceAsStream(name + ".sse")) {
        String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        body.lines()
            .filter(line -> line.startsWith("data: {"))
            .forEach(line -> chunks.add(line.substring(6)));
      }
    }
    return chunks;
  }
}
