package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LintCommandTest {
  private static final Path LINT = Path.of("src/test/resources/lint");
  private static final String REAL = "src/test/resources/scrape/metrics-after1.prom";
  @TempDir private Path folder;

  @Test
  void rulesWithAnErrorEndWithOne() {
    Result result = run(LINT.resolve("guide.yaml").toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("guide.yaml:12: error: vllm_prefix_cache_hit_ratio");
  }

  @Test
  void ourOwnFormEndsWellAgainstARealExposition() {
    Result result = run("src/test/resources/vectors/rules.yml", "--exposition", REAL);
    assertThat(result.out()).endsWith("0 errors, 1 warning, 0 notes\n");
    assertThat(result.code()).isZero();
  }

  @Test
  void aRealExpositionShowsWhichSelectorsMatchNothing() {
    Result result = run(LINT.resolve("various.yaml").toString(), "--exposition", REAL);
    assertThat(result.out())
        .contains("RemovedGauge: no_such_series: vllm:gpu_cache_usage_perc is gone")
        .contains("the target exposes no kserve_vllm:time_to_first_token_seconds_bucket");
  }

  @Test
  void aFileThatIsNoRuleFileIsTheUsersMistakeWithItsLine() throws IOException {
    Path file = folder.resolve("bad.yaml");
    Files.writeString(file, "groups:\n- name: a\n  rules:\n  - expr: up\n");
    Result result = run(file.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(file + ":4: a rule needs either alert or record");
    Files.writeString(file, "groups: [\n");
    assertThat(run(file.toString()).err()).contains(file + ":2: no YAML");
    assertThat(run(folder.resolve("none").toString()).err()).contains("there is no file");
  }

  private record Result(int code, String out, String err) {}

  private static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new LintCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Result(code, out.toString(), err.toString());
  }
}
