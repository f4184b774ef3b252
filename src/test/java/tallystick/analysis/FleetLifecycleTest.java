package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Finding.Severity;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.ReplicaAccount.Move;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.HarnessRow.Scaling;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;

/** Engines behind a gateway that come and go; the window goes from 10 s to 69 s. */
class FleetLifecycleTest {
  private static final int LATE = 2;

  private static final Series START =
      Series.of("process_start_time_seconds", Map.of(), Series.Type.GAUGE);

  private final Exposition stays = new Exposition();
  private final Exposition moves = new Exposition();
  private final MadeRun run = new MadeRun().window(10, 69);

  FleetLifecycleTest() {
    run.targets.clear();
    run.targets.addAll(
        List.of(
            new Target("http://r:1", "", 1, Target.Role.GATEWAY),
            new Target("http://a:1", "http://a:1/metrics", 0),
            new Target("http://b:1", "http://b:1/metrics", 0)));
    run.scrape(1, 8.9, stays);
  }

  @Test
  void whoJoinsWithEmptyCountersIsCountedWhole() {
    move(30, Scaling.Move.JOINED);
    scrape(30.5);
    serve(0, 20, stays);
    serve(20, 40, moves);
    RunAnalysis analysis = end();

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(codes(analysis)).contains("targets_changed").doesNotContain("ledger_open");
    assertThat(analysis.load().replicas().moves())
        .containsExactly(
            new Move(20, "target 2 (http://b:1)", true, "all that it served is counted"));
    assertThat(finding(analysis, "targets_changed").severity()).isEqualTo(Severity.NOTE);
  }

  @Test
  void whatAnOldEngineServedBeforeItsFirstScrapeIsUnknown() {
    moves.count("generation_tokens_total", 7);
    move(30, Scaling.Move.JOINED);
    serve(0, 18, stays);
    serve(18, 22, moves);
    scrape(33);
    serve(22, 40, moves);
    RunAnalysis analysis = end();

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(row(analysis, Id.R2).status()).isEqualTo(Status.NOT_CHECKED);
    assertThat(row(analysis, Id.R2).engine().toString())
        .contains("target 2 joined at 20.0 s, what it served before its first scrape at 23.0 s");
    assertThat(codes(analysis)).doesNotContain("engine_counts_less", "ledger_differs");
    assertThat(finding(analysis, "targets_changed").severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void whoBeganAfterTheRunDidIsCountedFromItsBirth() {
    RunAnalysis analysis = joinedLateAndBornAt(25);

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.load().replicas().moves().getFirst().seen())
        .isEqualTo("all that it served is counted");
  }

  /** A server tells its time in whole seconds: who began about when the run did may be older. */
  @Test
  void whoBeganAboutWhenTheRunDidMayHaveServedOthers() {
    assertThat(joinedLateAndBornAt(10.5).reconciliation().verdict())
        .isEqualTo(Verdict.RECONCILED_IN_PART);
  }

  private RunAnalysis joinedLateAndBornAt(double seconds) {
    double utc = run.clock.originUtcNanos() / 1e9;
    moves.put(START, utc + seconds);
    move(30, Scaling.Move.JOINED);
    serve(0, 18, stays);
    serve(18, 22, moves);
    long at = MadeRun.nanos(33);
    run.scrapes.add(
        new ScrapeRow(LATE, at, at + 1_000_000, moves.samples(), "", Math.round(utc) + 33, 0));
    serve(22, 40, moves);
    return end();
  }

  @Test
  void aProcessThatIsListedUnderASecondNameIsToldAndItsCountsAreNotTrusted() {
    stays.put(START, run.clock.originUtcNanos() / 1e9 - 100);
    run.scrape(1, 8.95, stays);
    serve(0, 18, stays);
    move(30, Scaling.Move.JOINED);
    run.scrape(LATE, 30.5, stays);
    run.scrape(1, 30.6, stays);
    serve(18, 40, stays);
    run.scrape(LATE, 71.9, stays);
    RunAnalysis analysis = end(false);

    assertThat(finding(analysis, "same_engine_twice").text())
        .startsWith("Targets 1 and 2 show the same process");
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void whoIsDrainedBeforeItLeavesIsCountedWhole() {
    scrape(8.9);
    serve(0, 20, stays);
    serve(20, 30, moves);
    scrape(50);
    move(50.4, Scaling.Move.LEFT);
    run.failedScrape(LATE, 51);
    run.failedScrape(LATE, 52);
    serve(30, 40, stays);
    RunAnalysis analysis = end();

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.load().replicas().moves().getFirst().seen())
        .isEqualTo("its last scrape is 0.4 s older");
    assertThat(analysis.findings())
        .noneMatch(finding -> finding.text().contains("scrapes failed"));
  }

  @Test
  void whatAKilledEngineServedLastIsUnknownAndNoDifference() {
    scrape(8.9);
    serve(0, 20, stays);
    serve(20, 26, moves);
    scrape(36);
    serve(26, 30, moves);
    move(41, Scaling.Move.LEFT);
    serve(30, 40, stays);
    RunAnalysis analysis = end();

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(row(analysis, Id.R3).engine().toString())
        .contains("not checked: target 2 left at 31.0 s, its last scrape is 5.0 s older");
    assertThat(codes(analysis)).doesNotContain("engine_counts_less", "ledger_differs");
  }

  @Test
  void whatTheEnginesServedTooMuchStaysADifference() {
    scrape(8.9);
    serve(0, 40, stays);
    stays.serve(request(90, 50).build(), 0.01);
    scrape(36);
    move(41, Scaling.Move.LEFT);

    assertThat(end().reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void whoIsListedAndNeverAnswersIsSaidToBeUnknown() {
    move(30, Scaling.Move.JOINED);
    run.failedScrape(LATE, 31);
    serve(0, 30, stays);
    for (int i = 30; i < 40; i++) {
      run.requests.add(request(i, 10 + i).build());
    }
    RunAnalysis analysis = end(false);

    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED_IN_PART);
    assertThat(row(analysis, Id.R2).engine().toString())
        .contains("fewer than two scrapes of it succeeded");
  }

  private void move(double at, Scaling.Move move) {
    run.harness.add(new Scaling(MadeRun.nanos(at), LATE, move));
  }

  private void scrape(double at) {
    run.scrape(LATE, at, moves);
  }

  private void serve(int from, int to, Exposition engine) {
    for (int i = from; i < to; i++) {
      RequestRow row = request(i, 10 + i).build();
      run.requests.add(row);
      engine.serve(row, 0.01);
    }
  }

  private RunAnalysis end() {
    boolean hasLeft =
        run.harness.stream()
            .anyMatch(row -> row instanceof Scaling s && s.move() == Scaling.Move.LEFT);
    return end(!hasLeft);
  }

  private RunAnalysis end(boolean areAllScraped) {
    if (areAllScraped) {
      scrape(72);
    }
    return run.scrape(1, 72, stays).analyze();
  }

  private static Row row(RunAnalysis analysis, Id id) {
    return analysis.reconciliation().rows().stream()
        .filter(row -> row.id() == id)
        .findFirst()
        .orElseThrow();
  }
}
