package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EmbeddedEngine;
import tallystick.simengine.EngineSettings;

/** Several load processes, one engine, one run. */
class ShardsIT {
  /** Leads to a common start, in seconds: a busy machine needs the longer ones. */
  private static final int[] LEADS = {20, 60, 100};

  private static final String OPEN =
      """
      name: sharded
      endpoint: completions
      workload:
        arrival: poisson
        rate: 40
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [2, 10]}
      duration: 1500ms
      scrape_interval: 100ms
      timeout: 30s
      """;

  private static final String CLOSED =
      OPEN.replace("arrival: poisson\n  rate: 40", "arrival: closed\n  concurrency: 5")
          .replace("duration: 1500ms", "requests: 60\nwarmup: {requests: 10}");

  @TempDir Path folder;

  private final List<String> said = new ArrayList<>();

  /** Each shard leaves another part of the plan unsent. */
  @Test
  void aClosedLoopThatTimeEndsLacksNoRows() throws Exception {
    JsonNode analysis =
        run(CLOSED.replace("requests: 60", "duration: 2s").replace("{requests: 10}", "1s"), 2);

    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(analysis.path("findings").findValuesAsText("code"))
        .doesNotContain("requests_without_row");
  }

  @Test
  void twoShardsSendTheScheduleOfOneMachineAndTheLedgerCloses() throws Exception {
    JsonNode analysis = run(OPEN, 2);

    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(analysis.at("/counts/ok").asLong())
        .isPositive()
        .isEqualTo(analysis.at("/counts/planned").asLong());
    RecordReader record = RecordReader.open(merged());
    Plan plan = PlanJson.read(RecordFiles.ofRun(merged()).plan());
    Map<Integer, RequestRow> rows = rows(record);
    long origin = origin(record);
    assertThat(rows).hasSize(plan.requests().size());
    for (PlannedRequest request : plan.requests()) {
      if (request.isWarmup()) {
        continue;
      }
      RequestRow row = rows.get(request.index());
      assertThat(row.times().intended() - origin).isEqualTo(request.offsetNanos());
      assertThat(row.requestId())
          .isEqualTo(record.manifest().runId() + "-" + request.index());
    }
  }

  @Test
  @Tag("stress")
  void threeShardsOfAClosedLoopSendEveryRequestOnce() throws Exception {
    JsonNode analysis = run(CLOSED, 3);

    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(analysis.at("/counts/ok").asLong()).isEqualTo(60);
    assertThat(rows(RecordReader.open(merged()))).hasSize(70);
  }

