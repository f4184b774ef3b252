package tallystick.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.ClockBracket;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.NoRecordException;
import tallystick.runrecord.RecordCheck;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordReader;
import tallystick.runrecord.Shard;
import tallystick.runrecord.ShardJson;
import tallystick.runrecord.WithoutSums;

class MergeTest {
  private static final String OPEN =
      """
      name: open
      endpoint: completions
      workload:
        arrival: poisson
        rate: 20
        prompt_tokens: {uniform: [8, 40]}
        output_tokens: {uniform: [2, 20]}
      duration: 5s
      warmup: {requests: 5}
      scrape_interval: 500ms
      objectives:
        - {ttft: 500ms, share: 0.9}
      """;

  private static final String CONVERSATIONS =
      OPEN.replace("rate: 20", "rate: 6\n  conversation: {turns: 3, think_time: 100ms}");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void aMergedRunIsTheRunOfOneMachine(int count) throws Exception {
    isTheRunOfOneMachine(new SplitRun(folder, OPEN, count).split());
  }

  @Test
  void conversationsAreMergedWhole() throws Exception {
    isTheRunOfOneMachine(new SplitRun(folder, CONVERSATIONS, 3).split());
  }

  private void isTheRunOfOneMachine(SplitRun run) throws Exception {
    assertThat(merge(run)).isEmpty();

    RecordFiles ours = RecordFiles.ofRun(merged());
    RecordFiles theirs = RecordFiles.ofRun(run.wholeFolder());
    assertThat(ours.plan()).hasSameBinaryContentAs(theirs.plan());
    assertThat(ours.scrapes()).hasSameBinaryContentAs(theirs.scrapes());
    assertThat(ours.harness()).hasSameTextualContentAs(theirs.harness());
    assertThat(rows(ours.requests())).containsExactlyInAnyOrderElementsOf(rows(theirs.requests()));
    assertThat(RecordCheck.of(merged()).state()).isEqualTo(RecordCheck.State.WHOLE);
    RunAnalysis merged = Analyzer.analyze(RecordReader.open(merged()));
    RunAnalysis single = Analyzer.analyze(RecordReader.open(run.wholeFolder()));
    assertThat(merged.counts()).isEqualTo(single.counts());
    assertThat(merged.reconciliation()).isEqualTo(single.reconciliation());
    assertThat(merged.objectives()).isEqualTo(single.objectives());
    assertThat(merged.findings()).isEqualTo(single.findings());
    assertThat(merged.client()).usingRecursiveComparison().isEqualTo(single.client());
  }

  /** The checksum of a row is also that of the row before it. */
  private static List<String> rows(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(line -> line.replaceFirst(",\"sum\":\"[0-9a-f]{8}\"}$", "}"))
        .toList();
  }

