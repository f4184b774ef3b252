package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;
import static tallystick.analysis.SmallRun.run;

import java.util.EnumSet;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Target;

class BadRecordTest {
  @Test
  void aMergeWithoutAShardIsToBeMergedAgain() {
    MadeRun run = SmallRun.run(20, 0.001, one -> one);
    run.state = Manifest.Ending.State.FAILED;
    run.host.put("shards", "2");
    run.stateDetail = "shard 1 of 2 is missing";
    assertThat(SmallRun.finding(run.analyze(), "incomplete_record").remedy())
        .startsWith("Merge again with the folder of each shard");
    run.host.clear();
    assertThat(SmallRun.finding(run.analyze(), "incomplete_record").remedy())
        .startsWith("The figures cover the part that ran.");
  }

  @Test
  void withoutTheLastQuietMarkNothingIsReconciled() {
    MadeRun run = run(3, 0, row -> row);
    run.harness.removeIf(
        row -> row instanceof Mark mark && mark.kind() == Mark.Kind.QUIET_AFTER_WINDOW);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    assertThat(codes(analysis)).contains("ledger_open");
  }

  @Test
  void aBusyTargetIsStampedEvenIfTheCountsAgree() {
    MadeRun run = run(3, 0, row -> row).mark(1, Mark.Kind.NOT_QUIET);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    assertThat(codes(analysis)).contains("not_quiet");
  }

  @Test
  void aRestartInsideTheWindowIsInvalid() {
    MadeRun run = run(10, 0, row -> row);
    Exposition middle = new Exposition();
    run.requests.forEach(row -> middle.serve(row, 0));
    run.scrape(20, middle).scrape(25, new Exposition());
    RunAnalysis analysis = run.analyze();
    assertThat(codes(analysis)).contains("engine_restart");
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void aChangedCreationTimeIsARestartToo() {
    MadeRun run = run(10, 0, row -> row);
    Series created =
        Series.of("vllm:prompt_tokens_created", Map.of("engine", "0"), Series.Type.GAUGE);
    run.scrapes.clear();
    Exposition end = new Exposition();
    run.requests.forEach(row -> end.serve(row, 0));
    run.scrape(9, new Exposition().put(created, 100)).scrape(72, end.put(created, 200));
    assertThat(codes(run.analyze())).contains("engine_restart");
  }

  @Test
  void processesThatTakeTurnsAreALoadBalancer() {
    MadeRun run = run(10, 0, row -> row);
    Series start = Series.of("process_start_time_seconds", Map.of(), Series.Type.GAUGE);
    run.scrapes.clear();
    run.scrape(9, new Exposition().put(start, 100)).scrape(20, new Exposition().put(start, 200));
    assertThat(codes(run.analyze())).contains("engine_restart").doesNotContain("several_replicas");

    run.scrape(21, new Exposition().put(start, 100));
    assertThat(codes(run.analyze())).contains("several_replicas").doesNotContain("engine_restart");
    assertThat(run.analyze().reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    assertThat(codes(run.analyze())).doesNotContain("foreign_traffic", "ledger_differs");
  }

  @Test
  void aCounterThatFallsAgainAndAgainIsALoadBalancer() {
    MadeRun run = run(10, 0, row -> row);
    Exposition busier = new Exposition();
    run.requests.forEach(row -> busier.serve(row, 0));
    run.scrape(20, busier).scrape(21, new Exposition()).scrape(22, busier);
    assertThat(codes(run.analyze())).contains("engine_restart").doesNotContain("several_replicas");

    run.scrape(23, new Exposition());
    assertThat(codes(run.analyze())).contains("several_replicas").doesNotContain("engine_restart");
  }

  @Test
  void severalApiServersAreNamed() {
    Series steps =
        Series.of("vllm:iteration_tokens_total_count", Map.of(), Series.Type.HISTOGRAM);
    MadeRun run = run(10, 0, row -> row).scrape(9.5, new Exposition().put(steps, 3));
    assertThat(finding(run.analyze(), "several_api_servers").text())
        .startsWith("Target 0 does not say when its series began");

    Series created =
        Series.of("vllm:prompt_tokens_created", Map.of("engine", "0"), Series.Type.GAUGE);
    run.scrape(9.1, new Exposition().put(steps, 3).put(created, 100));
    assertThat(codes(run.analyze())).doesNotContain("several_api_servers");
  }

  @Test
  void changedLabelsAreNamed() {
    MadeRun run = run(10, 0, row -> row);
    run.scrapes.clear();
    run.scrape(9, new Exposition("vllm:", "0")).scrape(72, new Exposition("vllm:", "1"));
    RunAnalysis analysis = run.analyze();
    assertThat(finding(analysis, "labels_changed").evidence())
        .contains("model_name=tiny engine=0", "model_name=tiny engine=1");
  }

  @Test
  void aTargetWithoutMetricsForbidsAgreement() {
    MadeRun run = run(10, 0, row -> row);
    run.targets.add(new Target("http://127.0.0.1:8001", "", 1));
    RunAnalysis analysis = run.analyze();
    assertThat(codes(analysis)).contains("target_not_scraped");
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
  }

  @Test
  void withoutScrapesTheEngineIsAbsentAndSaysWhy() {
    MadeRun run = run(10, 0, row -> row);
    run.scrapes.clear();
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.engine().available()).isFalse();
    assertThat(analysis.engine().absence()).isEqualTo("no metrics were scraped");
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_CHECKED);
    assertThat(codes(analysis)).contains("no_engine_account");
    assertThat(analysis.comparisons())
        .allMatch(pair -> pair.verdict() == Comparison.Verdict.NOT_CHECKED);
  }

