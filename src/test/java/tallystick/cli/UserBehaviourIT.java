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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.openai.ScriptedServer.Asked;
import tallystick.openai.ScriptedServer.Script;
import tallystick.openai.ScriptedServer;

/** Users who go on talking and users who leave, as the server and the record see them. */
class UserBehaviourIT {
  private static final String HEAD = "requests: %d\nwarmup: {requests: 0}\ntimeout: 20s\n";
  private static final String DONE = "data: [DONE]\n\n";

  @TempDir Path folder;

  @Test
  void eachTurnCarriesAllThatWasSaidBeforeAndWaitsForIt() throws Exception {
    try (ScriptedServer server = new ScriptedServer(UserBehaviourIT::talk)) {
      run(
          HEAD.formatted(3) + "endpoint: chat/completions\ntarget: " + server.url()
              + "\nworkload: {arrival: constant, rate: 20, prompt_tokens: 8, output_tokens: 3,"
              + " conversation: {turns: 3, think_time: 30ms}}\n");

      List<Asked> asked = server.asked("POST /v1/chat/completions");
      assertThat(asked).hasSize(3);
      for (int turn = 0; turn < 3; turn++) {
        JsonNode messages = body(asked.get(turn)).path("messages");
        assertThat(messages).as("turn %d", turn).hasSize(2 * turn + 1);
        for (int i = 0; i < messages.size(); i++) {
          assertThat(messages.get(i).path("role").asText())
              .isEqualTo(i % 2 == 0 ? "user" : "assistant");
        }
        for (int said = 0; said < turn; said++) {
          JsonNode before = body(asked.get(said)).path("messages");
          assertThat(messages.get(2 * said)).isEqualTo(before.get(2 * said));
          // The escape and the euro sign are what the server said, unescaped and decoded.
          assertThat(messages.get(2 * said + 1).path("content").asText())
              .isEqualTo("answer " + said + " €\n end");
        }
      }
      List<JsonNode> rows = rows();
      for (int turn = 1; turn < 3; turn++) {
        long think =
            rows.get(turn).path("intended_ns").asLong()
                - rows.get(turn - 1).path("ended_ns").asLong();
        assertThat(think).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
        assertThat(rows.get(turn).path("started_ns").asLong())
            .isGreaterThanOrEqualTo(rows.get(turn).path("intended_ns").asLong());
      }
    }
  }

  /** One call, two sub-agents at the same time with what they know, and a call after both. */
  @Test
  void subAgentsAskAtTheSameTimeAndAreWaitedFor() throws Exception {
    String call = "{\"t\":%s,\"type\":\"n\",\"in\":%d,\"out\":3,\"api_time\":0.01}";
    String agent = "{\"t\":0.02,\"type\":\"subagent\",\"requests\":[%s,%s]}";
    Files.writeString(
        folder.resolve("weka.jsonl"),
        "{\"id\":\"s\",\"block_size\":64,\"requests\":["
            + String.join(
                ",", call.formatted("0", 20),
                agent.formatted(call.formatted("0.03", 9), call.formatted("0.06", 20)),
                agent.formatted(call.formatted("0.04", 8), call.formatted("0.07", 21)),
                call.formatted("0.09", 40),
                call.formatted("0.12", 12))
            + "]}\n");
    try (ScriptedServer server = new ScriptedServer(UserBehaviourIT::talk)) {
      run(
          HEAD.formatted(7) + "endpoint: chat/completions\ntarget: " + server.url()
              + "\nworkload: {arrival: constant, rate: 20, dataset: {file: weka.jsonl}}\n");

      // The last prompt is shorter than the one before: it holds nothing of it.
      assertThat(server.asked("POST /v1/chat/completions"))
          .extracting(asked -> body(asked).path("messages").size())
          .containsExactlyInAnyOrder(1, 1, 1, 3, 3, 3, 1);
    }
    List<JsonNode> rows = rows();
    int[][] after = {{}, {0}, {0}, {1}, {2}, {0, 3, 4}, {5}};
    long[] pauses = {0, 20, 30, 20, 20, 10, 20};
    for (int i = 1; i < rows.size(); i++) {
      long ended = 0;
      for (int before : after[i]) {
        ended = Math.max(ended, rows.get(before).path("ended_ns").asLong());
      }
      assertThat(rows.get(i).path("intended_ns").asLong() - ended).as("request %d", i)
          .isEqualTo(TimeUnit.MILLISECONDS.toNanos(pauses[i]));
    }
    JsonNode sessions = CommandRun.analysis(out()).path("sessions");
    assertThat(sessions.path("completed").asLong()).isEqualTo(1);
    assertThat(sessions.path("requests").asLong()).isEqualTo(7);
  }

