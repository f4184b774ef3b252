package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final AtomicInteger scrapes = new AtomicInteger();
  private StubServer server;
  private String url;
  private volatile String body;
  private volatile boolean isPacked;

  @BeforeEach
  void start() throws IOException {
    body =
        "# TYPE vllm:kv_cache_usage_perc gauge\nvllm:kv_cache_usage_perc{engine=\"0\"} 0.97\n"
            + "# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_waiting 3\nother 1\n";
    server =
        StubServer.ofMetrics(
            exchange -> {
              scrapes.incrementAndGet();
              if (isPacked) {
                exchange.getResponseHeaders().set("Content-Encoding", "gzip");
              }
              return bytes();
            });
    url = server.url();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void printsTheEnginesMetricsOfABaseUrl() {
    assertThat(run(url)).isZero();
    assertThat(out.toString())
        .contains("gauge      vllm:kv_cache_usage_perc{engine=\"0\"}  0.97")
        .doesNotContain("other");
  }

  @Test
  void takesAMetricsUrlAsItIs() {
    assertThat(run(url + "/metrics", "--all", "--json")).isZero();
    assertThat(out.toString()).startsWith("{\"url\":").contains("\"name\":\"other\"");
  }

  @Test
  void failsWhenARuleHolds() {
    assertThat(run(url, "--warn", "kv_cache_usage_perc>0.95", "--warn", "num_requests_waiting>50"))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("snapshot   " + url + "/metrics   1 of 2 warnings fire   exit 1")
        .containsPattern("kv_cache_usage_perc +0\\.97 > 0\\.95  FIRES")
        .containsPattern("num_requests_waiting +3 > 50  no")
        .doesNotContain("gauge");
    assertThat(out.toString().lines()).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aProgramReadsWhichRuleFires() {
    assertThat(run(url, "--warn", "kv_cache_usage_perc>0.95", "--warn", "waiting>50", "--json"))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("\"warnings\":{\"kv_cache_usage_perc>0.95\":\"fires\"", ":\"no\"}");
  }

  @Test
  void everyMetricStandsBesideTheRulesWhereItIsAskedFor() {
    assertThat(run(url, "--all", "--warn", "kv_cache_usage_perc>0.95")).isEqualTo(1);
    assertThat(out.toString()).contains("gauge      vllm:kv_cache_usage_perc");
    assertThat(err.toString())
        .contains("WARNING: kv_cache_usage_perc>0.95: vllm:kv_cache_usage_perc{engine=\"0\"} 0.97");
  }

  @Test
  void takesTheMeaningForTheNameAndKnowsWhatWasMeant() {
    assertThat(run(url, "--warn", "kv_cache_usage>0.95", "--warn", "waiting>50")).isEqualTo(1);
    assertThat(run(url, "--warn", "kv_cache_usage>95")).isEqualTo(2);
    assertThat(run(url, "--warn", "num_request_waiting>50")).isEqualTo(4);
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("exposes no num_request_waiting; did you mean num_requests_waiting?");
  }

  @Test
  void aManyEnginesTableStaysOnOneScreen() {
    StringBuilder many = new StringBuilder("# TYPE vllm:num_requests_waiting gauge\n");
    for (int engine = 0; engine < 64; engine++) {
      many.append("vllm:num_requests_waiting{engine=\"" + engine + "\"} 9\n");
    }
    body = many.toString();
    assertThat(run(url, "--warn", "waiting>5")).isEqualTo(1);
    assertThat(out.toString()).contains("FIRES", "more values");
    assertThat(out.toString().lines()).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aCounterIsNamedAsARuleMustNameIt() {
    body = "# TYPE vllm:num_preemptions counter\nvllm:num_preemptions_total 7\n";
    assertThat(run(url)).isZero();
    assertThat(out.toString()).contains("counter    vllm:num_preemptions_total  7");
  }

  @Test
  void aFileThatIsNotThereIsTheUsersMistake() {
    assertThat(run("file:/nowhere/metrics")).isEqualTo(2);
    assertThat(err.toString()).contains("/nowhere/metrics: there is no such file");
  }

  @Test
  void takesAPauseAsPeopleWriteIt() {
    assertThat(run(url, "--watch", "--every", "1ms", "--count", "2")).isZero();
    assertThat(run(url, "--watch", "--every", "soon", "--count", "2")).isEqualTo(2);
    assertThat(err.toString()).contains("'soon' is not a time: write for example 0.7s");
  }

  @Test
  void saysUnknownForAMetricThatIsNotExposed() {
    assertThat(run(url, "--warn", "num_preemptions_total>0")).isEqualTo(4);
    assertThat(out.toString()).contains("UNKNOWN", "exposes no num_preemptions_total");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"kv=1", "kv", "kv>", ">1", "kv>>1", "kv>many", "kv>NaN", "kv>90%", "k v>1", ""})
  void refusesARuleItCannotRead(String rule) {
    assertThat(run(url, "--warn", rule)).isEqualTo(2);
    assertThat(err.toString()).contains("'" + rule + "' is not a rule", "kv_cache_usage_perc>0.95");
  }

  @Test
  void refusesAShareInPercentAndSaysWhatToWrite() {
    assertThat(run(url, "--warn", "kv_cache_usage_perc>95")).isEqualTo(2);
    assertThat(err.toString()).contains("a ratio from 0 to 1; write 0.95 for 95");
    assertThat(run(url, "--warn", "gpu_cache_usage_perc>95")).isEqualTo(2);
    assertThat(scrapes).hasValue(0);
  }

  @Test
  void namesThePartsOfAHistogramThatHasNoSingleValue() {
    body = "# TYPE vllm:ttft_seconds histogram\nvllm:ttft_seconds_bucket{le=\"+Inf\"} 1\n"
        + "vllm:ttft_seconds_sum 2\nvllm:ttft_seconds_count 1\n";

    assertThat(run(url, "--warn", "ttft_seconds>1")).isEqualTo(4);
    assertThat(out.toString())
        .contains("ttft_seconds is a histogram; name a part of it,", "ttft_seconds_count");
  }

  @Test
  void saysThatNothingOfTheEngineIsExposedYet() {
    body = "dynamo_component_uptime_seconds 1\n";

    assertThat(run(url)).isZero();
    assertThat(err.toString()).contains("none of its 1 metrics is an engine's yet", "--all");
  }

  @Test
  void refusesACountWithoutAWatch() {
    assertThat(run(url, "--count", "2")).isEqualTo(2);
  }

  @Test
  void aRuleHoldsUnderTheNameOfAnotherRelease() {
    assertThat(run(url, "--warn", "gpu_cache_usage_perc>0.95")).isEqualTo(1);
    assertThat(out.toString()).contains("0.97 > 0.95  FIRES");
  }

  @Test
  void anAnswerThatIsNoExpositionNamesItsLine() {
    body = "<html><body>hello</body></html>\n";
    assertThat(run(url)).isEqualTo(3);
    assertThat(err.toString()).contains(url + "/metrics: ", "line 1");
  }

  @Test
  void readsAnAnswerPackedWithGzip() {
    isPacked = true;
    assertThat(run(url)).isZero();
    assertThat(out.toString()).contains("vllm:num_requests_waiting  3");
  }

  @Test
  void refusesAPauseBelowZero() {
    assertThat(run(url, "--watch", "--every", "-1")).isEqualTo(2);
    assertThat(err.toString()).contains("--every must be >= 0");
  }

  @Test
  void leavesOutTheNumbersByWhichDcgmHasNoValue() {
    body =
        "# TYPE DCGM_FI_DEV_MEMORY_TEMP gauge\n"
            + "DCGM_FI_DEV_MEMORY_TEMP{gpu=\"0\"} 9223372036854775794\n"
            + "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 61\n";
    assertThat(run(url, "--all", "--warn", "DCGM_FI_DEV_MEMORY_TEMP>90")).isEqualTo(4);
    assertThat(out.toString()).contains("DCGM_FI_DEV_GPU_TEMP").doesNotContain("MEMORY_TEMP");
  }

  @Test
  void fallsWithTheWorldWhenNobodyAnswers() {
    server.close();
    assertThat(run(url)).isEqualTo(3);
    assertThat(err.toString())
        .contains(url + "/metrics: no connection: refused; start the server or correct the URL");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, write http://127.0.0.1:1",
    "'', write http://127.0.0.1:8000",
    "/metrics, write http://127.0.0.1:8000",
    "file:x, write for example file:/",
    "ftp://127.0.0.1, does not begin with http:// or https://",
    "http://127.0.0.1:99999, \"99999\" is not a port",
    "http://[::1]:0/metrics, \"0\" is not a port",
    "http:///metrics, names no host",
    "http://a b, is not a URL",
    "http://user:secret@127.0.0.1, TALLY_METRICS_USER"
  })
  void refusesWhatIsNoUrlAndSaysWhatToWrite(String wrong, String remedy) {
    assertThat(run(wrong)).isEqualTo(2);
    assertThat(err.toString()).contains(remedy).doesNotContain("secret");
  }

  @Test
  void understandsHostsWithAnUnderscore() {
    assertThat(run("http://my_engine.invalid:8000")).isEqualTo(3);
    assertThat(err.toString()).contains("the host name is not known; start the server");
  }

  @Test
  void watchesAsOftenAsAsked() {
    assertThat(run(url, "--watch", "--every", "0", "--count", "3")).isZero();
    assertThat(scrapes).hasValue(3);
  }

  private byte[] bytes() throws IOException {
    byte[] plain = body.getBytes(StandardCharsets.UTF_8);
    if (!isPacked) {
      return plain;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(plain);
    }
    return packed.toByteArray();
  }

  private int run(String... arguments) {
    return CommandRun.alone(new SnapshotCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
