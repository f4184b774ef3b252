package tallystick.cli.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.cli.CommandRun;

class BacktestCommandTest {
  private static final String SAMPLE = "reports/sample";

  @TempDir private Path folder;

  @Test
  void saysOfEachAlertWhatItIsWorthOnOneScreen() throws IOException {
    CommandRun run = CommandRun.of("backtest", rules(), SAMPLE, "--evaluation-interval", "5s");
    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("backtest   " + rules(), "1 run", "of which users suffered", "VERDICT  ")
        .doesNotContain("simulated")
        .contains("cannot tell: in these runs users were never well")
        .containsPattern("Always .* no good period")
        .containsPattern("NoSuchThing +- .* - +no such series")
        .containsPattern("Never +- .* - +not tested")
        .contains("Broken is left out", "NEXT     ./tally backtest ", "# every firing");
    assertThat(run.output().lines()).hasSizeLessThan(25).allMatch(line -> line.length() <= 80);
  }

  @Test
  void aSimulatedRunIsARehearsal() throws IOException {
    CommandRun made =
        CommandRun.of(
            "simulate", "scenarios/quickstart.yaml", "--set", "duration=10s", "--no-report",
            "--out", folder.toString());
    assertThat(made.code()).as(made.output()).isIn(0, 1, 5);
    String run = CommandRun.onlyRun(folder).toString();
    assertThat(CommandRun.of("backtest", rules(), run).output())
        .contains("simulated engine: a rehearsal", "these figures do not describe real");
  }

  @Test
  void aRunThatWasCutOffIsToldAsFarAsItsRecordReaches() throws IOException {
    CommandRun made =
        CommandRun.of(
            "simulate", "scenarios/quickstart.yaml", "--set", "duration=90s", "--no-report",
            "--out", folder.toString());
    assertThat(made.code()).as(made.output()).isIn(0, 1, 5);
    Path run = CommandRun.onlyRun(folder);
    Path scrapes = run.resolve("record/scrapes.ndjson");
    List<String> lines = Files.readAllLines(scrapes);
    Files.write(scrapes, lines.subList(0, lines.size() - 45));
    Path manifest = run.resolve("record/manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"completed\"", "\"open\""));

    CommandRun told = CommandRun.of("backtest", rules(), run.toString());

    assertThat(told.output().replaceAll("\\s+", " "))
        .contains("did not reach its planned end: replayed over its first 30 s")
        .contains("1 run 30 s, of which");
  }

  @Test
  void theWholeAccountHoldsEveryFiringForEveryPrometheus() throws IOException {
    CommandRun run = CommandRun.of("backtest", rules(), SAMPLE, "--alone", "--verbose");
    assertThat(run.output().replaceAll("\\s+", " "))
        .contains("As Prometheus 2.42 would have fired:", "As Prometheus 3.x would have fired:")
        .contains("no series in these runs for vllm:no_such_thing");
  }

  @Test
  void aMissingFileOrRunIsTheUsersMistake() throws IOException {
    assertThat(CommandRun.of("backtest", "nowhere.yaml", SAMPLE).code()).isEqualTo(2);
    CommandRun run = CommandRun.of("backtest", rules(), folder.resolve("none").toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains("there is no folder");
    CommandRun often = CommandRun.of("backtest", rules(), SAMPLE, "--scrape-interval", "0");
    assertThat(often.code()).isEqualTo(2);
  }

  @Test
  void theRunNamedBeforeTheRulesIsTurnedRound() throws IOException {
    CommandRun run = CommandRun.of("backtest", SAMPLE, rules());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output().replaceAll("\\s+", " "))
        .contains("the rules come first: ./tally backtest " + rules() + " " + SAMPLE);
  }

  private String rules() throws IOException {
    return Files.writeString(
            folder.resolve("r.yaml"),
            """
            groups:
            - name: a
              rules:
              - {alert: Always, expr: vector(1)}
              - {alert: NoSuchThing, expr: "vllm:no_such_thing > 1"}
              - {alert: Never, expr: "vllm:num_requests_waiting > 1e9"}
              - {alert: Broken, expr: "rate(("}
            """)
        .toString();
  }
}