  @Test
  void afterABadAnswerNobodyGoesOnTalking() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            request ->
                request.line().startsWith("POST")
                    ? ScriptedServer.status(500, "{}")
                    : other(request))) {
      run(
          HEAD.formatted(3) + "endpoint: chat/completions\ntarget: " + server.url()
              + "\nworkload: {arrival: constant, rate: 20, prompt_tokens: 8, output_tokens: 3,"
              + " conversation: {turns: 3, think_time: 10ms}}\n");

      assertThat(server.asked("POST /v1/chat/completions")).hasSize(1);
    }
  }

  @Test
  void clientsThatLeaveAreCountedAsLeftAndNotAsFailed() throws Exception {
    try (ScriptedServer server = new ScriptedServer(UserBehaviourIT::dawdle)) {
      CommandRun ran =
          run(
              HEAD.formatted(8) + "endpoint: chat/completions\ntarget: " + server.url()
                  + "\nworkload:\n  arrival: constant\n  rate: 20\n  prompt_tokens: 8\n"
                  + "  output_tokens: 400\n  classes:\n"
                  + "    - {name: impatient, cancel: {share: 1, after: 300ms}}\n"
                  + "    - {name: sated, cancel: {share: 1, after_tokens: 3}}\n");

      for (JsonNode row : rows()) {
        assertThat(row.path("outcome").asText()).isEqualTo("client_cancelled");
        long stayed = row.path("ended_ns").asLong() - row.path("started_ns").asLong();
        if (row.path("class").asText().equals("impatient")) {
          assertThat(stayed).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(300));
        } else {
          assertThat(row.path("chunk_ns")).hasSizeGreaterThanOrEqualTo(3);
        }
      }
      JsonNode counts = CommandRun.analysis(out()).path("counts");
      assertThat(counts.at("/by_outcome/client_cancelled").asLong()).isEqualTo(8);
      assertThat(ran.output()).contains("cancelled");
    }
  }

  /** Says how many answers came before, with an escape and a character of three bytes. */
  private static Script talk(Asked request) {
    if (!request.line().startsWith("POST")) {
      return other(request);
    }
    int turn = body(request).path("messages").size() / 2;
    String chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n";
    return ScriptedServer.stream(
        chunk.formatted("answer ") + chunk.formatted(turn + " €") + chunk.formatted("\\n end")
            + DONE);
  }

  /** A token every 20 ms, until the client is gone. */
  private static Script dawdle(Asked request) {
    if (!request.line().startsWith("POST")) {
      return other(request);
    }
    return (out, socket) -> {
      ScriptedServer.stream("").play(out, socket);
      for (int i = 1; i <= 400; i++) {
        out.write(
            ("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" a\"}}],\"usage\":"
                    + "{\"prompt_tokens\":8,\"completion_tokens\":" + i + "}}\n\n")
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
        new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
      }
      out.write(DONE.getBytes(StandardCharsets.UTF_8));
    };
  }

  private static Script other(Asked request) {
    return request.line().equals("GET /v1/models")
        ? ScriptedServer.status(200, "{\"data\":[{\"id\":\"tiny\"}]}")
        : ScriptedServer.status(404, "{}");
  }

  private CommandRun run(String scenario) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), scenario);
    return CommandRun.of(
        "run", "--verbose", file.toString(), "--no-scrape", "--out", out().toString());
  }

  private List<JsonNode> rows() throws IOException {
    return CommandRun.requests(out()).stream()
        .sorted(Comparator.comparingInt(row -> row.path("index").asInt()))
        .toList();
  }

  private Path out() {
    return folder.resolve("out");
  }

  /** The scripted server gives a char for each byte. */
  private static JsonNode body(Asked asked) {
    byte[] bytes = asked.body().getBytes(StandardCharsets.ISO_8859_1);
    return CommandRun.json(new String(bytes, StandardCharsets.UTF_8));
  }
}