  /** One shard reads the list and scrapes; the others have nobody to scrape, and still send. */
  @Test
  @Tag("stress")
  void shardsBeforeEnginesOfAListAreOneRun() throws Exception {
    JsonNode analysis;
    try (EmbeddedEngine one = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
        EmbeddedEngine other = EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0);
        RoundRobinRouter router = RoundRobinRouter.before(one.url(), other.url())) {
      String hosts = "\"%s\", \"%s\"".formatted(host(one), host(other));
      Files.writeString(folder.resolve("engines.json"), "[{\"targets\": [" + hosts + "]}]");
      analysis = run(OPEN + "targets_file: engines.json\n", 2, router.url());
    }
    assertThat(analysis.at("/reconciliation/verdict").asText()).isEqualTo("reconciled");
    assertThat(analysis.at("/counts/ok").asLong())
        .isPositive()
        .isEqualTo(analysis.at("/counts/planned").asLong());
  }

  /** The first shard scrapes, the second does not: what is left of the run differs. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Tag("stress")
  void aShardThatIsKilledIsNamedAndWhatItWroteIsCounted(int killed) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("s.yaml"), OPEN.replace("duration: 1500ms", "duration: 30s"));
    Path shards = folder.resolve("shards");
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      long start = System.currentTimeMillis() / 1000 + 60;
      List<Process> both = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        both.add(shard(file, engine.url(), i, start, shards));
      }
      Path out = shards.resolve("of-" + killed);
      CommandRun.awaitRows(out, 40, both.get(killed)::isAlive);
      both.get(killed).descendants().forEach(ProcessHandle::destroyForcibly);
      both.get(killed).destroyForcibly().waitFor();
      assertThat(both.get(1 - killed).waitFor(150, TimeUnit.SECONDS)).isTrue();
    }
    long written = 0;
    for (int i = 0; i < 2; i++) {
      written +=
          CommandRun.wholeRows(shards.resolve("of-" + i)).stream()
              .filter(row -> !row.path("phase").asText().equals("warmup"))
              .count();
    }
    CommandRun merge =
        CommandRun.of("merge", shards + "/of-0", shards + "/of-1", "--out", merged().toString());
    JsonNode analysis =
        new ObjectMapper().readTree(merged().resolve("analysis.json").toFile());

    assertThat(merge.code()).as(merge.output()).isEqualTo(4);
    assertThat(merge.output())
        .contains("shard " + killed + " of 2 was killed before it closed its record")
        .doesNotContain("wall clock moved");
    assertThat(analysis.at("/counts/ended").asLong()).isEqualTo(written);
    assertThat(analysis.path("findings").findValuesAsText("code"))
        .doesNotContain("rows_out_of_place", "clock_stepped");
  }

  /** A shard as a process of its own, in a folder that only it writes to. */
  private Process shard(Path file, String url, int index, long start, Path shards)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), "tallystick.cli.Tally",
            "run", file.toString(), "--target", url, "--shard", index + "/2", "--start-at",
            Long.toString(start), "--drain", "8s", "--out",
            shards.resolve("of-" + index).toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log-" + index).toFile())
        .start();
  }

  private static String host(EmbeddedEngine engine) {
    return engine.url().replace("http://", "");
  }

  private static Map<Integer, RequestRow> rows(RecordReader record) {
    Map<Integer, RequestRow> rows = new HashMap<>();
    record.eachRequest(row -> assertThat(rows.put(row.index(), row)).isNull());
    return rows;
  }

  private static long origin(RecordReader record) {
    List<Long> origins = new ArrayList<>();
    record.eachHarness(
        row -> {
          if (row instanceof Mark mark && mark.kind() == Mark.Kind.WINDOW_ORIGIN) {
            origins.add(mark.atNanos());
          }
        });
    assertThat(origins).hasSize(1);
    return origins.get(0);
  }

  private Path merged() {
    return folder.resolve("merged");
  }

  /** The analysis of the merged run. A machine too busy to be in time gets more of it. */
  private JsonNode run(String scenario, int count) throws Exception {
    try (EmbeddedEngine engine =
        EmbeddedEngine.start(EngineSettings.defaults(), "127.0.0.1", 0)) {
      return run(scenario, count, engine.url());
    }
  }

  private JsonNode run(String scenario, int count, String url) throws Exception {
    Path file = Files.writeString(folder.resolve("sharded.yaml"), scenario);
    for (int lead : LEADS) {
      Path shards = folder.resolve("shards-" + lead);
      if (shards(file, url, count, lead, shards)) {
        CommandRun merge =
            CommandRun.of("merge", shards.toString(), "--out", merged().toString());
        assertThat(merge.output()).doesNotContain("INVALID  shard");
        return new ObjectMapper().readTree(merged().resolve("analysis.json").toFile());
      }
    }
    throw new AssertionError("no shard was ever in time: " + said);
  }

  /** Plays all shards at once; whether each was in time. */
  private boolean shards(Path file, String url, int count, int lead, Path out)
      throws IOException {
    long start = System.currentTimeMillis() / 1000 + lead;
    List<CompletableFuture<CommandRun>> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String shard = i + "/" + count;
      runs.add(
          CompletableFuture.supplyAsync(
              () ->
                  CommandRun.of(
                      "run", file.toString(), "--target", url, "--shard", shard, "--start-at",
                      Long.toString(start), "--drain", "8s", "--out", out.toString()),
              shardThread -> new Thread(shardThread).start()));
    }
    boolean allInTime = true;
    for (CompletableFuture<CommandRun> run : runs) {
      CommandRun ended = run.join();
      assertThat(ended.code()).as(ended.output()).isIn(0, 2, 4);
      allInTime &= ended.code() == 0;
      said.add(ended.output());
    }
    return allInTime;
  }
}
