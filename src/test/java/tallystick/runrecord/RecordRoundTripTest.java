package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.plan.Settings;
import tallystick.plan.SharedPrefix;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest.Ending.State;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Objective;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;
import tallystick.scenario.Target;

class RecordRoundTripTest {
  @TempDir Path run;

  @Test
  void readsBackTheRowsItWrote() throws Exception {
    RequestRow full = requestRow(0, new int[] {1, 3, -1});
    RequestRow uniform = requestRow(1, new int[] {1, 1, 1});
    RecordWriter writer = open();
    writer.offer(full);
    writer.offer(uniform);
    writer.offer(new Mark(5, Mark.Kind.WINDOW_ORIGIN, "x"));
    writer.offer(new HarnessRow.Cpu(6, 0.5, Double.NaN));
    writer.offer(new HarnessRow.WakeUps(7, 5_000_000L, List.of(0L, 61_000L)));
    writer.close(State.COMPLETED, "");

    RecordReader reader = RecordReader.open(run);
    List<RequestRow> requests = new ArrayList<>();
    reader.eachRequest(requests::add);
    List<HarnessRow> harness = new ArrayList<>();
    reader.eachHarness(harness::add);

    assertThat(requests)
        .usingRecursiveComparison()
        .withEqualsForType(Double::equals, Double.class)
        .isEqualTo(List.of(full, uniform));
    assertThat(harness)
        .containsExactly(
            new Mark(5, Mark.Kind.WINDOW_ORIGIN, "x"),
            new HarnessRow.Cpu(6, 0.5, Double.NaN),
            new HarnessRow.WakeUps(7, 5_000_000L, List.of(0L, 61_000L)));
    assertThat(reader.manifest().isComplete()).isTrue();
    assertThat(reader.manifest().ending().requestRows()).isEqualTo(2);
    assertThat(reader.faults()).isEmpty();
    assertThat(reader.plannedRequests()).isEqualTo(1);
  }

  @Test
  void restoresUnchangedSeriesAndForgetsGoneOnes() throws Exception {
    Series a = Series.of("vllm:a_total", Map.of("engine", "0"), Series.Type.COUNTER);
    Series b = Series.of("vllm:b", Map.of(), Series.Type.GAUGE);
    ScrapeRow first =
        new ScrapeRow(0, 1, 2, List.of(new Sample(a, 7), new Sample(b, Double.NaN)), "");
    ScrapeRow failed = new ScrapeRow(0, 3, 4, List.of(), "connection refused");
    ScrapeRow same =
        new ScrapeRow(0, 5, 6, List.of(new Sample(a, 7), new Sample(b, 0.1 + 0.2)), "");
    ScrapeRow gone = new ScrapeRow(0, 7, 8, List.of(new Sample(a, 1e300)), "");
    ScrapeRow other =
        new ScrapeRow(1, 9, 10, List.of(new Sample(a, -0.0)), "", 1_700_000_000L, 2);
    RecordWriter writer = open();
    List<ScrapeRow> rows = List.of(first, failed, same, gone, other);
    rows.forEach(writer::offer);
    writer.close(State.COMPLETED, "");

    List<ScrapeRow> read = new ArrayList<>();
    RecordReader.open(run).eachScrape(read::add);

    assertThat(read).isEqualTo(rows);
    assertThat(Files.readAllLines(RecordFiles.ofRun(run).scrapes()))
        .as("three series lines and five scrapes")
        .hasSize(8);
  }

