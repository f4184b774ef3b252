package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;

/** Runs whose engine was read from a store: its pace, its holes, and one engine given twice. */
class StoredRecordTest {
  private static final Series BORN =
      Series.of(
          "vllm:generation_tokens_created",
          Map.of("engine", "0", "model_name", "tiny"),
          Series.Type.GAUGE);

  @Test
  void saysHowFineAStoreIsAndCallsItsPaceNoLoss() {
    RunAnalysis analysis = stored(steps(9, 72, 7));
    assertThat(finding(analysis, "stored_scrapes").text())
        .contains("one scrape every 7.00 s (median), timed by its clock");
    assertThat(analysis.findings())
        .extracting(Finding::code)
        .doesNotContain(Finding.Code.LOST_SCRAPES, Finding.Code.SCRAPES_OUT_OF_ORDER);
    assertThat(analysis.reconciliation().verdict())
        .isEqualTo(Reconciliation.Verdict.RECONCILED);
  }

  @Test
  void aStoreThatAnswersLaterHasNoHole() {
    List<ScrapeRow> rows = steps(9, 72, 1);
    List<ScrapeRow> asked = failures(30, 40);
    rows.addAll(indexAfter(rows, 29), asked);
    RunAnalysis analysis = stored(rows);
    assertThat(analysis.engine().failedScrapes()).isZero();
    assertThat(analysis.findings()).extracting(Finding::code)
        .doesNotContain(Finding.Code.LOST_SCRAPES);
  }

  @Test
  void aStoreThatScrapedNothingMeanwhileHasAHole() {
    List<ScrapeRow> rows = steps(9, 72, 1);
    rows.removeIf(row -> row.startedNanos() > nanos(29) && row.startedNanos() < nanos(41));
    rows.addAll(indexAfter(rows, 29), failures(30, 40));
    RunAnalysis analysis = stored(rows);
    assertThat(analysis.engine().failedScrapes()).isEqualTo(11);
    assertThat(finding(analysis, "lost_scrapes").text()).contains("the longest hole is 12.0 s");
    assertThat(analysis.reconciliation().verdict())
        .isEqualTo(Reconciliation.Verdict.RECONCILED);
  }

  @Test
  void aStoreThatNeverAnswersAgainHasFailed() {
    List<ScrapeRow> rows = steps(9, 40, 1);
    rows.addAll(failures(41, 73));
    RunAnalysis analysis = stored(rows);
    assertThat(analysis.engine().failedScrapes()).isEqualTo(29);
  }

  @Test
  void anEngineThatFailsToAnswerHasAHoleWhateverComesNext() {
    MadeRun run = run();
    run.scrapes.addAll(steps(9, 72, 1));
    run.scrapes.addAll(indexAfter(run.scrapes, 29), failures(29.5, 29.5));
    assertThat(Analyzer.analyze(run).engine().failedScrapes()).isEqualTo(1);
  }

  @Test
  void oneEngineNamedTwiceIsNeverReconciled() {
    RunAnalysis analysis = twoTargets(1_000.25, 1_000.25);
    assertThat(finding(analysis, "same_engine_twice"))
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Finding.Severity.INVALID))
        .satisfies(f -> assertThat(f.text()).contains("Targets 0 and 1 show the same process"));
    assertThat(codes(twoTargets(1_000.25, 1_000.5))).doesNotContain("same_engine_twice");
  }

  private static RunAnalysis twoTargets(double firstBorn, double secondBorn) {
    MadeRun run = run();
    run.targets.add(Target.at("http://127.0.0.1:8001"));
    int target = 0;
    for (double born : new double[] {firstBorn, secondBorn}) {
      Exposition exposition = new Exposition().put(BORN, born);
      run.scrape(target, 8.9, exposition);
      run.requests.forEach(row -> exposition.serve(row, 0));
      run.scrape(target, 72, exposition);
      target++;
    }
    return run.analyze();
  }

  /** The run in the order of its record, which a store's late answers put out of that of time. */
  private static RunAnalysis stored(List<ScrapeRow> rows) {
    MadeRun run = run();
    run.targets.set(
        0, new Target("http://127.0.0.1:1", "http://127.0.0.1:9/api/v1/query?job=vllm", 1));
    run.scrapes.addAll(rows);
    return Analyzer.analyze(run);
  }

  private static MadeRun run() {
    MadeRun run = new MadeRun().window(10, 69);
    IntStream.range(0, 50).forEach(i -> run.requests.add(request(i, 10 + i).build()));
    return run;
  }

  /** Good scrapes of the run, so many seconds apart. */
  private static List<ScrapeRow> steps(int from, int to, int step) {
    Exposition exposition = new Exposition();
    List<RequestRow> left = new ArrayList<>(run().requests);
    MadeRun scraped = new MadeRun();
    for (int at = from; at <= to; at += step) {
      while (!left.isEmpty() && left.getFirst().times().ended() < nanos(at)) {
        exposition.serve(left.removeFirst(), 0);
      }
      scraped.scrape(at, exposition);
    }
    return scraped.scrapes;
  }

  private static List<ScrapeRow> failures(double from, double to) {
    MadeRun failed = new MadeRun();
    for (double at = from; at <= to; at++) {
      failed.failedScrape(at);
    }
    return failed.scrapes;
  }

  private static int indexAfter(List<ScrapeRow> rows, double seconds) {
    return (int) rows.stream().filter(row -> row.startedNanos() <= nanos(seconds)).count();
  }

  private static long nanos(double seconds) {
    return MadeRun.nanos(seconds);
  }
}
