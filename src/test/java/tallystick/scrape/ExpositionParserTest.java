package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

class ExpositionParserTest {
  private static final String TEXT = "text/plain; version=0.0.4";
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

  private final ExpositionParser parser = new ExpositionParser();

  @Test
  void readsAQuotedNameBehindALabel() throws ExpositionException {
    byte[] body =
        "{label=\"value\", \"my.metric\"} 1\n".getBytes(StandardCharsets.UTF_8);
    assertThat(new ExpositionParser().parse(body, "text/plain").get(0).series().name())
        .isEqualTo("my.metric");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\",\"b\"} 1\n", "{l=\"v\"} 1\n", "{\"a\",l=\"v\",\"b\"} 1\n"})
  void refusesASampleWithoutOneName(String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> new ExpositionParser().parse(body, "text/plain"))
        .isInstanceOf(ExpositionException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Inf", "-Inf"})
  void refusesATimestampThatIsNoTime(String time) {
    byte[] body = ("a 1 " + time + "\n# EOF\n").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () -> new ExpositionParser().parse(body, "application/openmetrics-text"))
        .hasMessageContaining("line 1: a timestamp is a number of seconds");
  }

  @Test
  void readsNameLabelsValueAndType() throws ExpositionException {
    String body =
        "# HELP a_total of \\\\ {}\n# TYPE a_total counter\na_total{e=\"0\",b=\"x\"} 12.5\n";
    assertThat(text(body))
        .containsExactly(sample("a_total", Map.of("b", "x", "e", "0"), Type.COUNTER, 12.5));
  }

  @Test
  void givesThePartsOfAHistogramItsType() throws ExpositionException {
    List<Sample> samples =
        text(
            """
            # TYPE t histogram
            t_bucket{le="1.0"} 1
            t_sum 0.5
            t_count 1
            # TYPE t_created gauge
            t_created 1.7e9
            """);
    assertThat(samples)
        .extracting(sample -> sample.series().type())
        .containsExactly(Type.HISTOGRAM, Type.HISTOGRAM, Type.HISTOGRAM, Type.GAUGE);
  }

  @Test
  void takesAHistogramNamedTotalForAHistogram() throws ExpositionException {
    String body = "# TYPE i_total histogram\ni_total_sum 5\ni_total_count 2\n";
    assertThat(text(body)).allMatch(sample -> sample.series().type() == Type.HISTOGRAM);
  }

  @Test
  void leavesASampleWithoutTypeLineUntyped() throws ExpositionException {
    assertThat(text("a 1\na_sum 2\n")).allMatch(s -> s.series().type() == Type.UNTYPED);
  }

  @Test
  void findsTheTypeOfAnEscapedNameWhoseTypeLineIsNotEscaped() throws ExpositionException {
    String body = "# TYPE vllm:p counter\nvllm_p_total 3\nvllm_p_created 4\n# EOF\n";
    assertThat(parser.parse(bytes(body), OPEN_METRICS))
        .extracting(sample -> sample.series().type())
        .containsExactly(Type.COUNTER, Type.GAUGE);
  }

  @Test
  void resolvesEscapesAndKeepsDelimitersInsideQuotes() throws ExpositionException {
    String body = "m{a=\"\\\\ \\\" \\n \\x\",b=\"},#={\"} 1\n";
    assertThat(text(body).getFirst().series().labels())
        .containsEntry("a", "\\ \" \n \\x")
        .containsEntry("b", "},#={");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m{a=\"1\",} 2\n",
        "  m\t{ a = \"1\" , }\t 2  \n",
        "m{a=\"1\"}2\n",
        "m{a=\"1\"} 2 1700000000000\n",
        "m{a=\"1\"} 2 -5\r\n",
        "\n\nm{a=\"1\"} 2e0\n\n",
        "# a comment\n#TYPE m counter\nm{a=\"1\"} +2.0\n",
        "{\"m\",a=\"1\"} 2\n",
        "{\"m\",\"a\"=\"1\"} .2E1\n"
      })
  void readsTextLeniently(String body) throws ExpositionException {
    assertThat(text(body)).containsExactly(sample("m", Map.of("a", "1"), Type.UNTYPED, 2));
  }

  @Test
  void readsQuotedUtf8Names() throws ExpositionException {
    String body = "# TYPE \"my.metric\" gauge\n{\"my.metric\",\"dötted.label\"=\"ü\"} 3\n";
    assertThat(text(body))
        .containsExactly(sample("my.metric", Map.of("dötted.label", "ü"), Type.GAUGE, 3));
  }

  @Test
  void readsEmptyBraces() throws ExpositionException {
    assertThat(text("m{} 2\n")).containsExactly(sample("m", Map.of(), Type.UNTYPED, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "NaN,NaN", "nan,NaN", "+Inf,Infinity", "inf,Infinity", "-INF,-Infinity", "Infinity,Infinity",
    "1e3,1000", "1E-3,0.001", "-0,-0.0", "00012.50,12.5", "0.1,0.1", "1.,1",
    "1.7952196241209698e+09,1795219624.1209698", "9007199254740993,9007199254740992",
    "9223372036854775794,9.223372036854776E18", "5e-324,4.9E-324", "1e400,Infinity",
    "123456789012345678901234567890,1.2345678901234568E29",
    "123456789012345678901234567890123456789012345678,1.2345678901234568E47",
    "0.00000000000000000000000000000000000000000000000012,1.2E-49",
    "0.30000000000000004,0.30000000000000004", "2.2250738585072011e-308,2.225073858507201E-308"
  })
  void readsEachSpellingOfANumber(String written, double value) throws ExpositionException {
    assertThat(text("m " + written + "\n").getFirst().value()).isEqualTo(Double.valueOf(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0x10", "1_000", "1f", "1d", "--1", "1e", "e5", ".", "+", "1,5", "infinit", "abc", "1 2 3",
        "1 2.5", "1 # {a=\"b\"} 0.5 1.2"
      })
  void refusesWhatIsNoValue(String written) {
    refused("ok 1\nm " + written + "\n", TEXT, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m\n", "m \n", "m{\n", "m{a=\"1} 2\n", "m{a=1} 2\n", "m{a=\"1\" b=\"2\"} 2\n",
        "m{a=\"1\",a=\"2\"} 2\n", "m{a:b=\"1\"} 2\n", "m{=\"1\"} 2\n", "m{,} 2\n", "1m 2\n",
        "m-x 2\n", "m.x 2\n", "{a=\"1\"} 2\n", "m{\"n\"} 2\n", "{\"m\",\"n\"} 2\n",
        "m{__name__=\"n\"} 2\n", "{} 2\n", "m{a=\"1\"}} 2\n", "\"m\" 2\n", "<html>\n",
        "{\"detail\":\"Not Found\"}\n", "# TYPE m\n", "# TYPE m counter gauge\n",
        "# TYPE m thing\n",
        "m{a=\"1\\\"} 2\n"
      })
  void refusesAMalformedLine(String line) {
    refused("ok 1\n" + line, TEXT, 2);
  }

  @Test
  void refusesABodyCutInItsLastLine() {
    refused("a 1\nb 12", TEXT, 2);
  }

  @Test
  void refusesBytesThatAreNoUtf8() {
    byte[] body = {'m', '{', 'a', '=', '"', (byte) 0xff, '"', '}', ' ', '1', '\n'};
    assertThatThrownBy(() -> parser.parse(body, TEXT)).hasMessageContaining("line 1");
  }

  @Test
  void keepsTheFirstOfTwoSamplesOfOneSeries() throws ExpositionException {
    List<Sample> samples = text("m{a=\"1\",b=\"2\"} 1\nn 7\nm{b=\"2\",a=\"1\"} 3\n");
    assertThat(samples).extracting(Sample::value).containsExactly(1.0, 7.0);
    assertThat(parser.duplicates()).isEqualTo(1);
  }

  @Test
  void readsAnEmptyExpositionAsNoSample() throws ExpositionException {
    assertThat(text("")).isEmpty();
  }

  @Test
  void readsOpenMetricsWithTimestampsAndExemplars() throws ExpositionException {
    String body =
        """
        # TYPE c counter
        # UNIT c seconds
        # HELP c words
        c_total{a="b"} 2 1700000000.123 # {trace_id="x y"} 0.5 1700000000.1
        c_total 3 # {} 1
        # TYPE i info
        i_info{v="1"} 1
        # EOF
        """;
    assertThat(parser.parse(bytes(body), OPEN_METRICS))
        .extracting(Sample::value)
        .containsExactly(2.0, 3.0, 1.0);
  }

  @Test
  void readsOpenMetricsWithoutALineFeedAfterItsMark() throws ExpositionException {
    assertThat(parser.parse(bytes("# TYPE a gauge\na 1\n# EOF"), OPEN_METRICS)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a 1\\n|1",
        "a 1\\n# EOF\\nb 2\\n|3",
        "a 1\\n\\n# EOF\\n|2",
        "a 1\\r\\n# EOF\\n|1",
        "a  1\\n# EOF\\n|1",
        "a{b=\"c\",} 1\\n# EOF\\n|1",
        "# TYPE a counter\\na 1\\n# EOF\\n|2",
        "# TYPE a gauge\\n# TYPE a gauge\\n# EOF\\n|2",
        "# TYPE a thing\\n# EOF\\n|1",
        "# words\\n# EOF\\n|1",
        "a 1 # x\\n# EOF\\n|1",
        "a 1 2 3\\n# EOF\\n|1"
      })
  void refusesFaultsInOpenMetrics(String body, int line) {
    refused(body.replace("\\n", "\n").replace("\\r", "\r"), OPEN_METRICS, line);
  }

  private void refused(String body, String contentType, int line) {
    assertThatThrownBy(() -> parser.parse(bytes(body), contentType))
        .isInstanceOf(ExpositionException.class)
        .hasMessageStartingWith("line " + line + ": ");
  }

  private List<Sample> text(String body) throws ExpositionException {
    return parser.parse(bytes(body), TEXT);
  }

  private static Sample sample(String name, Map<String, String> labels, Type type, double value) {
    return new Sample(Series.of(name, labels, type), value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
