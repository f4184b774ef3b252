package tallystick.cli.alerting;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.cli.CommandRun;
import tallystick.cli.FrozenWords;

/** What a lint says of each kind of finding, on the screen, whole, and for programs. */
class LintWordsTest {
  @ParameterizedTest
  @CsvSource({
    "clean, reports/study-sample/alerts/rules.yaml",
    "notes, src/test/resources/golden/lint/notes.yaml",
    "warnings, src/test/resources/vectors/rules.yml --exposition"
        + " src/test/resources/scrape/metrics-after1.prom",
    "errors, src/test/resources/lint/guide.yaml",
    "files, src/test/resources/lint/guide.yaml src/test/resources/lint/various.yaml",
    "record, src/test/resources/lint/guide.yaml --run reports/sample",
    "dashboard, src/test/resources/lint/boards/grafana.json"
  })
  void isAsItWas(String name, String words) throws IOException {
    String[] typed = ("lint " + words).split(" ");
    FrozenWords.check("lint/" + name, CommandRun.of(typed));
    FrozenWords.check("lint/" + name + "-verbose", account(typed));
    CommandRun json = CommandRun.of(with(typed, "--format", "json"));
    FrozenWords.checkJson("lint/" + name, json.output());
  }

  @Test
  void sarifIsAsItWas() throws IOException {
    FrozenWords.checkJson(
        "lint/errors.sarif",
        CommandRun.of("lint", "src/test/resources/lint/guide.yaml", "--format", "sarif").output());
  }

  private static String account(String[] typed) {
    CommandRun run = CommandRun.of(with(typed, "--verbose"));
    return FrozenWords.account(run.output()) + "\nexit " + run.code();
  }

  private static String[] with(String[] typed, String... more) {
    String[] all = java.util.Arrays.copyOf(typed, typed.length + more.length);
    System.arraycopy(more, 0, all, typed.length, more.length);
    return all;
  }
}
