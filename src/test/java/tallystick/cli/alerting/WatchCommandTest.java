package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

/** {@code tally watch} before servers that are none, refuse, or answer strangely. */
class WatchCommandTest {
  private static final String RULES =
      """
      groups:
      - name: g
        interval: 30s
        rules:
        - record: all:vllm_ttft_bad:ratio_rate5m
          expr: 1 - sum(rate(good[5m])) / sum(rate(all[5m]))
        - alert: Busy
          expr: running > 5
          annotations: {valid_for: "vLLM 1, objective ttft <= 0.25 s for 0.99"}
      """;

  private static final String SUCCESS = "{\"status\":\"success\",\"data\":";
  private static final String EMPTY = SUCCESS + "{\"resultType\":\"matrix\",\"result\":[]}}";
  private static final String NOW =
      SUCCESS + "{\"resultType\":\"scalar\",\"result\":[1700000000,\"1700000000\"]}}";

  @TempDir private Path folder;

  /** What a server says to a question. */
  private record Said(int status, String type, String body) {
    static Said json(String body) {
      return new Said(200, "application/json", body);
    }
  }

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private Function<String, Said> answers = question -> Said.json(EMPTY);
  private HttpServer server;
  private Path rules;

  @BeforeEach
  void start() throws IOException {
    rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RULES);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String question =
              URLDecoder.decode(
                  exchange.getRequestURI().toString().replace("+", "%20"), StandardCharsets.UTF_8);
          asked.add(question);
          Said said = answers.apply(question);
          byte[] body = said.body().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", said.type());
          exchange.sendResponseHeaders(said.status(), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private CommandRun watch(String... more) {
    List<String> words =
        new ArrayList<>(List.of("watch", rules.toString(), "--prometheus", url()));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(String[]::new));
  }

  /** A Prometheus that knows the time and no series, but for what a test adds. */
  private static Said plain(String question) {
    if (question.contains("query=time()")) {
      return Said.json(NOW);
    }
    boolean isOfNames = question.contains("__name__");
    return Said.json(isOfNames ? SUCCESS + "[\"runnning\"]}" : EMPTY);
  }

  @Test
  void whatIsNoPrometheusIsSaid() {
    answers = question -> new Said(200, "text/html", "<html>Grafana</html>");
    CommandRun page = watch();
    assertThat(page.code()).isEqualTo(3);
    assertThat(page.output()).contains(url() + ": ", "not the Prometheus API");

    answers = question -> new Said(401, "application/json", "{\"status\":\"error\"}");
    CommandRun shut = watch();
    assertThat(shut.code()).isEqualTo(3);
    assertThat(shut.output()).contains("HTTP 401", "TALLY_METRICS_TOKEN");

    answers = question -> new Said(403, "text/plain", "no");
    assertThat(watch().output()).contains("HTTP 403", "TALLY_METRICS_TOKEN");
    server.stop(0);
    CommandRun gone = watch();
    assertThat(gone.code()).isEqualTo(3);
    assertThat(gone.output()).contains("no connection: refused");
  }

  @Test
  void anEmptyPrometheusCannotTellAndNamesWhatIsMissing() {
    answers = WatchCommandTest::plain;
    CommandRun run = watch("--range", "1d");

    assertThat(run.code()).isEqualTo(5);
    assertThat(run.output())
        .contains("CANNOT TELL", "no sample in the whole range", "nearest is runnning");
    assertThat(watch("--range", "1d", "--accept-unproven").code()).isZero();
  }

  @Test
  void aPieceThatIsTooLargeIsAskedForInSmallerOnes() {
    List<Integer> points = new ArrayList<>();
    answers =
        question -> {
          if (!question.contains("query_range") || !question.contains("query=running > 5")) {
            return plain(question);
          }
          double start = Double.parseDouble(question.replaceFirst(".*&start=([0-9.]+).*", "$1"));
          double end = Double.parseDouble(question.replaceFirst(".*&end=([0-9.]+).*", "$1"));
          points.add((int) ((end - start) / 30) + 1);
          String refused =
              "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query processing would"
                  + " load too many samples into memory in query execution\"}";
          return points.getLast() > 1500
              ? new Said(422, "application/json", refused)
              : Said.json(EMPTY);
        };
    CommandRun run = watch("--range", "7d");

    assertThat(run.code()).isEqualTo(5);
    assertThat(points.getFirst()).isEqualTo(11_000);
    assertThat(points).contains(2750, 687);
    assertThat(points.stream().filter(size -> size <= 1500).mapToInt(size -> size).sum())
        .isEqualTo(7 * 2880);
  }