  @Test
  void anEmptyRecordGivesAnAnalysisThatSaysSo() {
    MadeRun run = new MadeRun();
    run.state = Manifest.Ending.State.OPEN;
    RunAnalysis analysis = run.analyze();
    assertThat(codes(analysis)).contains("incomplete_record", "no_requests", "no_engine_account");
    assertThat(analysis.client().ttftFromIntended().mean())
        .isEqualTo(Figure.missing("no samples"));
  }

  /** More rows than the last note knew of: nothing says that none was in flight. */
  @Test
  void aKilledRunDoesNotKnowHowManyWereInFlight() {
    MadeRun run = killed(new HarnessRow.Progress(MadeRun.nanos(22), 8, 3, 5, 0));
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.counts().sent()).isEqualTo(10);
    assertThat(analysis.counts().withoutRow()).isInstanceOf(Figure.Unavailable.class);
    Finding finding = finding(analysis, "incomplete_record");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.INVALID);
    assertThat(finding.evidence())
        .contains("at least 10 of 60 planned requests were sent",
            "how many were in flight at the end is not known (last note: 3)");
    assertThat(analysis.findings().get(0).severity()).isEqualTo(Finding.Severity.INVALID);
  }

  /** A load process that died has its record closed by its parent, which knows no more. */
  @Test
  void aRunWhoseLoadDiedDoesNotKnowHowManyWereInFlight() {
    MadeRun run = killed(new HarnessRow.Progress(MadeRun.nanos(22), 13, 3, 10, 0));
    run.state = Manifest.Ending.State.FAILED;
    assertThat(finding(run.analyze(), "incomplete_record").evidence())
        .contains("at least 13 of 60 planned requests were sent");
  }

  /** Whoever was in flight when the user stopped the run has a row, as left by its client. */
  @Test
  void aRunThatWasStoppedKnowsItsRequests() {
    MadeRun run = killed(new HarnessRow.Progress(MadeRun.nanos(22), 10, 0, 10, 0));
    run.state = Manifest.Ending.State.INTERRUPTED;
    assertThat(finding(run.analyze(), "incomplete_record").evidence())
        .containsExactly("10 of 60 planned requests were sent", "each of them has a row");
  }

  /** What the engine counted beyond the rows may be of requests in flight, however many. */
  @Test
  void theLedgerOfAKilledRunCallsNothingADifference() {
    MadeRun run = killed(new HarnessRow.Progress(MadeRun.nanos(22), 8, 3, 5, 0));
    run.requests.removeLast();
    assertThat(run.analyze().reconciliation().rows())
        .filteredOn(row -> !row.id().equals(Reconciliation.Id.R5))
        .extracting(Reconciliation.Row::status)
        .containsOnly(Reconciliation.Status.NOT_CHECKED);
  }

  private static MadeRun killed(HarnessRow.Progress lastNote) {
    MadeRun run = run(10, 0, row -> row);
    run.state = Manifest.Ending.State.OPEN;
    run.planned = 60;
    run.harness.removeIf(
        row -> row instanceof Mark mark
            && EnumSet.of(Mark.Kind.WINDOW_DRAINED, Mark.Kind.QUIET_AFTER_WINDOW)
                .contains(mark.kind()));
    run.harness.add(lastNote);
    return run;
  }

  @Test
  void anOpenLedgerBlamesNobodyForItsDifferences() {
    MadeRun run = run(10, 0, row -> row);
    run.state = Manifest.Ending.State.OPEN;
    run.scrapes.remove(1);
    run.scrape(12, new Exposition());
    run.harness.removeIf(
        row -> row instanceof Mark mark && mark.kind() == Mark.Kind.QUIET_AFTER_WINDOW);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    assertThat(codes(analysis)).contains("ledger_open").doesNotContain("engine_counts_less");
    assertThat(analysis.comparisons().get(0).explanation()).startsWith("unreconciled: ");
  }

  @Test
  void scrapesWithoutRequestsStillGiveTheEnginesAccount() {
    MadeRun run = run(10, 0, row -> row);
    run.requests.clear();
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.engine().available()).isTrue();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_CHECKED);
    assertThat(codes(analysis)).contains("no_requests");
  }

  @Test
  void aBufferingProxyIsNamed() {
    RunAnalysis analysis =
        run(20, 0, row -> row.ttft(2).gaps(new double[31]).usage(10, 32)).analyze();
    assertThat(finding(analysis, "fake_streaming").text()).contains("20 of 20");
  }

  @Test
  void anEndpointThatStreamsNothingIsInvalid() {
    RunAnalysis analysis =
        run(5, 0, row -> row.silent().outcome(Outcome.EMPTY_STREAM, 200)).analyze();
    assertThat(finding(analysis, "nothing_streamed").severity())
        .isEqualTo(Finding.Severity.INVALID);
  }

  @Test
  void aFrozenExporterIsFound() {
    MadeRun run = run(50, 0, row -> row);
    run.scrapes.clear();
    for (int i = 9; i <= 73; i++) {
      run.scrape(i, new Exposition());
    }
    assertThat(codes(run.analyze())).contains("frozen_exporter");
  }

  @Test
  void anExporterThatFreezesInTheMiddleIsFound() {
    MadeRun run = run(50, 0, row -> row);
    run.scrapes.clear();
    Exposition exposition = new Exposition();
    for (int i = 9; i <= 72; i++) {
      if (i >= 11 && i < 60 && !(i > 25 && i < 40)) {
        exposition.serve(run.requests.get(i - 11), 0);
      }
      run.scrape(i, exposition);
    }
    assertThat(finding(run.analyze(), "frozen_exporter").text())
        .contains("stood still from 15.0 s to 29.0 s");
  }

  @Test
  void aSourceThatRepeatsValuesForAWhileIsNotFrozen() {
    MadeRun run = run(50, 0, row -> row);
    run.scrapes.clear();
    Exposition exposition = new Exposition();
    for (int i = 9; i <= 72; i++) {
      if (i % 15 == 0) {
        exposition.serve(run.requests.get(i / 15), 0);
      }
      run.scrape(i, exposition);
    }
    assertThat(codes(run.analyze())).doesNotContain("frozen_exporter");
  }

  @Test
  void aSteppedWallClockIsNamed() {
    MadeRun run = run(3, 0, row -> row);
    run.clock = new Manifest.Clock(0, 75 * MadeRun.SECOND, 73 * MadeRun.SECOND);
    assertThat(finding(run.analyze(), "clock_stepped").text()).contains("2.000 s");
  }

  @Test
  void aRowThatComesTwiceCountsOnce() {
    MadeRun run = run(10, 0, row -> row);
    run.planned = 10;
    RunAnalysis sound = run.analyze();
    run.requests.addAll(run.requests.subList(0, 4));
    RunAnalysis repeated = run.analyze();
    assertThat(finding(repeated, "repeated_rows").text()).startsWith("4 request rows");
    assertThat(repeated.counts()).isEqualTo(sound.counts());
    assertThat(repeated.reconciliation()).isEqualTo(sound.reconciliation());
  }

  @Test
  void aRowWhoseStepsRunBackwardsCountsButHasNoLatency() {
    MadeRun run = run(10, 0, row -> row);
    RequestRow first = run.requests.get(0);
    RequestRow.Times times = first.times();
    run.requests.set(
        0,
        new RequestRow(
            first.index(), first.phase(), first.requestClass(), first.user(), first.target(),
            first.requestId(), first.promptTokens(), first.maxTokens(),
            new RequestRow.Times(
                times.intended(), times.started(), -1, -1, times.written(), times.headers(),
                times.firstByte(), times.intended() - 1, RequestRow.NEVER),
            first.chunks(), first.usage(), first.ending(), first.engine()));
    RunAnalysis analysis = run.analyze();
    assertThat(finding(analysis, "times_out_of_order").text()).startsWith("1 request has steps");
    assertThat(analysis.counts().ended()).isEqualTo(10);
    assertThat(analysis.client().ttftFromIntended().count()).isEqualTo(9);
    assertThat(analysis.client().e2eFromIntended().minimum())
        .isInstanceOfSatisfying(
            Figure.Known.class, known -> assertThat(known.value()).isPositive());
  }

  @Test
  void aScrapeThatComesTwiceIsReadOnce() {
    MadeRun run = run(10, 0, row -> row);
    RunAnalysis sound = run.analyze();
    run.scrapes.add(run.scrapes.get(run.scrapes.size() - 1));
    run.scrapes.add(run.scrapes.get(0));
    RunAnalysis repeated = run.analyze();
    assertThat(finding(repeated, "scrapes_out_of_order").text()).startsWith("2 scrapes");
    assertThat(repeated.reconciliation()).isEqualTo(sound.reconciliation());
  }

  @Test
  void aServersClockThatWasSetInsideTheRunIsNamed() {
    MadeRun run = dated(second -> second < 40 ? second : second + 5);
    assertThat(finding(run.analyze(), "server_clock_stepped").text()).contains("target 0");
  }

  @Test
  void aServersClockBesideOursIsBoundedAndNoStep() {
    RunAnalysis analysis = dated(second -> second - 30).analyze();
    assertThat(finding(analysis, "server_clock_offset").text()).contains("between -30.00 and -27.");
    assertThat(codes(analysis)).doesNotContain("server_clock_stepped");
    assertThat(codes(dated(second -> second + 0.4).analyze()))
        .doesNotContain("server_clock_offset", "server_clock_stepped");
  }

  /** A run whose server shows another time than the client's, each second a little later in it. */
  private static MadeRun dated(DoubleUnaryOperator serverSeconds) {
    MadeRun run = run(50, 0, row -> row);
    Exposition end = new Exposition();
    run.requests.forEach(row -> end.serve(row, 0));
    run.scrapes.clear();
    for (int i = 0; i <= 62; i++) {
      double at = 9 + i * 1.013;
      long date = 1_700_000_000L + (long) Math.floor(serverSeconds.applyAsDouble(at));
      run.scrapes.add(
          new ScrapeRow(
              0, MadeRun.nanos(at), MadeRun.nanos(at) + 1_000_000,
              (i < 62 ? new Exposition() : end).samples(), "", date, 0));
    }
    return run;
  }
}
