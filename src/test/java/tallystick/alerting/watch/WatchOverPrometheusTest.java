package tallystick.alerting.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.alerting.BackfilledPrometheus;
import tallystick.alerting.RuleFile;
import tallystick.cli.CommandRun;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;

/** The whole command over a real Prometheus says what our own evaluator finds in the samples. */
@NeedsProgram("promtool")
class WatchOverPrometheusTest {
  private static final long END = MadeHistory.START + 2 * MadeHistory.DAY;

  @TempDir private Path folder;

  @Test
  void aRealPrometheusTellsTheSame() throws Exception {
    MadeHistory made =
        new MadeHistory(MadeHistory.twoDays().store(), BackfilledPrometheus.version());
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, MadeHistory.RULES);
    try (BackfilledPrometheus prometheus = BackfilledPrometheus.of(moved(made.store()), folder)) {
      prometheus.answer("vector(1)", 0); // waits until it answers
      StringWriter out = new StringWriter();
      int code =
          CommandRun.line()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(new StringWriter()))
              .execute(
                  "watch", rules.toString(), "--prometheus", prometheus.url(), "--range", "2d",
                  "--until", Instant.ofEpochMilli(END).toString(), "--json");
      JsonNode found = new ObjectMapper().readTree(out.toString());
      Watched ours =
          new Watch(
                  made,
                  WatchedRules.of(
                      RuleFile.read("rules.yaml", MadeHistory.RULES), MadeHistory.RULES, 30_000),
                  END, 2 * MadeHistory.DAY, done -> {})
              .of(prometheus.url(), Optional.empty(), List.of());

      assertThat(code).isEqualTo(1);
      assertThat(found.path("verdict").asText()).isEqualTo("stale");
      for (int i = 0; i < ours.firings().size(); i++) {
        List<WatchedFirings.Time> times = ours.firings().get(i).times();
        JsonNode theirs = found.path("alerts").path(i).path("times");
        assertThat(theirs).hasSize(times.size());
        for (int at = 0; at < times.size(); at++) {
          assertThat(theirs.path(at).path("from_millis").asLong())
              .isEqualTo(times.get(at).fromMillis());
          assertThat(theirs.path(at).path("to_millis").asLong())
              .isEqualTo(times.get(at).toMillis());
        }
      }
      assertThat(found.path("well_seconds").asDouble())
          .isEqualTo(ours.users().seconds(Users.State.WELL));
      assertThat(found.path("requests").asLong()).isEqualTo(ours.users().requests(false));
      assertThat(found.at("/envelopes/0/days/1/above").asDouble())
          .isEqualTo(ours.envelopes().getFirst().days().get(1).above(), within(1e-9));
      assertThat(found.at("/traffic/days/1/prompt_tokens").asDouble())
          .isEqualTo(ours.traffic().days().get(1).promptTokens(), within(1e-6));
    }
  }

  /** A backfilled Prometheus adds its epoch to every time. */
  private static SeriesStore moved(SeriesStore store) {
    SeriesStore moved = new SeriesStore();
    for (StoredSeries series : store.all()) {
      for (int i = 0; i < series.size(); i++) {
        moved.append(
            series.labels(), series.millis(i) - BackfilledPrometheus.EPOCH_SECONDS * 1000,
            series.value(i));
      }
    }
    return moved;
  }
}
