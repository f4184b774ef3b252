package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class LintCommandTest {
  private static final Path LINT = Path.of("src/test/resources/lint");
  private static final String REAL = "src/test/resources/scrape/metrics-after1.prom";
  @TempDir private Path folder;

  @Test
  void rulesWithAnErrorEndWithOne() {
    Result result = run(LINT.resolve("guide.yaml").toString(), "--verbose");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("guide.yaml:12: error: vllm_prefix_cache_hit_ratio");
  }

  @Test
  void theGravestStandOnOneScreen() {
    String file = LINT.resolve("guide.yaml").toString();
    Result result = run(file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains("lint   " + file, "VERDICT  1 error, ", "ERROR    " + file + ":12 ")
        .contains("NEXT     ./tally lint " + file + " --verbose");
    assertThat(result.out().lines()).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  @Test
  void sarifNamesFilesFromTheRootOfTheirRepository() throws IOException {
    Path rules = Files.createDirectories(folder.resolve("repo/alerts dir")).resolve("rules.yaml");
    Files.createDirectories(folder.resolve("repo/.git"));
    Files.copy(LINT.resolve("guide.yaml"), rules);
    Result result = run(rules.toString(), "--format", "sarif");
    JsonNode sarif = new ObjectMapper().readTree(result.out());
    assertThat(sarif.get("version").asText()).isEqualTo("2.1.0");
    assertThat(sarif.get("$schema").asText()).contains("sarif-2.1.0");
    JsonNode run = sarif.get("runs").get(0);
    assertThat(run.at("/tool/driver/name").asText()).isEqualTo("tally lint");
    assertThat(run.get("results")).isNotEmpty();
    for (JsonNode each : run.get("results")) {
      JsonNode place = each.at("/locations/0/physicalLocation");
      assertThat(place.at("/artifactLocation/uri").asText()).isEqualTo("alerts%20dir/rules.yaml");
      assertThat(place.at("/artifactLocation/uriBaseId").asText()).isEqualTo("%SRCROOT%");
      assertThat(place.at("/region/startLine").asInt()).isPositive();
      assertThat(each.at("/message/text").asText()).isNotBlank();
      assertThat(each.get("level").asText()).isIn("none", "note", "warning", "error");
      JsonNode rule = run.at("/tool/driver/rules/" + each.get("ruleIndex").asInt());
      assertThat(rule.get("id")).isEqualTo(each.get("ruleId"));
      assertThat(rule.at("/shortDescription/text").asText()).isNotBlank();
    }
  }

  @Test
  void aSoundFileHasANextStepToo() throws IOException {
    Result sound = run("reports/study-sample/alerts/rules.yaml");
    assertThat(sound.code()).isZero();
    assertThat(sound.out())
        .contains("VERDICT  nothing known to be wrong")
        .contains("NEXT     ./tally backtest reports/study-sample/alerts/rules.yaml");
  }

  @Test
  void aMisspeltMetricIsNamedWithWhatWasMeant() throws IOException {
    Path file = folder.resolve("typo.yaml");
    Files.writeString(
        file,
        "groups:\n- name: a\n  rules:\n  - alert: A\n    expr: vllm:num_request_waiting > 5\n");
    assertThat(words(run(file.toString(), "--verbose")))
        .contains("did you mean vllm:num_requests_waiting?");
    assertThat(words(run(file.toString(), "--verbose", "--exposition", REAL)))
        .contains("exposes no vllm:num_request_waiting; did you mean vllm:num_requests_waiting?");
  }

  @Test
  void ourOwnFormEndsWellAgainstARealExposition() {
    Result result = run("src/test/resources/vectors/rules.yml", "--verbose", "--exposition", REAL);
    assertThat(result.out()).endsWith("0 errors, 1 warning, 0 notes\n");
    assertThat(result.code()).isZero();
  }

  @Test
  void aRealExpositionShowsWhichSelectorsMatchNothing() {
    Result result = run(LINT.resolve("various.yaml").toString(), "--verbose", "--exposition", REAL);
    assertThat(words(result))
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
    Files.writeString(file, "panels: []\ngroups:\n- name: a\n  rules:\n  - expr: up\n");
    assertThat(run(file.toString()).err()).contains(file + ":5: a rule needs either");
    Files.writeString(file, "groups: [\n");
    assertThat(run(file.toString()).err()).contains(file + ":2: not valid YAML");
    assertThat(run(folder.resolve("none").toString()).err())
        .contains("none: there is no such file");
  }

  private record Result(int code, String out, String err) {}

  private static String words(Result result) {
    return result.out().replaceAll("\\s+", " ");
  }

  private static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandRun.alone(new LintCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Result(code, out.toString(), err.toString());
  }
}
