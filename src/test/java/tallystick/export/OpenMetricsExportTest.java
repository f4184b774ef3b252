package tallystick.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

class OpenMetricsExportTest {
  private static final long ORIGIN = 1_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final String TARGET = "instance=\"127.0.0.1:8000\",job=\"tallystick\"";

  @Test
  void writesFamiliesWholeWithTimesInSeconds() throws IOException {
    String text = export(List.of(), List.of(scrape(SECOND / 2, 3), scrape(SECOND * 3 / 2, 5)));
    assertThat(text.lines())
        .containsExactly(
            "# TYPE up gauge",
            "up{" + TARGET + ",run=\"r1\"} 1.0 1000.500",
            "up{" + TARGET + ",run=\"r1\"} 1.0 1001.500",
            "# TYPE vllm:prompt_tokens counter",
            "vllm:prompt_tokens_total{engine=\"0\"," + TARGET + ",run=\"r1\"} 3.0 1000.500",
            "vllm:prompt_tokens_created{engine=\"0\"," + TARGET + ",run=\"r1\"} 9.0 1000.500",
            "vllm:prompt_tokens_total{engine=\"0\"," + TARGET + ",run=\"r1\"} 5.0 1001.500",
            "vllm:prompt_tokens_created{engine=\"0\"," + TARGET + ",run=\"r1\"} 9.0 1001.500",
            "# TYPE DCGM_FI_DEV_XID_ERRORS unknown",
            "DCGM_FI_DEV_XID_ERRORS{" + TARGET + ",run=\"r1\"} NaN 1000.500",
            "DCGM_FI_DEV_XID_ERRORS{" + TARGET + ",run=\"r1\"} NaN 1001.500",
            "# EOF");
  }

  @Test
  void leavesAHoleWhereAScrapeFailed() throws IOException {
    ScrapeRow failed = new ScrapeRow(0, SECOND, SECOND, List.of(), "HTTP 503");
    assertThat(export(List.of(), List.of(failed)).lines())
        .containsExactly(
            "# TYPE up gauge", "up{" + TARGET + ",run=\"r1\"} 0.0 1001.000", "# EOF");
  }

  @Test
  void leavesOutASecondScrapeOfTheSameMillisecond() throws IOException {
    List<ScrapeRow> scrapes = List.of(scrape(SECOND, 3), scrape(SECOND + 10, 4));
    assertThat(export(List.of(), scrapes)).contains("} 3.0 1001.000").doesNotContain("} 4.0 ");
    assertThat(
            new OpenMetricsExport(MadeRows.record(ORIGIN, List.of(), scrapes))
                .write(new StringWriter())
                .scrapes())
        .isEqualTo(1);
  }

  @Test
  void escapesLabelValues() throws IOException {
    Series series = Series.of("a", Map.of("l", "x\\y\"z\n"), Type.GAUGE);
    ScrapeRow row = new ScrapeRow(0, 1, 1, List.of(new Sample(series, 1)), "");
    assertThat(export(List.of(), List.of(row))).contains("l=\"x\\\\y\\\"z\\n\"");
  }

  @Test
  void countsTheClientsSideUpToEachSecond() throws IOException {
    // First token 0.4 s after the intended and 0.3 s after the actual start; gaps 0.2 s and 1.6 s.
    String text =
        export(
            List.of(
                MadeRows.request(
                    0, SECOND / 10, SECOND / 5, SECOND / 2, SECOND * 7 / 10, SECOND * 23 / 10)),
            List.of());
    assertThat(value(text, "tally_requests_started_total", "")).isEqualTo("1 1 1");
    assertThat(value(text, "tally_requests_ended_total", "outcome=\"ok\"")).contains("0 0 1");
    assertThat(value(text, "tally_chunks_total", "")).isEqualTo("2 2 3");
    assertThat(value(text, "tally_completion_tokens_total", "")).isEqualTo("0 0 3");
    String first = "tally_time_to_first_token_seconds_bucket";
    assertThat(value(text, first, "from=\"intended\"", "le=\"0.25\"")).isEqualTo("0 0 0");
    assertThat(value(text, first, "from=\"intended\"", "le=\"0.5\"")).isEqualTo("1 1 1");
    String gap = "tally_chunk_gap_seconds";
    assertThat(value(text, gap + "_bucket", "le=\"0.2\"")).isEqualTo("1 1 1");
    assertThat(value(text, gap + "_bucket", "le=\"2.5\"")).isEqualTo("1 1 2");
    assertThat(value(text, gap + "_count", "")).isEqualTo("1 1 2");
    assertThat(value(text, "tally_request_lateness_seconds_count", "")).isEqualTo("1 1 1");
    assertThat(text).contains("tally_chunk_gap_seconds_sum{").contains("} 1.8 1003.000");
  }

