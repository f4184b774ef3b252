package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A blank in a list leaves a line to the JSON parser, so each way of reading judges the other. */
class PlainArrivalsTest {
  private static final String LINE =
      "{\"index\":3,\"phase\":\"load\",\"class\":\"default\",\"user\":0,\"target\":0,"
          + "\"request_id\":\"x-1-3\",\"prompt_tokens\":87,\"max_tokens\":4,\"intended_ns\":5021,"
          + "\"started_ns\":5022,\"first_byte_ns\":6021,\"ended_ns\":9021,"
          + "\"chunk_ns\":[6021,1000,0,900],\"chunk_tokens\":[1,2,1,1],"
          + "\"outcome\":\"ok\",\"status\":200,\"oddities\":[]}";

  private static final String PIECES = "[],:{}\"\\0123456789-+.eE \t\u00e9\u0000chunk_ns";

  @Test
  void readsTheListThatTheWriterWrites() throws Exception {
    byte[] bytes = ("before" + LINE + "after").getBytes(StandardCharsets.UTF_8);
    assertThat(PlainArrivals.of(bytes, 6, LINE.length())).isPresent();
    RequestRow row = RequestRowJson.read(bytes, 6, LINE.length());
    assertThat(row.chunks().arrivalNanos()).containsExactly(6021, 7021, 7021, 7921);
    assertThat(row.chunks().tokens()).containsExactly(1, 2, 1, 1);
    assertThat(row.ending().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[6021,1000,0,900]", "[]", "[7]", "[0]", "[06021]", "[-1]", "[1,]", "[,1]", "[1 ,2]",
        "[999999999999999999]", "[1000000000000000000]", "[9223372036854775807,1]", "[1.0]",
        "[1e3]", "[1],\"chunk_ns\":[2,3]", "[1],\"chunk_ns\":[]", "[],\"chunk_ns\":[1]", "7",
        "[1,2", "[1]]", "[1}", "[\"1\"]", "[[1]]", "[null]",
        "[1],\"rest\":{\"chunk_ns\":[5]}", "{\"chunk_ns\":[5]},\"chunk_ns\":[]",
        "[4],\"chunk\\u005fns\":[]", "{\"chunk_ns\":[5]},\"chunk\\u005fns\":[]"
      })
  void readsEveryListAsTheParserDoes(String list) {
    assertThatBothWaysAgree(LINE.replace("[6021,1000,0,900]", list));
    assertThatBothWaysAgree("\ufeff" + LINE.replace("[6021,1000,0,900]", list));
  }

  @Test
  void readsDamagedLinesAsTheParserDoes() {
    Random random = new Random(20261125);
    for (int i = 0; i < 100_000; i++) {
      StringBuilder line = new StringBuilder(LINE);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        int at = random.nextInt(line.length());
        switch (random.nextInt(4)) {
          case 0 -> line.setCharAt(at, PIECES.charAt(random.nextInt(PIECES.length())));
          case 1 -> line.insert(at, PIECES.charAt(random.nextInt(PIECES.length())));
          case 2 -> line.delete(at, Math.min(line.length(), at + 1 + random.nextInt(9)));
          default -> line.insert(at, LINE, 190, 190 + random.nextInt(40));
        }
      }
      assertThatBothWaysAgree(line.toString());
    }
  }

  private static void assertThatBothWaysAgree(String line) {
    assertThat(said(line)).as(line).isEqualTo(said(line.replace("[", "[ ")));
  }

  /** What is read, as the writer would write it; or that nothing can be. */
  private static String said(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    StringWriter text = new StringWriter();
    try (JsonGenerator out = RecordJson.MAPPER.getFactory().createGenerator(text)) {
      RequestRowJson.write(RequestRowJson.read(bytes, 0, bytes.length), out);
      out.flush();
      return text.toString().replace("[ ", "[");
    } catch (IOException | RuntimeException e) {
      return "damaged";
    }
  }
}