  @Test
  void aRuleThatIsRefusedIsLeftOut() {
    answers =
        question ->
            question.contains("query=running > 5")
                ? new Said(
                    422, "application/json",
                    "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"many-to-many\"}")
                : plain(question);

    assertThat(watch("--range", "1d").output())
        .contains("Busy is left out: this Prometheus refuses it: many-to-many");
  }

  @Test
  void anAnswerThatIsNoneOfAPrometheusIsSaid() {
    String line = "{\"metric\":{\"a\":\"b\"},\"values\":[[1700000000,\"%s\"]]}";
    String matrix = SUCCESS + "{\"resultType\":\"matrix\",\"result\":[%s]}}";
    for (String body :
        List.of(
            matrix.formatted(line.formatted("abc")),
            matrix.formatted(line.formatted("1") + "," + line.formatted("2")),
            SUCCESS + "null}")) {
      answers = question -> question.contains("query_range") ? Said.json(body) : plain(question);
      CommandRun run = watch("--range", "1d");
      assertThat(run.code()).as(run.output()).isEqualTo(3);
      assertThat(run.output()).contains("the Prometheus answered with something that is not ");
    }
    answers = question -> Said.json(SUCCESS + "null}");
    assertThat(watch().output()).contains("answered with something that is not ");
    answers =
        question ->
            question.contains("__name__") ? Said.json(SUCCESS + "null}") : plain(question);
    assertThat(watch().output()).contains("answered with something that is not ");
  }

  @Test
  void anSliThatIsNoShareIsRefused() {
    answers =
        question -> {
          if (!question.contains("query_range")) {
            return plain(question);
          }
          String value = question.contains("/") ? "2.5" : "100";
          String all =
              "{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":"
                  + "[[1699999800,\"%s\"]]}]}}";
          return Said.json(SUCCESS + all.formatted(value));
        };
    assertMistake(
        "but a share is from 0 to 1: write BAD / ALL", "--range", "1d", "--share", "0.99", "--sli",
        "100 * sum(rate(a[5m])) / sum(rate(b[5m]))");
  }

  @Test
  void mistakesNameWhatToWrite() throws IOException {
    answers = WatchCommandTest::plain;
    assertMistake("--range must be 1h to 90d", "--range", "0");
    assertMistake("'soon' is not a time", "--range", "soon");
    assertMistake("is in the future", "--until", "2100-01-01T00:00:00Z");
    assertMistake("write for example 2026-11-14T09:00:00Z", "--until", "yesterday");
    assertMistake("1 s or longer", "--evaluation-interval", "0");
    assertMistake("write bad / all", "--sli", "up");
    assertMistake("--share must be between 0 and 1: write for example 0.99", "--share", "99");
    Files.writeString(rules, "groups: [{name: g, rules: [{record: a, expr: b}]}]");
    assertMistake("has no alert");
    Files.writeString(rules, "groups: [{name: g, rules: [{alert: A, expr: 'a > 1'}]}]");
    assertMistake("--share 0.99", "--sli", "sum(rate(a[5m])) / sum(rate(b[5m]))");
    Files.writeString(rules, "groups: [{name: g, rules: [{alert: A, expr: '{{ .Values.x }}'}]}]");
    assertThat(watch().code()).isEqualTo(2);
    assertThat(CommandRun.of("watch", "none.yaml", "--prometheus", url()).output())
        .contains("there is no such file");
    assertThat(CommandRun.of("watch", rules.toString(), "--prometheus", "ftp://x").code())
        .isEqualTo(2);
  }

  private void assertMistake(String words, String... more) {
    CommandRun run = watch(more);
    assertThat(run.code()).as(run.output()).isEqualTo(2);
    assertThat(run.output()).contains(words);
  }
}