  @Test
  void usesTheEnginesOwnEdges() throws IOException {
    Series bucket =
        Series.of("vllm:time_to_first_token_seconds_bucket", Map.of("le", "0.33"), Type.HISTOGRAM);
    ScrapeRow row = new ScrapeRow(0, 1, 1, List.of(new Sample(bucket, 0)), "");
    assertThat(export(List.of(MadeRows.request(0, 0, 0, SECOND)), List.of(row)))
        .contains("tally_time_to_first_token_seconds_bucket{", "le=\"0.33\"")
        .doesNotContainPattern("tally_time_to_first_token_seconds_bucket\\{.*le=\"0.001\"");
  }

  @Test
  void waitsForEdgesThatTheEngineShowsWithItsFirstRequest() throws IOException {
    Series bucket =
        Series.of("vllm:time_to_first_token_seconds_bucket", Map.of("le", "0.33"), Type.HISTOGRAM);
    ScrapeRow late = new ScrapeRow(0, SECOND, SECOND, List.of(new Sample(bucket, 0)), "");
    List<RequestRow> requests = List.of(MadeRows.request(0, 0, 0, SECOND));
    assertThat(export(requests, List.of(scrape(0, 3), late)))
        .contains("le=\"0.33\"")
        .doesNotContainPattern("tally_time_to_first_token_seconds_bucket\\{.*le=\"0.001\"");
  }

  @Test
  void oneRowThatLiesYearsAwayFillsNoMemory() throws IOException {
    long away = Long.MAX_VALUE / 2;
    StringWriter out = new StringWriter();
    OpenMetricsExport.LeftOut left =
        new OpenMetricsExport(
                MadeRows.record(
                    1_000_000_000_000L,
                    List.of(
                        MadeRows.request(0, 0, 0, 500_000_000L, 2_000_000_000L),
                        MadeRows.request(1, 0, 0, away, away)),
                    List.of()))
            .write(out);
    assertThat(out.toString().lines().filter(line -> line.startsWith("tally_chunks_total")))
        .hasSizeLessThan(10)
        .anyMatch(line -> line.contains("} 4.0 "));
    assertThat(left.lullSeconds()).isBetween(away / 1_000_000_000L - 3, away / 1_000_000_000L);
  }

  /** The values of one series, second by second. */
  private static String value(String text, String name, String... labels) {
    StringBuilder values = new StringBuilder();
    text.lines()
        .filter(line -> line.startsWith(name + "{"))
        .filter(line -> List.of(labels).stream().allMatch(line::contains))
        .map(line -> line.replaceAll(".*} (\\S+) .*", "$1"))
        .forEach(number -> values.append(' ').append((int) Double.parseDouble(number)));
    return values.toString().strip();
  }

  private static ScrapeRow scrape(long startedNanos, double tokens) {
    TreeMap<String, String> engine = new TreeMap<>(Map.of("engine", "0"));
    return new ScrapeRow(
        0,
        startedNanos,
        startedNanos,
        List.of(
            new Sample(new Series("vllm:prompt_tokens_total", engine, Type.COUNTER), tokens),
            new Sample(new Series("vllm:prompt_tokens_created", engine, Type.GAUGE), 9),
            new Sample(
                Series.of("DCGM_FI_DEV_XID_ERRORS", Map.of(), Type.COUNTER), Double.NaN)),
        "");
  }

  private static String export(
      List<RequestRow> requests, List<ScrapeRow> scrapes)
      throws IOException {
    StringWriter out = new StringWriter();
    new OpenMetricsExport(MadeRows.record(ORIGIN, requests, scrapes)).write(out);
    return out.toString();
  }
}