  @Test
  void keepsWhatComesGoesAndComesBackBetweenOthers() throws Exception {
    List<Series> all =
        Stream.of("a", "b", "c", "d", "e")
            .map(name -> Series.of("vllm:" + name, Map.of(), Series.Type.GAUGE))
            .toList();
    List<int[]> shown =
        List.of(
            new int[] {0, 1, 3}, new int[] {0, 1, 2, 3}, new int[] {0, 3}, new int[] {},
            new int[] {0, 1, 2, 3, 4}, new int[] {1, 4}, new int[] {0, 1, 4});
    List<ScrapeRow> rows = new ArrayList<>();
    for (int[] each : shown) {
      boolean isSpeltAnew = rows.size() % 2 == 1;
      List<Sample> samples =
          Arrays.stream(each).mapToObj(all::get)
              .map(s -> isSpeltAnew ? new Series(s.name(), s.labels(), s.type()) : s)
              .map(series -> new Sample(series, 7))
              .toList();
      rows.add(new ScrapeRow(0, rows.size(), rows.size(), samples, ""));
    }
    RecordWriter writer = open();
    rows.forEach(writer::offer);
    writer.close(State.COMPLETED, "");

    List<Set<Sample>> read = new ArrayList<>();
    RecordReader.open(run).eachScrape(row -> read.add(Set.copyOf(row.samples())));

    assertThat(read).isEqualTo(rows.stream().map(row -> Set.copyOf(row.samples())).toList());
    assertThat(Files.readAllLines(RecordFiles.ofRun(run).scrapes()))
        .as("five series are named once each, and a value that came back is written again")
        .hasSize(5 + rows.size())
        .filteredOn(line -> line.contains("\"id\":["))
        .extracting(line -> line.replaceAll(".*\"id\":\\[(.*?)].*", "$1"))
        .containsExactly("0,1,2", "3", "", "", "0,1,3,2,4", "", "0");
  }

  @Test
  void readsBackSpansAndKeepsNoFileWhereNoneCame() throws Exception {
    SpanRow full = new SpanRow(TraceId.of("id-0"), "ff", 0, 1e-7, 2.5, 2.6, 0.1, 2.7, 10, 4);
    SpanRow bare =
        new SpanRow(
            TraceId.of("id-1"), "fe", Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
            Double.NaN, RequestRow.UNKNOWN, RequestRow.UNKNOWN);
    RecordWriter writer = open();
    writer.offer(full);
    writer.offer(bare);
    writer.close(State.COMPLETED, "");
    RecordReader reader = RecordReader.open(run);
    List<SpanRow> read = new ArrayList<>();
    reader.eachSpan(read::add);
    assertThat(read).containsExactly(full, bare);

    Files.delete(RecordFiles.ofRun(run).traces());
    open().close(State.COMPLETED, "");
    assertThat(RecordFiles.ofRun(run).traces()).doesNotExist();
    reader.eachSpan(read::add);
    assertThat(read).hasSize(2);
    assertThat(reader.faults()).isEmpty();
  }

  @Test
  void aDamagedSpanIsLeftOutAndNamed() throws Exception {
    open().close(State.COMPLETED, "");
    Files.writeString(
        RecordFiles.ofRun(run).traces(), "{\"trace_id\":\"zz\"}\n{}\n{\"trace_id\":\"0");
    RecordReader reader = RecordReader.open(run);
    List<SpanRow> read = new ArrayList<>();
    reader.eachSpan(read::add);
    assertThat(read).isEmpty();
    assertThat(reader.faults()).hasSize(3);
  }

  @Test
  void aKilledRecordIsReadableUpToItsLastWholeLine() throws Exception {
    RecordWriter writer = open();
    writer.offer(requestRow(0, new int[] {1, 1, 1}));
    writer.close(State.COMPLETED, "");
    Path requests = RecordFiles.ofRun(run).requests();
    Files.writeString(requests, "{\"index\":1,\"phase\":\"ma", StandardOpenOption.APPEND);

    RecordReader reader = RecordReader.open(run);
    List<RequestRow> read = new ArrayList<>();
    reader.eachRequest(read::add);

    assertThat(read).hasSize(1);
    assertThat(reader.faults())
        .containsExactly("requests.ndjson:2 is cut or damaged and was left out");
  }

  @Test
  void aNewerManifestIsRefusedInWords() throws Exception {
    open().close(State.COMPLETED, "");
    Files.writeString(RecordFiles.ofRun(run).manifest(), "{\"format_version\":99}");
    assertThatThrownBy(() -> RecordReader.open(run)).hasMessageContaining("use a newer tally");
  }

  @Test
  void ofADamagedManifestTheWholeFieldsBeforeTheCutAreKept() throws Exception {
    open().close(State.COMPLETED, "");
    Path manifest = RecordFiles.ofRun(run).manifest();
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.substring(0, text.indexOf("\"seed\" : 1") + 10));

    RecordReader reader = RecordReader.open(run);

