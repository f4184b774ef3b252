package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of engines in a file, and the words of a scenario that name one. */
class TargetFileTest {
  private static final String GOOD =
      """
      workload: {rate: 4, prompt_tokens: 256, output_tokens: 32}
      duration: 60s
      """;

  @TempDir private Path folder;

  @Test
  void readsJsonAndYamlWithTheLabelsThatMeanSomething() throws IOException {
    assertThat(list("[{\"targets\": [\"10.0.0.7:8000\", \"[::1]:9\"], \"labels\": {\"a\": 1}}]"))
        .containsExactly(
            new Target("http://10.0.0.7:8000", "http://10.0.0.7:8000/metrics", 0),
            new Target("http://[::1]:9", "http://[::1]:9/metrics", 0));
    assertThat(
            list(
                """
                - targets: ["b:1"]
                  labels: {__scheme__: https, __metrics_path__: /stats, role: prefill}
                """))
        .containsExactly(new Target("https://b:1", "https://b:1/stats", 0, Target.Role.PREFILL));
  }

  @Test
  void anEngineThatStandsTwiceIsOne() throws IOException {
    assertThat(list("[{targets: [\"b:1\", \"b:1\"]}, {targets: [\"b:1\"]}]")).hasSize(1);
    assertThat(list("[]")).isEmpty();
    assertThat(list("[{targets: []}]")).isEmpty();
  }

  @Test
  void readsAThousand() throws IOException {
    String all =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "\"10.0." + i / 250 + "." + i % 250 + ":8000\"")
            .collect(Collectors.joining(","));
    assertThat(list("[{\"targets\": [" + all + "]}]")).hasSize(1_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "\n", "{}", "[{\"targets\": [\"b:1\"", "[{\"targets\": \"b:1\"}]", "[{}]", "[1]",
        "[{targets: [\"b:99999\"]}]", "[{targets: [\"a b:1\"]}]", "[{targets: [[1]]}]",
        "[{targets: [\"b:1\"], label: {}}]", "[{targets: [\"file:///etc/passwd\"]}]",
        "[{targets: [\"b:1\"], labels: {__scheme__: file}}]",
      })
  void whatIsNoListIsAMistakeAsAWhole(String text) {
    assertThatThrownBy(() -> list(text)).isInstanceOf(ScenarioException.class);
  }

  @Test
  void aSecretIsRefusedAndNotRepeated() {
    for (String secret :
        List.of("me:hush@b:1", "http://me:hush@b:1", "http://b:1/?token=hush")) {
      assertThatThrownBy(() -> list("[{targets: [\"" + secret + "\"]}]"))
          .isInstanceOf(ScenarioException.class)
          .hasMessageNotContaining("hush");
    }
  }

  @Test
  void aFileThatIsGoneSaysSo() {
    assertThatThrownBy(() -> TargetFile.read(folder.resolve("none.json")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void behindAListStandsAGatewayThatIsNotScraped() throws IOException {
    Files.writeString(folder.resolve("e.json"), "[]");
    Scenario scenario = read("target: http://r:1\ntargets_file: e.json\n");
    assertThat(scenario.targets())
        .containsExactly(new Target("http://r:1", "", 1, Target.Role.GATEWAY));
    assertThat(scenario.access().engines().file())
        .isEqualTo(folder.resolve("e.json").toString());
    assertThat(
            read("target: http://r:1\ntargets_srv: _http._tcp.vllm.svc\ntargets_dns: 10.0.0.1:53\n")
                .access()
                .engines())
        .isEqualTo(new TargetList("", "_http._tcp.vllm.svc", "10.0.0.1:53"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "targets_file: e.json",
        "target: http://r:1\ntargets_file: e.json\ntargets_srv: a.b",
        "target: http://r:1\ntargets_dns: 10.0.0.1:53", "target: http://r:1\ntargets_srv: 'a b'",
        "target: http://r:1\ntargets_srv: a.b\ntargets_dns: 'dns://x'",
      })
  void aListThatCannotBeMeantIsAMistake(String words) throws IOException {
    Files.writeString(folder.resolve("e.json"), "[]");
    assertThatThrownBy(() -> read(words + "\n")).isInstanceOf(ScenarioException.class);
  }

  private List<Target> list(String text) throws IOException {
    return TargetFile.read(Files.writeString(folder.resolve("list"), text));
  }

  private Scenario read(String more) throws IOException {
    Path file = Files.writeString(folder.resolve("s.yaml"), GOOD + more);
    return ScenarioReader.read(file, List.of(), List.of());
  }
}
