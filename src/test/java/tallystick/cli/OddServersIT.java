package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.openai.ScriptedServer.Script;
import tallystick.openai.ScriptedServer;
import tallystick.runrecord.RecordFiles;

/** Whole runs against servers that do not behave, of raw bytes over real HTTP. */
class OddServersIT {
  private static final String TOKEN =
      "data: {\"id\":\"s\",\"choices\":[{\"index\":0,\"text\":\" a\"}],"
          + "\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":%d}}\n\n";
  private static final String DONE = "data: [DONE]\n\n";

  /** What a busy machine makes of a run: its stamps were late, so nothing is said of gaps. */
  private static final String CLIENT_LATE = "The load generator could not keep up";

  private static final String FIRST = TOKEN.formatted(1);
  private static final String UNTOLD =
      "data: {\"choices\":[{\"index\":0,\"text\":\" a\"}]}\n\n";
  private static final String FINISH =
      "data: {\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"length\"}]}\n\n";
  private static final String GOOD = FIRST + TOKEN.formatted(2) + DONE;

  private static final String SHORT =
      "workload: {rate: 20, arrival: constant, prompt_tokens: 8, output_tokens: 2}";
  private static final String LENGTHS = "workload: {rate: 20, arrival: constant, "
      + "prompt_tokens: 8, output_tokens: {uniform: [20, 60]}}";

  @TempDir Path folder;

  /** What each request of the plan meets, and the outcome or oddity it is to be recorded as. */
  private static Map<String, Script> behaviours() {
    Map<String, Script> all = new LinkedHashMap<>();
    all.put("ok", ScriptedServer.stream(GOOD));
    all.put("malformed_chunk", ScriptedServer.stream(FIRST + "data: {\"ch\n\n" + DONE));
    all.put("error_event",
        ScriptedServer.stream("data: {\"error\":{\"message\":\"x\"}}\n\n" + DONE));
    all.put("done_missing", ScriptedServer.stream(UNTOLD + FINISH));
    all.put("left_open", OddServersIT::stayOpen);
    all.put("cut_mid_stream by a clean end", ScriptedServer.stream(FIRST));
    all.put("empty_stream", ScriptedServer.stream(DONE));
    all.put("empty_stream of a head alone", head("text/event-stream", ""));
    all.put("timed_out of a stream without end", OddServersIT::goOnForever);
    all.put("timed_out of a slow head", OddServersIT::spellOut);
    all.put("compressed", head("text/event-stream\r\nContent-Encoding: gzip", "??"));
    all.put("redirected", status("307 X\r\nLocation: http://127.0.0.1:9/", ""));
    all.put("not_a_stream of HTML", head("text/html", "<html>Sign in</html>"));
    all.put("not_a_stream of JSON", head("application/json", "{\"choices\":[{\"text\":\"x\"}]}"));
    all.put("cut_mid_stream by a reset", OddServersIT::reset);
    all.put("no_answer", (out, socket) -> socket.close());
    all.put("http_error asks to wait", status("429 X\r\nRetry-After: 7", "busy"));
    all.put("http_error asks to come at once", status("503 X\r\nRetry-After: 0", "full"));
    all.put("events_after_done", ScriptedServer.stream(GOOD + TOKEN.formatted(3)));
    all.put("bytes_after_done", ScriptedServer.stream(GOOD + "bye"));
    all.put("changing_id", ScriptedServer.stream(FIRST + GOOD.replace("\"s\"", "\"t\"")));
    all.put("usage_missing", ScriptedServer.stream(UNTOLD + DONE));
    all.put("usage_contradicts_chunks", ScriptedServer.stream(
        FIRST
            + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":8,\"completion_tokens\":9}}\n\n"
            + DONE));
    return all;
  }

  @Test
  void everyBadAnswerHasANameInTheRecordAndIsCountedInTheReport() throws Exception {
    List<String> names = new ArrayList<>(behaviours().keySet());
    List<Script> scripts = new ArrayList<>(behaviours().values());
    try (ScriptedServer server =
        new ScriptedServer(
            request ->
                request.line().startsWith("POST /v1/completions")
                    ? scripts.get(indexOf(request))
                    : other(request))) {
      CommandRun ran = run(server.url(), "requests: " + names.size(), "timeout: 2s");

      Map<String, Long> outcomes = new TreeMap<>();
      for (JsonNode row : rows()) {
        if (row.path("phase").asText().equals("main")) {
          String name = names.get(row.path("index").asInt() - 1);
          String word = name.split(" ")[0];
          assertThat(row.path("outcome").asText() + row.path("oddities")).as(name).contains(word);
          outcomes.merge(row.path("outcome").asText(), 1L, Long::sum);
        }
      }
      assertThat(outcomes.values().stream().mapToLong(n -> n).sum()).isEqualTo(names.size());
      assertShown(ran, outcomes, names);
      assertThat(ran.code()).as(ran.output()).isIn(1, 4);
    }
  }

  private void assertShown(CommandRun ran, Map<String, Long> outcomes, List<String> names)
      throws IOException {
    JsonNode counts = CommandRun.analysis(out()).at("/counts/by_outcome");
    outcomes.forEach(
        (word, count) -> assertThat(counts.path(word).asLong()).as(word).isEqualTo(count));
    String page = Files.readString(CommandRun.onlyRun(out()).resolve("report.html"));
    String summary = Files.readString(CommandRun.onlyRun(out()).resolve("summary.md"));
    for (String name : names) {
      String word = name.split(" ")[0];
      String shown = word.equals("left_open") ? "stayed open" : word.replace('_', ' ');
      assertThat(page).as(name).containsAnyOf(word, shown);
      assertThat(summary).as(name).containsAnyOf(word, shown);
      assertThat(ran.output()).as(name).containsAnyOf(word, shown);
    }
  }

  @Test
  void aServerThatTakesOnlyStringsIsMeasuredWithTextAndTheReportSaysSo() throws Exception {
    try (ScriptedServer server = new ScriptedServer(OddServersIT::stringOnly)) {
      CommandRun ran = run(server.url(), "requests: 12", "timeout: 20s");

      JsonNode analysis = CommandRun.analysis(out());
      assertThat(analysis.at("/counts/ok").asLong()).isEqualTo(12);
      assertThat(analysis.at("/run/prompts").asText()).isEqualTo("fitted text");
      assertThat(manifest().path("prompts").asText()).isEqualTo("fitted_text");
      assertThat(Files.readString(record().harness())).contains("refuses token ids");
      assertThat(ran.output())
          .contains("text fitted with the server's /tokenize", "usage says 9.0");
      assertThat(server.asked("POST /v1/completions").stream().filter(r -> r.body().contains("[")))
          .as("requests with token ids")
          .hasSize(1);
    }
  }

  @Test
  void aServerThatHoldsItsAnswersBackIsSaidToStreamNothing() throws Exception {
    try (ScriptedServer server = new ScriptedServer(request -> madeFirst(request, 0))) {
      CommandRun ran = run(server.url(), "requests: 24", "timeout: 20s", LENGTHS);

      // An answer whose reader was held up between two tokens looks streamed: "Most", not all.
      assertThat(ran.output())
          .containsPattern("Most answers came at once[^.]* \\d+ of 24|" + CLIENT_LATE);
    }
  }

  @Test
  void aServerThatMakesAnAnswerBeforeItStreamsItIsFoundOut() throws Exception {
    try (ScriptedServer server = new ScriptedServer(request -> madeFirst(request, 1))) {
      CommandRun ran = run(server.url(), "requests: 24", "timeout: 20s", LENGTHS);

      // On a busy machine some of the answers come in one read, and too few are left to compare
      // their lengths.
      assertThat(ran.output())
          .containsAnyOf(
              "Most answers began after 90 %", "Most answers came at once", CLIENT_LATE);
    }
  }

  /**
   * Makes a token in 30 ms, all of them first, then streams with a pause after each. A busy machine
   * stretches the pauses: what is left after a twentieth of the making goes out in one write.
   */
  private static Script madeFirst(ScriptedServer.Asked request, int pauseMillis) {
    if (!request.line().startsWith("POST /v1/completions")) {
      return other(request);
    }
    int tokens = CommandRun.json(request.body()).path("max_tokens").asInt();
    return (out, socket) -> {
      new CountDownLatch(1).await(30L * tokens, TimeUnit.MILLISECONDS);
      ScriptedServer.stream("").play(out, socket);
      long lastPause = System.nanoTime() + pauseMillis * tokens * 1_500_000L;
      int sent = 0;
      while (sent < tokens && System.nanoTime() < lastPause) {
        out.write(TOKEN.formatted(++sent).getBytes(StandardCharsets.UTF_8));
        new CountDownLatch(1).await(pauseMillis, TimeUnit.MILLISECONDS);
      }
      String rest =
          IntStream.rangeClosed(sent + 1, tokens)
              .mapToObj(TOKEN::formatted)
              .collect(Collectors.joining("", "", DONE));
      out.write(rest.getBytes(StandardCharsets.UTF_8));
    };
  }

  private CommandRun run(String url, String... lines) throws IOException {
    Path file = folder.resolve("x.yaml");
    String own = String.join("\n", lines);
    Files.writeString(
        file,
        """
        endpoint: completions
        warmup: {requests: 1}
        """
            + own + (own.contains("workload") ? "" : "\n" + SHORT));
    return CommandRun.of(
        "run", "--verbose", file.toString(),
        "--target", url, "--no-scrape", "--out", out().toString());
  }

  /** The request's place in the plan, which ends its id. The warm-up's comes first and is good. */
  private static int indexOf(ScriptedServer.Asked request) {
    String id = request.head().replaceAll("(?s).*X-Request-Id: \\S+-(\\d+)\\s.*", "$1");
    return Math.max(0, Integer.parseInt(id) - 1);
  }

  private static Script other(ScriptedServer.Asked request) {
    return request.line().equals("GET /v1/models")
        ? ScriptedServer.status(200, "{\"data\":[{\"id\":\"tiny\"}]}")
        : ScriptedServer.status(404, "{}");
  }

  /** Two tokens a word and one in front. */
  private static Script stringOnly(ScriptedServer.Asked request) {
    if (request.line().equals("POST /tokenize")) {
      return ScriptedServer.status(200, "{\"count\":" + tokens(request) + "}");
    }
    if (!request.line().equals("POST /v1/completions")) {
      return other(request);
    }
    return request.body().contains("\"prompt\":\"")
        ? ScriptedServer.stream(GOOD.replace("_tokens\":8", "_tokens\":" + tokens(request)))
        : ScriptedServer.status(422, "{\"detail\":\"prompt must be a string\"}");
  }

  private static int tokens(ScriptedServer.Asked request) {
    return 1 + 2 * CommandRun.json(request.body()).path("prompt").asText().split(" ").length;
  }

  private static Script head(String type, String body) {
    return status("200 OK\r\nContent-Type: " + type, body);
  }

  private static Script status(String line, String body) {
    return (out, socket) ->
        out.write(
            ("HTTP/1.1 " + line + "\r\nContent-Length: " + body.length()
                    + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8));
  }

  private static void goOnForever(OutputStream out, Socket socket) throws Exception {
    ScriptedServer.stream(FIRST).play(out, socket);
    while (true) {
      out.write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
      new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
    }
  }

  private static void stayOpen(OutputStream out, Socket socket) throws Exception {
    ScriptedServer.stream(GOOD).play(out, socket);
    out.flush();
    // Returns when the client has closed its end.
    socket.getInputStream().read();
  }

  private static void spellOut(OutputStream out, Socket socket) throws Exception {
    out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
    while (true) {
      out.write('a');
      out.flush();
      new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
    }
  }

  private static void reset(OutputStream out, Socket socket) throws Exception {
    ScriptedServer.stream(FIRST + "data: {\"ch").play(out, socket);
    out.flush();
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private List<JsonNode> rows() throws IOException {
    return CommandRun.requests(out());
  }

  private JsonNode manifest() throws IOException {
    return CommandRun.json(Files.readString(record().manifest()));
  }

  private RecordFiles record() throws IOException {
    return RecordFiles.ofRun(CommandRun.onlyRun(out()));
  }

  private Path out() {
    return folder.resolve("out");
  }
}