    assertThat(reader.unknowns()).hasSize(1).first().asString().startsWith("manifest.json");
    assertThat(reader.manifest().scenario()).isEqualTo("x");
    assertThat(reader.manifest().source()).isEqualTo(Manifest.Source.EMBEDDED);
    assertThat(reader.manifest().seed()).as("the number may go on behind the cut").isZero();
    assertThat(reader.manifest().ending().state()).isEqualTo(State.OPEN);
    assertThat(reader.settings().timing().scrapeIntervalNanos()).as("from the plan").isEqualTo(1);
  }

  @Test
  void aPlanKeepsEveryKindOfPrompt() throws Exception {
    PlannedRequest shared =
        PlannedRequest.simple(
            1, "main", 10, new Prompt.Synthetic(64, List.of(new SharedPrefix(3, 32))), 8);
    PlannedRequest text =
        PlannedRequest.simple(
            2, "main", 20, new Prompt.Text(List.of(new Prompt.Message("user", "hi \"you\""))), 8);
    Plan plan = new Plan(settings(), List.of(shared, text));
    Path file = run.resolve("plan.json");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlanJson.write(plan, bytes);
    Files.write(file, bytes.toByteArray());

    assertThat(PlanJson.read(file)).isEqualTo(plan);
    assertThat(PlanJson.readHead(file).requestCount()).isEqualTo(2);
  }

  /** Each part of the second request is another than that of a plain one. */
  @Test
  void aRecordsPlanKeepsAllThatARequestIs() throws Exception {
    PlannedRequest plain = PlannedRequest.simple(0, "main", 10, Prompt.Synthetic.unique(64), 8);
    PlannedRequest other =
        new PlannedRequest(
            1, "main", "chat", 5, 3, PlannedRequest.AFTER_PREVIOUS, 7, Prompt.Synthetic.unique(9),
            2, 3, 1, new PlannedRequest.Cancel(4, 6), true, 2, List.of(0, 2), true);
    Plan plan = new Plan(settings(), List.of(plain, other));
    Path file = run.resolve("plan.json");

    PlanJson.write(plan, file);

    assertThat(PlanJson.read(file)).isEqualTo(plan);
  }

  private RecordWriter open() throws IOException {
    RecordFiles files = RecordFiles.ofRun(run);
    Files.createDirectories(files.folder());
    Plan plan =
        new Plan(
            settings(),
            List.of(
                PlannedRequest.simple(0, "warmup", 0, Prompt.Synthetic.unique(4), 4),
                PlannedRequest.simple(1, "main", 0, Prompt.Synthetic.unique(4), 4)));
    try (var out = Files.newOutputStream(files.plan())) {
      PlanJson.write(plan, out);
    }
    return RecordWriter.open(files, manifest(), RunClock.start());
  }

  private static Settings settings() {
    return new Settings(
        "x", 1, Endpoint.COMPLETIONS, "", List.of(Target.at("http://127.0.0.1:1")),
        LoopShape.OPEN, 0,
        List.of(new Phase("warmup", true, 0, 1, 0), new Phase("main", false, 0, 10, 4)),
        List.of(new Objective(Objective.Metric.TTFT, 0.5, 0.99, "")),
        new Settings.Timing(10, 1, 5),
        new RequestForm(true, false, true, "{}", Map.of()),
        Map.of("gpu", "none"),
        List.of(),
        Scenario.Access.PLAIN,
        Scenario.StopRules.NEVER,
        List.of());
  }

  private static Manifest manifest() {
    return new Manifest(
        Manifest.CURRENT_FORMAT, "run-1", "x", Manifest.Source.EMBEDDED, 1, "n", "m",
        List.of(Target.at("http://127.0.0.1:1")), Map.of(), Map.of("tally", "1"), Map.of(),
        new Manifest.Clock(1, 0, 0), Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }

  private static RequestRow requestRow(int index, int[] tokens) {
    return new RequestRow(
        index, "main", "default", index, 0, "id-" + index, 64, 8,
        new RequestRow.Times(10, 11, RequestRow.NEVER, RequestRow.NEVER, 13, 14, 15, 99,
            RequestRow.NEVER),
        new RequestRow.Chunks(new long[] {20, 30, 31}, tokens, 1, 7, 2),
        new RequestRow.Usage(64, 8, RequestRow.UNKNOWN, 5),
        new RequestRow.Ending(Outcome.OK, 200, "length", ""),
        new RequestRow.EngineTimings(0.001, 0.25, Double.NaN, 3e-3));
  }
}
