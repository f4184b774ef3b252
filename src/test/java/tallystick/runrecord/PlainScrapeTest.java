package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blank in a list leaves a line to the JSON parser, so each way of reading judges the other. */
class PlainScrapeTest {
  private static final String LISTS =
      "\"id\":[0,1,3],\"value\":[2,0.00366300366300365,6390.100210225003],\"gone\":[4]";
  private static final String LINE =
      "{\"target\":0,\"started_ns\":276000000000,\"ended_ns\":276001000000,\"date_utc_seconds\":17,"
          + "\"repeated\":2," + LISTS + ",\"sum\":\"137b3008\"}";

  private static final String PIECES = "[],:{}\"\\0123456789-+.eE \t\u00e9\u0000value";

  @Test
  void readsTheLineThatTheWriterWrites() throws Exception {
    byte[] bytes = ("before" + LINE + "after").getBytes(StandardCharsets.UTF_8);
    ScrapeLine line = PlainScrape.of(bytes, 6, LINE.length()).orElseThrow();
    assertThat(line.ids()).containsExactly(0, 1, 3);
    assertThat(line.values()).containsExactly(2, 0.00366300366300365, 6390.100210225003);
    assertThat(line.gone()).containsExactly(4);
    assertThat(line.fields().get("started_ns").longValue()).isEqualTo(276_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"id\":[]", "\"id\":[0]", "\"id\":[1.0],\"value\":[1.50]", "\"id\":[1.5],\"value\":[1]",
        "\"id\":[01],\"value\":[1]", "\"id\":[-1],\"value\":[-0]", "\"id\":[1E0],\"value\":[1E-5]",
        "\"id\":[1],\"value\":[1E400]", "\"id\":[1],\"value\":[9.5E-400]", "\"id\":5,\"value\":[]",
        "\"id\":[1],\"value\":[1.]", "\"id\":[1],\"value\":[.5]", "\"id\":[1],\"value\":[1e+5]",
        "\"id\":[1],\"value\":[1E]", "\"id\":[1],\"value\":[\"NaN\"]", "\"id\":\"a\",\"value\":[1]",
        "\"id\":[1],\"value\":[9007199254740993]", "\"id\":[1],\"value\":[0.1234567890123456789]",
        "\"id\":[99999999999999999999],\"value\":[1]", "\"id\":[2147483648],\"value\":[1]",
        "\"id\":[1],\"value\":[2],\"id\":[]", "\"id\":[1],\"value\":[2],\"id\":[3]",
        "\"id\":[1],\"value\":[1E0005]", "\"id\":[1],\"value\":[2],\"target\":1.0",
        "\"id\":[1],\"value\":[2],\"rest\":[3]", "\"series\":3,\"name\":\"x\",\"id\":[1]",
        "\"error\":\"refused\"", "\"id\":[1],\"value\":[[2]]", "\"id\":[1],\"value\":[2]}"
      })
  void readsEveryListAsTheParserDoes(String lists) {
    assertThatBothWaysAgree(LINE.replace(LISTS, lists));
  }

  @Test
  void readsEveryNumberAsTheParserDoes() {
    Random random = new Random(20261130);
    for (int i = 0; i < 20_000; i++) {
      double value =
          i % 2 == 0
              ? Math.abs(Double.longBitsToDouble(random.nextLong()))
              : random.nextInt(1_000_000) / Math.pow(10, random.nextInt(9));
      assertThatBothWaysAgree(LINE.replace("0.00366300366300365", Double.toString(value)));
    }
  }

  @Test
  void readsDamagedLinesAsTheParserDoes() {
    Random random = new Random(20261130);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder(LINE);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        int at = random.nextInt(line.length());
        switch (random.nextInt(4)) {
          case 0 -> line.setCharAt(at, PIECES.charAt(random.nextInt(PIECES.length())));
          case 1 -> line.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
          case 2 -> line.delete(at, Math.min(line.length(), at + 1 + random.nextInt(9)));
          default -> line.insert(at, LINE, 90, 90 + random.nextInt(40));
        }
      }
      assertThatBothWaysAgree(line.toString());
    }
  }

  private static void assertThatBothWaysAgree(String line) {
    assertThat(said(line)).as(line).isEqualTo(said(line.replace("[", "[ ")));
  }

  /** What is read; or that nothing can be. */
  private static String said(String line) {
    ScrapeRowReader reader = new ScrapeRowReader();
    try {
      for (int id = 0; id < 5; id++) {
        read(
            reader,
            "{\"series\":" + id + ",\"target\":0,\"name\":\"n" + id
                + "\",\"type\":\"gauge\",\"labels\":{}}");
      }
      return read(reader, line);
    } catch (IOException | RuntimeException e) {
      return "damaged";
    }
  }

  private static String read(ScrapeRowReader reader, String line) throws IOException {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return reader.read(bytes, 0, bytes.length).toString();
  }
}