  @Test
  void aMissingShardMakesTheRunInvalidAndIsNamed() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 3).split();
    List<String> faults = merge(ShardSet.open(List.of(run.shardFolder(0), run.shardFolder(2))));

    assertThat(faults).containsExactly("shard 1 of 3 is missing");
    assertThat(invalid()).anyMatch(text -> text.contains("shard 1 of 3 is missing"));
  }

  @Test
  void aShardThatCameUpLateMakesTheRunInvalidAndIsNamed() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();
    Shard shard = run.shard(1);
    long late = shard.startUtcNanos() - Shard.LEAD_NANOS + 1;
    ShardJson.write(shard.ready(late, shard.clock()), run.files(1).shard());

    assertThat(merge(run)).containsExactly("shard 1 of 2 was not up before the start");
    assertThat(invalid()).anyMatch(text -> text.contains("shard 1 of 2 was not up"));
  }

  /** The first shard may be done before the others: there is no count that they could spoil. */
  @Test
  void whereNoMetricsAreReadNoShardIsTooLateForTheCount() throws Exception {
    for (int first : new int[] {0, 1}) {
      SplitRun run = new SplitRun(folder.resolve("" + first), OPEN, 3).unscraped().split();
      List<Path> given = new ArrayList<>();
      for (int index = first; index < 3; index++) {
        given.add(run.shardFolder(index));
      }
      assertThat(new Merge(ShardSet.open(given)).write(folder.resolve("merged-" + first)))
          .isEqualTo(first == 0 ? List.of() : List.of("shard 0 of 3 is missing"));
    }
  }

  @Test
  void aKilledAndAFailedShardAreNamed() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 3).split();
    run.kill(1);
    run.end(2, Manifest.Ending.State.FAILED, "it stood ready 2.0 s too late");

    assertThat(merge(run))
        .containsExactly(
            "shard 1 of 3 was killed before it closed its record",
            "shard 2 of 3 did not reach its end (it stood ready 2.0 s too late)");
  }

  /** Its manifest does not say when it ended, and the merged run's must not say so either. */
  @Test
  void aFirstShardThatWasKilledSetsNoClock() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).firstStartedLast().split();
    run.kill(0);

    assertThat(merge(run))
        .containsExactly("shard 0 of 2 was killed before it closed its record");
    assertThat(Analyzer.analyze(RecordReader.open(merged())).findings())
        .noneMatch(finding -> finding.code() == Finding.Code.CLOCK_STEPPED);
  }

  @Test
  void clocksFurtherApartThanAScrapeMakeTheRunInvalid() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();
    clock(run, 0.19, 0.21);
    assertThat(ShardSet.open(List.of(run.shards())).faults()).isEmpty();
    assertThat(ShardSet.open(List.of(run.shards())).lines().get(1))
        .contains("clock +0.170 to +0.220 s");

    clock(run, -0.7, -0.6);
    assertThat(merge(run)).containsExactly(
        "the clock of shard 1 of 2 is 0.6 s or more from the first shard's");
  }

  /**
   * A shard whose clock is 200 ms ahead sends its requests that much too early, so the engine's
   * scrapes hold them early; in its own record they stand where the plan has them.
   */
  @Test
  void clocksApartByLessThanAScrapeChangeNothingThatIsCountedOrTimed() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).scrapesLater(-200_000_000L).split();
    clock(run, 0.19, 0.21);

    assertThat(merge(run)).isEmpty();

    RunAnalysis merged = Analyzer.analyze(RecordReader.open(merged()));
    RunAnalysis single = Analyzer.analyze(RecordReader.open(run.wholeFolder()));
    assertThat(merged.counts()).isEqualTo(single.counts());
    assertThat(merged.objectives()).isEqualTo(single.objectives());
    assertThat(merged.reconciliation()).isEqualTo(single.reconciliation());
    assertThat(merged.client()).usingRecursiveComparison().isEqualTo(single.client());
  }

  private static void clock(SplitRun run, double low, double high) throws IOException {
    Shard shard = run.shard(1);
    ShardJson.write(
        shard.ready(shard.readyUtcNanos(), new ClockBracket(low, high, 40)), run.files(1).shard());
  }

  @Test
  void aCutRowIsNamedAndMakesTheRunInvalid() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();
    Path rows = run.files(1).requests();
    String text = Files.readString(rows);
    Files.writeString(rows, text.substring(0, text.length() - 20));

    assertThat(merge(run))
        .hasSize(2)
        .anyMatch(fault -> fault.startsWith("shard 1 of 2: requests.ndjson has"))
        .anyMatch(fault -> fault.matches("shard 1 of 2: requests.ndjson:.*is cut or damaged.*"));
    assertThat(invalid()).anyMatch(text1 -> text1.contains("requests.ndjson holds"));
  }

  @Test
  void aRequestOfAnotherShardIsLeftOutAndNamed() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();
    WithoutSums.in(run.shardFolder(0));
    WithoutSums.in(run.shardFolder(1));
    Files.write(
        run.files(1).requests(),
        Files.readAllBytes(run.files(0).requests()),
        StandardOpenOption.APPEND);

    assertThat(merge(run)).singleElement().asString()
        .contains("shard 1 holds").contains("not its own").contains("left out");
    assertThat(Analyzer.analyze(RecordReader.open(merged())).counts().ended())
        .isEqualTo(Analyzer.analyze(RecordReader.open(run.wholeFolder())).counts().ended());
  }

  @Test
  void whatCannotBelongTogetherIsRefused() throws Exception {
    SplitRun run = new SplitRun(folder.resolve("a"), OPEN, 2).split();
    SplitRun seed = new SplitRun(folder.resolve("b"), OPEN + "seed: 7\n", 2).split();
    SplitRun rate =
        new SplitRun(folder.resolve("c"), OPEN.replace("rate: 20", "rate: 21"), 2).split();
    SplitRun three = new SplitRun(folder.resolve("d"), OPEN, 3).split();

    refuses("seed 1 and 7", run.shardFolder(0), seed.shardFolder(1));
    refuses("another plan.json", run.shardFolder(0), rate.shardFolder(1));
    refuses("number of shards 2 and 3", run.shardFolder(0), three.shardFolder(1));
    refuses("is there twice", run.shards(), three.wholeFolder().resolveSibling("x"));
    refuses("is named again", run.shardFolder(0), run.shardFolder(1), run.shardFolder(0));
    refuses("holds a whole run", run.wholeFolder());
    refuses("holds no shard's record", folder);
    refuses("there is no folder", folder.resolve("nowhere"));
    Files.delete(run.files(1).manifest());
    refuses("has no manifest.json", run.shardFolder(0), run.shardFolder(1));
  }

  /** Run and nonce follow from what was typed and are another too; nobody typed them. */
  @Test
  void aRefusalNamesWhatWasTypedOtherwise() throws Exception {
    SplitRun run = new SplitRun(folder.resolve("a"), OPEN, 2).split();
    SplitRun seed = new SplitRun(folder.resolve("b"), OPEN + "seed: 7\n", 2).split();
    for (SplitRun one : List.of(run, seed)) {
      rewrite(one.files(1).manifest(), "\"nonce\" : \"", "\"nonce\" : \"f");
    }
    refuses("not shards of one run: seed 1 and 7", run.shardFolder(0), seed.shardFolder(1));
    refuses("not shards of one run: nonce", run.shardFolder(0), run.shardFolder(1));

    Shard shard = run.shard(1);
    long window = shard.windowUtcNanos();
    shardFile(run, new Shard(1, 2, shard.startUtcNanos() + 1, window + 1, 0, shard.clock()));
    refuses("not shards of one run: --start-at ", run.shardFolder(0), run.shardFolder(1));
    shardFile(run, new Shard(1, 2, shard.startUtcNanos(), window + 1, 0, shard.clock()));
    refuses("not shards of one run: another --drain", run.shardFolder(0), run.shardFolder(1));
  }

  private static void shardFile(SplitRun run, Shard shard) throws IOException {
    ShardJson.write(shard, run.files(shard.index()).shard());
  }

  private static void rewrite(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  @Test
  void aShardThatStoodReadyTooLateIsToldAfterTheStart() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();
    Shard shard = run.shard(1);
    shardFile(run, shard.ready(shard.startUtcNanos() + 1_500_000_000L, shard.clock()));

    assertThat(ShardSet.open(List.of(run.shards())).lines().get(1))
        .contains("ready 1.5 s after the start");
  }

  @Test
  void aShardAloneIsNoRun() throws Exception {
    SplitRun run = new SplitRun(folder, OPEN, 2).split();

    assertThatThrownBy(() -> RecordReader.open(run.shards()))
        .isInstanceOf(NoRecordException.class)
        .hasMessageContaining("join them with ./tally merge " + run.shards() + " --out RUN");
    assertThatThrownBy(() -> RecordReader.open(run.shardFolder(1)))
        .isInstanceOf(NoRecordException.class)
        .hasMessageContaining("shard 1 of 2, not a whole run")
        .hasMessageContaining("./tally merge");
  }

  private static void refuses(String words, Path... folders) throws IOException {
    if (words.contains("twice")) {
      copy(folders[0].resolve("shard-0"), folders[1]);
      folders = new Path[] {folders[0], folders[1]};
    }
    List<Path> given = List.of(folders);
    assertThatThrownBy(() -> ShardSet.open(given))
        .isInstanceOf(ShardsException.class)
        .hasMessageContaining(words);
  }

  private static void copy(Path from, Path to) throws IOException {
    RecordFiles ours = RecordFiles.ofRun(from);
    RecordFiles copy = RecordFiles.ofRun(to);
    Files.createDirectories(copy.folder());
    Files.copy(ours.manifest(), copy.manifest());
    Files.copy(ours.plan(), copy.plan());
    Files.copy(ours.shard(), copy.shard());
    Files.copy(ours.harness(), copy.harness());
  }

  private Path merged() {
    return folder.resolve("merged");
  }

  private List<String> merge(SplitRun run) throws Exception {
    return merge(ShardSet.open(List.of(run.shards())));
  }

  private List<String> merge(ShardSet set) throws Exception {
    return new Merge(set).write(merged());
  }

  /** What the report of the merged run says against it. */
  private List<String> invalid() throws IOException {
    return Analyzer.analyze(RecordReader.open(merged())).findings().stream()
        .filter(finding -> finding.severity() == Finding.Severity.INVALID)
        .map(Finding::text)
        .toList();
  }
}
