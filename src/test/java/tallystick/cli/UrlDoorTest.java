package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every URL that can be given goes through one check, in every command. */
class UrlDoorTest {
  private static final String SCENARIO =
      "workload: {rate: 1, prompt_tokens: 8, output_tokens: 4}\nduration: 1s\n";
  private static final String GOOD = "http://127.0.0.1:1";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user:PLANTED@127.0.0.1:1", "http://127.0.0.1:1/metrics?token=PLANTED",
        "http://[bad", "http://127.0.0.1:1/#PLANTED", "gopher://127.0.0.1", "http://a..b",
        "http://[::1%25lo]:1", "http://127.0.0.1:70000"
      })
  void refusesABadUrlWithCodeTwoAndRepeatsNoSecret(String url) throws IOException {
    Path plain = write("plain.yaml", SCENARIO);
    String rules = write("rules.yaml", "groups: []\n").toString();
    Path target = write("target.yaml", SCENARIO + "target: '" + url + "'\n");
    Path metrics =
        write(
            "metrics.yaml",
            SCENARIO + "target: {url: '" + GOOD + "', metrics_url: '" + url + "'}\n");
    Path exporter =
        write("exporter.yaml", SCENARIO + "exporters: [{name: gpu, url: '" + url + "'}]\n");
    List<List<String>> commands =
        List.of(
            List.of("run", plain.toString(), "--target", url),
            List.of("run", plain.toString(), "--target", GOOD, "--metrics-url", url),
            List.of("run", plain.toString(), "--metrics-url", url),
            List.of("run", plain.toString(), "--set", "target=" + url),
            List.of("run", target.toString()),
            List.of("run", metrics.toString()),
            List.of("run", exporter.toString()),
            List.of("plan", target.toString()),
            List.of("snapshot", url),
            List.of("doctor", "--target", url),
            List.of("doctor", "--target", GOOD, "--metrics-url", url),
            List.of("lint", rules, "--target", url));
    for (List<String> command : commands) {
      List<String> whole =
          command.getFirst().equals("run")
              ? Stream.concat(
                      command.stream(), Stream.of("--out", folder.resolve("out").toString()))
                  .toList()
              : command;
      CommandRun ran = CommandRun.of(whole.toArray(String[]::new));
      assertThat(ran.code()).as(whole + "\n" + ran.output()).isEqualTo(2);
      assertThat(ran.output()).as(whole.toString()).doesNotContain("PLANTED");
    }
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void metricsThatNobodyReadsAreRefused() throws IOException {
    String plain = write("plain.yaml", SCENARIO).toString();
    String metrics = GOOD + "/metrics";
    CommandRun alone = CommandRun.of("run", plain, "--metrics-url", metrics);
    assertThat(alone.code()).isEqualTo(2);
    assertThat(alone.output()).contains("no --target is given");
    CommandRun beside =
        CommandRun.of(
            "run", plain, "--target", GOOD, "--no-scrape", "--metrics-url", metrics);
    assertThat(beside.code()).isEqualTo(2);
    assertThat(beside.output()).contains("leave --metrics-url out");
  }

  @Test
  void enginesThatAreListedAreNotNamedASecondTime() throws IOException {
    write("engines.json", "[{\"targets\": [\"127.0.0.1:9\"]}]");
    String listed = write("listed.yaml", SCENARIO + "targets_file: engines.json\n").toString();
    CommandRun ran =
        CommandRun.of("run", listed, "--target", GOOD, "--metrics-url", GOOD + "/metrics");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.output()).contains("both name engines: keep one of them");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
