package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tallystick.Fuzz;
import tallystick.Fuzz.Growing;
import tallystick.FuzzInputs;
import tallystick.FuzzedReader;

/** Both text formats on any bytes; a parser that is used again answers as a new one does. */
class ExpositionFuzzTest implements FuzzedReader {
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
  private static final int LONGEST = 400;
  private static final List<String> WORDS =
      List.of(
          "a", "vllm:x_total", "h_bucket", "h_sum", "h_count", "h_created", "{", "}", "{}", "\"",
          "\\", "\\n", "\\\"", "=", ",", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "#", "# ",
          "# TYPE ", "# HELP ", "# UNIT ", "# EOF\n", "counter", "histogram", "gauge", "info",
          "le=\"+Inf\"", "le=\"1e0\"", "le=\"\"", "a=\"b\"", "{\"q.n\",a=\"1\"}", "1", "-0", "NaN",
          "+Inf", "-Inf", "1e308", "1e999", "0x1p3", "1_0", ".", "1.7976931348623157e308",
          "9".repeat(400), " # {t=\"1\"} 1 2", "1700000000000", "-1", "\u0000", "\u2028", "é", "😀",
          "\uFEFF");

  private final ExpositionParser used = new ExpositionParser();

  @Override
  public Fuzz fuzz() throws IOException {
    List<byte[]> sound =
        List.of(
            Fixtures.bytes("metrics-after1.prom"), Fixtures.bytes("metrics-openmetrics.txt"),
            Fixtures.bytes("dcgm_exporter_sample.txt"),
            Fixtures.bytes("dynamo_worker_metrics.txt"));
    return new Fuzz("exposition", new FuzzInputs(sound, WORDS, LONGEST), this::read);
  }

  @Override
  public List<Growing> growing() {
    return List.of(
        Growing.of("a{b=\"%d\"} 1\n"), Growing.of("a 1\n"), Growing.of("n%d 1\n"),
        Growing.of("# TYPE n%d counter\n"), Growing.of("# HELP n %d\n"), Growing.of("\n"),
        Growing.of("h_bucket{le=\"%d\"} 1\n"), new Growing("a{", "b%d=\"c\",", "} 1\n"),
        new Growing("a{b=\"", "\\\"", "\"} 1\n"), new Growing("a ", " ", "1\n"),
        new Growing("a ", "9", "\n"), new Growing("a 1 # {", "t=\"%d\",", "} 1\n"));
  }

  private void read(byte[] input) {
    for (String type : List.of("text/plain; version=0.0.4", OPEN_METRICS)) {
      Object fresh = answer(new ExpositionParser(), input, type);
      assertThat(answer(used, input, type)).isEqualTo(fresh);
      assertThat(answer(used, input, type)).isEqualTo(fresh);
    }
  }

  /** The samples as text, because no NaN equals another; or the refusal. */
  private static Object answer(ExpositionParser parser, byte[] input, String type) {
    try {
      return parser.parse(input, type).toString();
    } catch (ExpositionException e) {
      assertThat(e.line()).isBetween(1, lines(input) + 1);
      return e.getMessage();
    }
  }

  private static int lines(byte[] input) {
    return (int) new String(input, StandardCharsets.ISO_8859_1).chars().filter(c -> c == '\n')
        .count();
  }
}
