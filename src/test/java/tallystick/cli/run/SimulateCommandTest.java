package tallystick.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.cli.CommandRun;
import tallystick.runrecord.Outcome;
import tallystick.plan.Phase;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;

class SimulateCommandTest {
  @TempDir private Path folder;

  @Test
  void oneSeedGivesOneRecord() throws IOException {
    Path first = simulate("one", "--seed", "5");
    Path second = simulate("two", "--seed", "5");
    Path other = simulate("three", "--seed", "6");
    for (String file : List.of("requests.ndjson", "scrapes.ndjson", "harness.ndjson")) {
      assertThat(first.resolve(file)).hasSameBinaryContentAs(second.resolve(file));
    }
    assertThat(Files.mismatch(first.resolve("requests.ndjson"), other.resolve("requests.ndjson")))
        .isNotNegative();
  }

  /** Two sub-agents at once, and a call of who called them after both. */
  @Test
  void subAgentsAreWaitedForInVirtualTimeToo() throws IOException {
    String call = "{\"t\":%s,\"type\":\"n\",\"in\":30,\"out\":8,\"api_time\":1}";
    String agent = "{\"t\":1.5,\"type\":\"subagent\",\"requests\":[%s]}";
    Files.writeString(
        folder.resolve("weka.jsonl"),
        "{\"id\":\"s\",\"block_size\":64,\"requests\":["
            + String.join(
                ",", call.formatted("0"), agent.formatted(call.formatted("2")),
                agent.formatted(call.formatted("2.5")), call.formatted("5"))
            + "]}\n");
    Path scenario =
        Files.writeString(
            folder.resolve("agents.yaml"),
            "workload: {rate: 2, dataset: {file: weka.jsonl}}\nrequests: 40\n"
                + "warmup: {requests: 0}\nobjectives: [{session_time: 60s, share: 0.9}]\n");
    Path out = folder.resolve("agents");
    CommandRun ran =
        CommandRun.of("simulate", scenario.toString(), "--out", out.toString());

    assertThat(ran.code()).as(ran.output()).isZero();
    assertThat(ran.output()).contains("10 of 10 completed", "Session time");
    List<RequestRow> rows = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out)).eachRequest(rows::add);
    rows.sort(Comparator.comparingInt(RequestRow::index));
    for (int i = 0; i < rows.size(); i += 4) {
      long first = rows.get(i).times().ended();
      long both =
          Math.max(rows.get(i + 1).times().ended(), rows.get(i + 2).times().ended());
      assertThat(rows.get(i + 1).times().intended() - first).isEqualTo(1_000_000_000L);
      assertThat(rows.get(i + 2).times().intended() - first).isEqualTo(1_500_000_000L);
      assertThat(rows.get(i + 3).times().intended() - both).isEqualTo(1_500_000_000L);
    }
  }

  @Test
  void usersOfAClosedLoopThinkBeforeTheyAskAgain() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("think.yaml"),
            "workload: {concurrency: 4, think_time: 2s, prompt_tokens: 100, output_tokens: 50}\n"
                + "duration: 30s\n");
    Path out = folder.resolve("think");
    CommandRun ran = CommandRun.of("simulate", scenario.toString(), "--out", out.toString());
    assertThat(ran.code()).as(ran.output()).isZero();
    List<RequestRow> rows = new ArrayList<>();
    RecordReader.open(CommandRun.onlyRun(out))
        .eachRequest(row -> Optional.of(row).filter(SimulateCommandTest::isMeasured)
            .ifPresent(rows::add));
    long origin = rows.stream().mapToLong(row -> row.times().intended()).min().orElseThrow();
    for (RequestRow row : rows) {
      long intended = row.times().intended();
      assertThat(intended - origin).isLessThan(30_000_000_000L);
      assertThat(
              intended == origin
                  || rows.stream().anyMatch(
                      one -> one.times().ended() + 2_000_000_000L == intended))
          .isTrue();
    }
    double each = rows.stream().mapToLong(row -> row.times().ended() - row.times().intended())
        .average().orElseThrow() / 1e9;
    assertThat((double) rows.size()).isCloseTo(4 * 30 / (2 + each), withinPercentage(10));
  }

  /** Who would think beyond the end leaves what it took: no row is lost, and none is too few. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "think_time: {exponential: 2s}", "think_time: {uniform: [0s, 8s]}", "think_time: 10s",
        "think_time: 100s",
        "think_time: {exponential: 3s}, conversation: {turns: 20, think_time: 100ms}"
      })
  void whoThinksBeyondTheEndMakesNoRunInvalid(String think) throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("think.yaml"),
            "workload: {concurrency: 4, prompt_tokens: 20, output_tokens: 5, " + think + "}\n"
                + "duration: 30s\n");
    for (String seed : List.of("1", "2", "3")) {
      CommandRun ran =
          CommandRun.of(
              "simulate", scenario.toString(), "--seed", seed, "--out",
              folder.resolve(seed).toString());
      assertThat(ran.code()).as(ran.output()).isZero();
      assertThat(ran.output()).contains("TRUST    yes").doesNotContain("nothing left to send");
    }
  }

  private static boolean isMeasured(RequestRow row) {
    return !row.phase().equals(Phase.WARMUP);
  }

  /** The plan lets every client leave: nothing failed, and the exit code is as the screen says. */
  @Test
  void whoeverLeavesAsPlannedFailsNothing() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("leave.yaml"),
            "workload: {rate: 3, prompt_tokens: 100, output_tokens: 50,"
                + " cancel: {share: 1, after: 100ms}}\nduration: 30s\n"
                + "objectives: [{ttft: 1s, share: 0.9}]\n");
    CommandRun ran =
        CommandRun.of(
            "simulate", scenario.toString(), "--out", folder.resolve("leave").toString());
    assertThat(ran.output()).contains("MET ", "client cancelled").doesNotContain(" ok ");
    assertThat(ran.code()).as(ran.output()).isZero();
  }

  /** A rate of conversations is one of sessions, and good requests a second are requests. */
  @Test
  void aStepOfConversationsHoldsSessions() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("talk.yaml"),
            "workload: {rate: {steps: [{name: a, rate: 1, for: 30s}, {name: b, rate: 2, for: 30s}"
                + "]}, prompt_tokens: 50, output_tokens: 20, conversation: {turns: 3}}\n"
                + "objectives: [{ttft: 1s, share: 0.9}]\n");
    Path out = folder.resolve("talk");
    CommandRun ran = CommandRun.of("simulate", scenario.toString(), "--out", out.toString());
    assertThat(ran.output()).contains("HOLDS    2.00 sessions/s");
    JsonNode step =
        CommandRun.json(Files.readString(CommandRun.onlyRun(out).resolve("analysis.json")))
            .at("/phases/1");
    double seconds = step.at("/end_seconds").asDouble() - step.at("/start_seconds").asDouble();
    assertThat(step.at("/goodput/requests_per_second").asDouble())
        .isCloseTo(step.at("/goodput/good").asDouble() / seconds, withinPercentage(1));
  }

  /** A step shows what is asked for; where nothing is asked nothing is judged. */
  @Test
  void aStepShowsTheQuantityThatIsAskedFor() throws IOException {
    String load =
        "workload: {rate: {steps: [{name: a, rate: 2, for: 60s}, {name: b, rate: 4, for: 60s}]},"
            + " prompt_tokens: 50, output_tokens: 20}\n";
    Path asked = folder.resolve("asked.yaml");
    Files.writeString(asked, load + "objectives: [{e2e: 1s, share: 0.9}]\n");
    String out = folder.resolve("steps").toString();
    assertThat(CommandRun.of("simulate", asked.toString(), "--out", out).output())
        .containsPattern("phase +offered/s .* E2E P90 +good +good/s +verdict")
        .contains("the highest tried");
    Files.writeString(asked, load);
    assertThat(CommandRun.of("simulate", asked.toString(), "--out", out).output())
        .containsPattern("phase +offered/s .* TTFT P95\n")
        .doesNotContain("n/a", "tally alerts");
  }

  /** A place among those in flight is waited for, and nobody is told that all went on time. */
  @Test
  void whatALimitOnRequestsInFlightHeldBackIsTold() throws IOException {
    Path scenario =
        Files.writeString(
            folder.resolve("cap.yaml"),
            "workload: {rate: 20, concurrency: 4, prompt_tokens: 300, output_tokens: 64}\n"
                + "duration: 15s\nobjectives: [{ttft: 500ms, share: 0.9}]\n");
    String said =
        CommandRun.of("simulate", scenario.toString(), "--out", folder.resolve("cap").toString())
            .output().replaceAll("\\s+", " ");
    assertThat(said)
        .contains("The limit on requests in flight held them back by up to ")
        .contains("raise workload.concurrency, or lower the rate");
  }

  @Test
  void theRecordIsClosedAndHoldsEveryPlannedRequest() throws IOException {
    Path record = simulate("whole");
    RecordReader rows = RecordReader.open(record.getParent());
    long[] tokens = {0, 0};
    rows.eachRequest(row -> count(row, tokens));
    assertThat(rows.manifest().isComplete()).isTrue();
    assertThat(rows.manifest().source().isSimulated()).isTrue();
    assertThat(tokens[0]).isEqualTo(256);
    assertThat(tokens[1]).isEqualTo(256L * 200);
  }

  @Test
  void aPlanThatTheEngineCannotHoldGivesFailedRowsNotACrash() throws IOException {
    Path record = simulate("long", "--engine-max-model-len", "60");
    RecordReader rows = RecordReader.open(record.getParent());
    rows.eachRequest(row -> assertThat(row.ending().status()).isEqualTo(400));
  }

  @Test
  void aShareOfTheRequestsIsRefusedAsTheFaultSays() throws IOException {
    List<RequestRow> rows = rows(simulate("503", "--fault", "http503:p=0.3"));
    long refused = rows.stream().filter(row -> row.ending().status() == 503).count();
    assertThat(rows).hasSize(256);
    assertThat(refused).isBetween(40L, 115L);
    assertThat(rows.stream().filter(row -> row.ending().outcome() == Outcome.OK).count())
        .isEqualTo(256 - refused);
  }

  @Test
  void everyAnswerIsCutAfterTheEventsThatTheFaultSays() throws IOException {
    Path record = simulate("cut", "--fault", "cut:after=5");
    assertThat(rows(record))
        .hasSize(256)
        .allSatisfy(row -> {
          assertThat(row.ending().outcome()).isEqualTo(Outcome.CUT_MID_STREAM);
          assertThat(row.chunks().size()).isEqualTo(5);
        });
    String chat = "endpoint=chat/completions";
    assertThat(rows(simulate("at-once", "--fault", "cut:after=1", "--set", chat)))
        .allSatisfy(row -> assertThat(row.chunks().size()).isZero());
  }

  @Test
  void oneTokenIsLostOnItsWayAsTheFaultSays() throws IOException {
    long[] tokens = {0, 0};
    rows(simulate("lost", "--fault", "drop-token:at=100")).forEach(row -> count(row, tokens));
    assertThat(tokens[1]).isEqualTo(256L * 200 - 1);
  }

  @Test
  void scrapesFailAndStandStillAsTheFaultsSay() throws IOException {
    List<ScrapeRow> hole = new ArrayList<>();
    RecordReader.open(simulate("hole", "--fault", "metrics-hole:after=1s,for=2s").getParent())
        .eachScrape(hole::add);
    assertThat(hole.stream().filter(row -> !row.isGood()))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.error()).isEqualTo("HTTP 503"));
    List<ScrapeRow> frozen = new ArrayList<>();
    RecordReader.open(simulate("frozen", "--fault", "frozen-metrics:after=1s,for=2s").getParent())
        .eachScrape(frozen::add);
    long still =
        IntStream.range(1, frozen.size())
            .filter(i -> frozen.get(i).samples().equals(frozen.get(i - 1).samples()))
            .count();
    assertThat(still).isGreaterThanOrEqualTo(14);
    List<ScrapeRow> late = new ArrayList<>();
    RecordReader.open(simulate("late", "--fault", "late-families").getParent())
        .eachScrape(late::add);
    assertThat(late.get(0).samples()).isEmpty();
    assertThat(late.get(late.size() - 1).samples()).isNotEmpty();
  }

  @Test
  void runsOfOneSecondAndSeedHaveAFolderEach() throws IOException {
    Clock still = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    Path first = RunFolder.create(folder, "twice", "00000000cafe", still);
    Path second = RunFolder.create(folder, "twice", "00000000cafe", still);
    Path third = RunFolder.create(folder, "twice", "00000000cafe", still);
    assertThat(List.of(first, second, third))
        .extracting(path -> path.getFileName().toString())
        .containsExactly(
            "twice-19700101-000000-cafe",
            "twice-19700101-000000-cafe-2",
            "twice-19700101-000000-cafe-3");
    assertThat(second).isDirectory();
  }

  @Test
  void aPlanWithoutARequestInItsWindowIsRefused() {
    for (String command : List.of("simulate", "plan", "run")) {
      CommandRun ran =
          CommandRun.of(command, "scenarios/quickstart.yaml", "--set", "duration=10ms");
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.output()).contains("the plan has no request");
    }
  }

  private static List<RequestRow> rows(Path record) throws IOException {
    List<RequestRow> rows = new ArrayList<>();
    RecordReader.open(record.getParent()).eachRequest(rows::add);
    return rows;
  }

  private static void count(RequestRow row, long[] tokens) {
    tokens[0]++;
    for (int chunk : row.chunks().tokens()) {
      tokens[1] += chunk;
    }
  }

  private Path simulate(String name, String... more) throws IOException {
    Path out = folder.resolve(name);
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "simulate", "scenarios/kv-pressure.yaml", "--no-report", "--out",
                    out.toString()),
                Stream.of(more))
            .toList();
    assertThat(CommandRun.of(arguments.toArray(String[]::new)).code()).isZero();
    try (Stream<Path> runs = Files.list(out)) {
      return runs.filter(Files::isDirectory).findFirst().orElseThrow().resolve("record");
    }
  }
}
