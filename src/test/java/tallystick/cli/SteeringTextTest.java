package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server, or a file, whose texts would steer the terminal of whoever looks at it. */
class SteeringTextTest {
  private static final String STEERING =
      "\u001b[31m\u001b]0;owned\u0007\u009b2J\u202e\r\nFAKE\ufffe";

  @TempDir Path folder;

  @Test
  void aModelsNameSteersNothing() throws Exception {
    String json = "{\"data\":[{\"id\":\"" + escaped(STEERING) + "\"}]}";
    try (StubServer server = StubServer.start(Map.of("/v1/models", json))) {
      expectPlain(
          CommandRun.of("run", scenario("small"), "--target", server.url(), "--model", "other"));
      expectPlain(CommandRun.of("doctor", "--target", server.url()));
    }
  }

  @Test
  void metricsSteerNothing() throws Exception {
    String metrics =
        "# HELP vllm:num_requests_running a" + STEERING.replace("\r\n", "") + "\n"
            + "# TYPE vllm:num_requests_running gauge\n"
            + "vllm:num_requests_running{model_name=\"m" + STEERING.replace("\r\n", "\\n")
            + "\"} 1\n";
    try (StubServer server = StubServer.start(Map.of("/metrics", metrics))) {
      CommandRun seen = CommandRun.of("snapshot", server.url());
      assertThat(seen.output()).contains("num_requests_running");
      expectPlain(seen);
      String rule = "vllm:num_requests_running > 0";
      expectPlain(CommandRun.of("snapshot", server.url(), "--warn", rule));
      expectPlain(CommandRun.of("lint", rules("name"), "--target", server.url()));
    }
    try (StubServer server = StubServer.start(Map.of("/metrics", STEERING + " 1\n"))) {
      expectPlain(CommandRun.of("snapshot", server.url()));
    }
  }

  @Test
  void aScenariosNameSteersNothing() throws Exception {
    String file = scenario(escaped(STEERING));
    expectPlain(CommandRun.of("plan", file));
    CommandRun played = CommandRun.of("simulate", file, "--out", folder.resolve("o").toString());
    expectPlain(played);
    Path run = CommandRun.onlyRun(folder.resolve("o"));
    expectPlain(CommandRun.of("report", run.toString()));
    expectPlain(CommandRun.of("export", run.toString(), "--format", "csv"));
    for (String name : new String[] {"junit.xml", "summary.md", "report.html"}) {
      assertThat(Files.readString(run.resolve(name)))
          .as(name)
          .matches("(?s)[^\u001b\u009b\u202e\ufffe\r]*");
    }
  }

  @Test
  void aRulesNameSteersNothing() throws Exception {
    expectPlain(CommandRun.of("lint", rules(escaped(STEERING))));
    expectPlain(CommandRun.of("lint", folder.resolve("no\u001b[2J").toString()));
  }

  @Test
  void aRuleFileThatIsNoneIsTheUsersMistake() throws Exception {
    assertThat(CommandRun.of("lint", folder.toString()).code()).isEqualTo(2);
    assertThat(CommandRun.of("lint", "/dev/zero").output()).contains("larger than 16 MiB");
    Path bytes = Files.write(folder.resolve("b"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(CommandRun.of("lint", bytes.toString()).output()).contains("is not UTF-8 text");
    Path breaks =
        Files.writeString(
            folder.resolve("c.yaml"),
            "# \u2028\u2029\u0085\ngroups:\n- name: g\n  rules:\n  - {alert: A, expr: 'up =='}\n");
    assertThat(CommandRun.of("lint", breaks.toString()).output()).contains("the expression ends");
  }

  @Test
  void aFolderThatCannotBeMadeIsToldInWords() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    CommandRun run = CommandRun.of("simulate", scenario("s"), "--out", file.toString());
    assertThat(run.code()).isEqualTo(3);
    assertThat(run.output()).contains("something else is there already");
  }

  private String scenario(String name) throws Exception {
    return Files.writeString(
            folder.resolve("s.yaml"),
            "name: \"" + name + "\"\nendpoint: completions\nworkload: {arrival: poisson, rate: 5,"
                + " prompt_tokens: 8, output_tokens: 4}\nduration: 2s\n")
        .toString();
  }

  private String rules(String name) throws Exception {
    return Files.writeString(
            folder.resolve("r.yaml"),
            "groups: [{name: g, rules: [{alert: \"" + name + "\", expr: up > 010}]}]\n")
        .toString();
  }

  /** As JSON and YAML both read it. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
    return escaped.toString();
  }

  private static void expectPlain(CommandRun run) {
    assertThat(run.code()).as(run.output()).isNotEqualTo(70);
    assertThat(run.output()).matches("(?s)[\\n\\t\\P{C}]*").doesNotContain("\nFAKE");
  }
}
