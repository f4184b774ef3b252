package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.openai.ScriptedServer.Asked;
import tallystick.openai.ScriptedServer.Script;
import tallystick.openai.ScriptedServer;

/** What a scenario promises of its requests, seen by the servers and in the record. */
class WorkloadsIT {
  private static final String KEY = "sk-never-to-be-seen-4711";
  private static final String MIX =
      """
      endpoint: chat/completions
      targets:
        - {url: "%s", weight: 3}
        - {url: "%s", weight: 1}
      requests: 40
      warmup: {requests: 4}
      request: {api_key_file: key.txt, continuous_usage: false, headers: {X-Team: search}}
      workload:
        arrival: constant
        rate: 20
        prompt_tokens: 8
        output_tokens: 3
        classes:
          - {name: thinking, model: thinker, objectives: [{ttft: 10s, share: 0.5}]}
          - {name: pairs, n: 2, objectives: [{e2e: 20s, share: 0.5}]}
      """;

  @TempDir Path folder;

  @Test
  void aMixOnTwoTargetsIsSentAndRecordedAsTheScenarioSays() throws Exception {
    try (ScriptedServer three = new ScriptedServer(WorkloadsIT::answer);
        ScriptedServer one = new ScriptedServer(WorkloadsIT::answer)) {
      Files.writeString(folder.resolve("key.txt"), KEY + "\n");
      CommandRun ran = run(MIX.formatted(three.url(), one.url()));

      assertThat(ran.code()).as(ran.output()).isIn(0, 4);
      assertThat(three.asked("POST")).hasSize(33);
      assertThat(one.asked("POST")).hasSize(11);
      checkRequests(Stream.concat(three.asked("POST").stream(), one.asked("POST").stream()));
      checkRows();
      checkAnalysis(ran);
      checkThatTheKeyIsNowhere(ran);
    }
  }

  private static void checkRequests(Stream<Asked> requests) {
    List<Asked> all = requests.toList();
    assertThat(all).extracting(asked -> header(asked, "X-Request-Id")).doesNotHaveDuplicates();
    assertThat(all).extracting(asked -> header(asked, "traceparent")).doesNotHaveDuplicates();
    for (Asked asked : all) {
      assertThat(header(asked, "traceparent"))
          .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]")
          .doesNotContain("-0000000000000000");
      assertThat(header(asked, "Authorization")).isEqualTo("Bearer " + KEY);
      assertThat(header(asked, "X-Team")).isEqualTo("search");
      assertThat(asked.body()).doesNotContain("continuous_usage_stats");
      boolean thinks = asked.body().contains("\"model\":\"thinker\"");
      assertThat(asked.body().contains("\"n\":2")).isNotEqualTo(thinks);
    }
  }

  private void checkRows() throws IOException {
    for (JsonNode row : rows()) {
      boolean thinks = row.path("class").asText().equals("thinking");
      assertThat(row.path("outcome").asText()).isEqualTo("ok");
      // Two of reasoning and one of text, or one of each answer; role and usage are none.
      assertThat(row.path("chunk_ns")).hasSize(thinks ? 3 : 2);
      assertThat(row.path("chunk_tokens").toString()).matches("-1|\\[(-1,?)+]");
      assertThat(row.path("engine_queue_seconds").asDouble()).isEqualTo(0.004);
    }
  }

  private void checkAnalysis(CommandRun ran) throws IOException {
    JsonNode analysis = CommandRun.analysis(out());
    JsonNode counts = analysis.path("counts");
    assertThat(counts.path("unknown_chunks")).isEqualTo(counts.path("chunks"));
    assertThat(ran.output()).contains("did not say how many tokens they carry");
    assertThat(analysis.at("/client/token_gaps/count").asLong()).isZero();
    assertThat(analysis.path("objectives")).hasSize(2);
    long ofFirst = analysis.at("/objectives/0/judged").asLong();
    long ofSecond = analysis.at("/objectives/1/judged").asLong();
    assertThat(ofFirst).isBetween(5L, 35L);
    assertThat(ofFirst + ofSecond).isEqualTo(40);
  }

  private void checkThatTheKeyIsNowhere(CommandRun ran) throws IOException {
    assertThat(ran.output()).doesNotContain(KEY);
    try (Stream<Path> files = Files.walk(out())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes).as(file.toString()).doesNotContain(KEY);
      }
    }
  }

  @Test
  void waitingForAPlaceUnderTheCapCountsAsLatency() throws Exception {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (ScriptedServer server =
        new ScriptedServer(
            request ->
                (out, socket) -> {
                  most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                  new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
                  inFlight.decrementAndGet();
                  answer(request).play(out, socket);
                })) {
      run(
          "target: " + server.url() + "\nrequests: 8\nwarmup: {requests: 0}\nworkload: {arrival:"
              + " constant, rate: 100, concurrency: 1, prompt_tokens: 8, output_tokens: 3}\n");

      JsonNode last = rows().get(7);
      assertThat(most.get()).isEqualTo(1);
      // Seven answers of 100 ms lie before the eighth start, which was wanted after 70 ms.
      assertThat(last.path("started_ns").asLong() - last.path("intended_ns").asLong())
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(600));
    }
  }

  private static Script answer(Asked request) {
    if (request.line().equals("GET /v1/models")) {
      return ScriptedServer.status(200, "{\"data\":[{\"id\":\"tiny\"}]}");
    }
    if (!request.line().equals("POST /v1/chat/completions")) {
      return ScriptedServer.status(404, "{}");
    }
    String chunks =
        request.body().contains("\"model\":\"thinker\"")
            ? chunk(0, "reasoning_content") + chunk(0, "reasoning") + chunk(0, "content")
            : chunk(0, "content") + chunk(1, "content");
    return ScriptedServer.stream(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}"
            + "\n\n" + chunks
            + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":3},"
            + "\"metrics\":{\"queue_time_ms\":4.0}}\n\ndata: [DONE]\n\n");
  }

  private static String chunk(int choice, String field) {
    return "data: {\"choices\":[{\"index\":" + choice + ",\"delta\":{\"" + field
        + "\":\" a\"}}]}\n\n";
  }

  private static String header(Asked asked, String name) {
    return asked.head().lines()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + asked.head()));
  }

  private CommandRun run(String scenario) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), scenario);
    return CommandRun.of(
        "run", "--verbose", file.toString(), "--no-scrape", "--out", out().toString());
  }

  /** The rows of the measured window in the order of the plan. */
  private List<JsonNode> rows() throws IOException {
    return CommandRun.requests(out()).stream()
        .filter(row -> row.path("phase").asText().equals("main"))
        .sorted(Comparator.comparingInt(row -> row.path("index").asInt()))
        .toList();
  }

  private Path out() {
    return folder.resolve("out");
  }
}
