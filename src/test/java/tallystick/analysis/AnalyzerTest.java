package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.codes;
import static tallystick.analysis.SmallRun.finding;
import static tallystick.analysis.SmallRun.run;
import static tallystick.analysis.SmallRun.track;
import static tallystick.analysis.SmallRun.value;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation.Verdict;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.Usability;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Outcome;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;
import tallystick.scenario.Target;

class AnalyzerTest {
  @Test
  void anExactRunIsReconciledAndItsMeansDifferByTheOverhead() {
    RunAnalysis analysis = run(100, 0.02, row -> row).analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.counts().ok()).isEqualTo(100);
    Comparison ttft = analysis.comparisons().get(0);
    assertThat(ttft.verdict()).isEqualTo(Comparison.Verdict.EXPLAINED);
    assertThat(value(ttft.meanGap())).isCloseTo(0.02, within(1e-9));
    assertThat(value(ttft.gap().constantGap().low())).isLessThanOrEqualTo(0.02 + 1e-9);
    assertThat(value(ttft.gap().constantGap().high())).isGreaterThan(0.02 - 1e-9);
    assertThat(codes(analysis)).isEmpty();
  }

  @Test
  void aRunIsAsLongAsItsLastAnswerAndNoRateIsAboveWhatWasSent() {
    MadeRun made = run(100, 0, row -> row);
    made.objectives.add(new Objective(Metric.TTFT, 1, 0.95, ""));
    RunAnalysis analysis = made.analyze();
    double length = made.requests.getLast().times().ended() / 1e9 - 10;
    assertThat(analysis.run().windowSeconds()).isCloseTo(length, within(1e-9));
    double sent = value(analysis.load().offeredPerSecond());
    assertThat(sent).isCloseTo(100 / length, within(1e-9));
    assertThat(value(analysis.counts().requestsPerSecond())).isLessThanOrEqualTo(sent);
    assertThat(value(analysis.load().completedPerSecond())).isLessThanOrEqualTo(sent);
    assertThat(value(analysis.load().goodput().fromIntended().requestsPerSecond()))
        .isLessThanOrEqualTo(sent);
  }

  /** The plan ends at 70 s. */
  @Test
  void whatWasSentIsOverTheTimeInWhichItWas() {
    MadeRun turns = run(100, 0, row -> row);
    turns.requests.add(request(100, 210).build());
    assertThat(value(turns.analyze().load().offeredPerSecond()))
        .as("with a later turn at 210 s")
        .isCloseTo(101 / 200.0, within(1e-9));

    MadeRun stopped = run(100, 0, row -> row);
    stopped.mark(65, Mark.Kind.STOPPED);
    stopped.requests.add(request(100, 64.9).ttft(40).build());
    assertThat(value(stopped.analyze().load().offeredPerSecond()))
        .as("stopped at 65 s, with an answer of 40 s")
        .isCloseTo(101 / 55.0, within(1e-9));

    assertThat(new MadeRun().window(10, 12).analyze().load().offeredPerSecond())
        .isEqualTo(Figure.missing("no request"));

    MadeRun killed = run(100, 0, row -> row);
    killed.harness.removeIf(
        row -> row instanceof Mark mark && mark.kind() == Mark.Kind.WINDOW_DRAINED);
    assertThat(value(killed.analyze().load().offeredPerSecond()))
        .as("killed, by the requests that had ended")
        .isCloseTo(1 / 0.55, within(1e-9));
  }

  @Test
  void latenciesStartWhereTheyAreNamedAfter() {
    RunAnalysis.ClientLatencies client = run(1, 0, row -> row.late(0.05)).analyze().client();
    assertThat(value(client.ttftFromIntended().mean())).isCloseTo(0.15, within(1e-9));
    assertThat(value(client.ttftFromStart().mean())).isCloseTo(0.1, within(1e-9));
    assertThat(value(client.ttftFromWritten().mean())).isCloseTo(0.0999, within(1e-9));
    assertThat(value(client.e2eFromIntended().mean())).isCloseTo(0.18, within(1e-9));
    assertThat(value(client.tpot().mean())).isCloseTo(0.01, within(1e-9));
  }

  /** Each is over 130.5 ms after its start: a first token at 100, three gaps of 10, and the end. */
  @Test
  void answersThatWereNotStreamedHaveAnEndAndCountsAndNoMomentOfAToken() {
    MadeRun made = run(100, 0, row -> row);
    made.requests.replaceAll(
        row -> request(row.index(), row.times().intended() / 1e9).whole().build());
    RunAnalysis analysis = made.analyze();
    RunAnalysis.ClientLatencies client = analysis.client();
    Figure notStreamed = Figure.missing(Distribution.NOT_STREAMED);

    assertThat(value(client.e2eFromIntended().mean())).isCloseTo(0.1305, within(1e-9));
    for (Distribution none :
        List.of(
            client.ttftFromIntended(), client.ttftFromStart(), client.ttftFromWritten(),
            client.tpot(), client.chunkGaps(), client.tokenGaps(), client.largestGaps(),
            client.thinking().answerTtft(), analysis.phases().get(0).ttft())) {
      assertThat(none.mean()).isEqualTo(notStreamed);
      assertThat(none.percentile(0.95)).isEqualTo(notStreamed);
    }
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.decompositions().get(0).absence()).isEqualTo(Distribution.NOT_STREAMED);
    assertThat(value(analysis.counts().completionTokens())).isEqualTo(400);
    assertThat(track(analysis.timeline().client(), "chunks_per_second").values())
        .containsOnly(Double.NaN);
  }

  @Test
  void whatWasSpokenWhereHttpTwoWasOfferedIsSaid() {
    for (String spoken : List.of("h2 3", "h2 1, http/1.1 2")) {
      MadeRun made = run(3, 0, row -> row);
      made.harness.add(
          new HarnessRow.Mark(
              MadeRun.nanos(70), HarnessRow.Mark.Kind.HTTP_VERSIONS, spoken));
      String code = spoken.contains("1.1") ? "http2_not_spoken" : "http_versions";
      assertThat(finding(made.analyze(), code).text()).contains(spoken);
    }
  }

  @Test
  void warmUpRequestsCountNowhere() {
    MadeRun run = run(3, 0, row -> row);
    run.phases.add(0, new Phase("warmup", true, 0, 10, 1));
    run.requests.add(request(90, 1).phase("warmup").build());
    assertThat(run.analyze().counts().ended()).isEqualTo(3);
  }

  @Test
  void theLedgerSubtractsTheQuietScrapesAndIgnoresTheWarmUp() {
    MadeRun run = run(3, 0, row -> row);
    Exposition warm = new Exposition();
    warm.serve(request(99, 0).build(), 0);
    run.scrapes.clear();
    run.scrape(2, new Exposition()).scrape(9, warm);
    run.requests.forEach(row -> warm.serve(row, 0));
    run.scrape(72, warm);
    assertThat(run.analyze().reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
  }

  @Test
  void oneForeignRequestInAHundredIsFound() {
    MadeRun run = run(100, 0, row -> row);
    run.scrapes.remove(run.scrapes.size() - 1);
    Exposition end = new Exposition();
    run.requests.forEach(row -> end.serve(row, 0));
    end.serve(request(500, 0).build(), 0);
    RunAnalysis analysis = run.scrape(72, end).analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.NOT_RECONCILED);
    Finding finding = finding(analysis, "foreign_traffic");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.INVALID);
    assertThat(finding.text()).contains("about 1 requests").contains("1.00 %");
  }

  @Test
  void escapedNamesAreTheSameFamilies() {
    MadeRun run = run(0, 0, row -> row);
    for (int i = 0; i < 5; i++) {
      run.requests.add(request(i, 11 + i).build());
    }
    run.scrapes.clear();
    Exposition end = new Exposition("vllm_", "0");
    run.requests.forEach(row -> end.serve(row, 0));
    run.scrape(9, new Exposition("vllm_", "0")).scrape(72, end);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.engine().distributions().get(Latency.TTFT).metric())
        .isEqualTo("vllm_time_to_first_token_seconds");
  }

  @Test
  void twoTargetsAreAddedUp() {
    MadeRun run = run(10, 0, row -> row);
    run.targets.add(Target.at("http://127.0.0.1:8001"));
    run.scrapes.clear();
    Exposition one = new Exposition();
    Exposition other = new Exposition();
    run.scrape(0, 8.9, one).scrape(1, 9, other);
    for (int i = 0; i < 10; i++) {
      (i < 4 ? one : other).serve(run.requests.get(i), 0);
    }
    run.scrape(0, 71.9, one).scrape(1, 72, other);
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.reconciliation().verdict()).isEqualTo(Verdict.RECONCILED);
    assertThat(analysis.timeline().engine().stream().map(Timeline.Track::owner))
        .contains("target 0 engine 0", "target 1 engine 0");
  }

  /** Every second request is slow: a draw that kept step with them would show one kind alone. */
  @ParameterizedTest
  @CsvSource({"4, 4", "2000, 2000", "2001, 1000", "9000, 1125"})
  void everyRequestHasItsTtftOnTheTimelineAndOfManyARandomPartHas(int requests, int dots) {
    AtomicInteger made = new AtomicInteger();
    MadeRun run =
        run(requests, 0, row -> row.ttft(made.getAndIncrement() % 2 == 0 ? 0.1 : 0.3));
    Timeline.Track each = track(run.analyze().timeline().client(), Timeline.TTFT_EACH);

    assertThat(each.seconds().length).isBetween(dots * 9 / 10, dots * 11 / 10);
    assertThat(each.seconds()).isSorted();
    long slow = Arrays.stream(each.values()).filter(value -> value > 0.15).count();
    assertThat(slow).isBetween(dots * 2L / 5, dots * 3L / 5);
  }

  @Test
  void percentilesAreRefusedBelowTheirCount() {
    RunAnalysis analysis = run(40, 0, row -> row).analyze();
    List<Distribution.Percentile> percentiles =
        analysis.client().ttftFromIntended().percentiles();
    assertThat(value(percentiles.get(0).value())).isCloseTo(0.1, within(1e-9));
    assertThat(percentiles.get(2).value()).isEqualTo(Figure.missing("n=40, need 72"));
    assertThat(analysis.engine().distributions().get(Latency.TTFT).brackets().get(2).high())
        .isEqualTo(Figure.missing("n=40, need 72"));
  }

  @Test
  void mergedChunksMakeGapsAndTokensIncomparable() {
    RunAnalysis analysis =
        run(100, 0, row -> row.gaps(0.02, 0.01).tokens(1, 2, 1).usage(10, 4)).analyze();
    Comparison itl = analysis.comparisons().get(2);
    assertThat(itl.verdict()).isEqualTo(Comparison.Verdict.NOT_COMPARABLE);
    assertThat(value(itl.clientMean())).isCloseTo(0.01, within(1e-9));
    assertThat(itl.explanation()).contains("33.3 %");
    assertThat(value(analysis.counts().mergedChunks())).isEqualTo(100);
  }

  @Test
  void tokensOfTheFirstChunkAreNoPartOfThePace() {
    RunAnalysis analysis =
        run(40, 0, row -> row.gaps(0.08, 0.08).tokens(4, 4, 4).usage(24, 12)).analyze();
    assertThat(value(analysis.client().tpot().mean())).isCloseTo(0.02, within(1e-9));
    assertThat(value(analysis.client().tokenGaps().mean())).isCloseTo(0.02, within(1e-9));
    assertThat(value(analysis.comparisons().get(2).clientMean())).isCloseTo(0.02, within(1e-9));
    assertThat(value(analysis.comparisons().get(3).clientMean())).isCloseTo(0.02, within(1e-9));
  }

  @Test
  void aPaceThatNobodyCanTellIsSaid() {
    RunAnalysis analysis =
        run(40, 0, row -> row.gaps(0.08, 0.08).tokens(-1, -1, -1).usage(24, 12)).analyze();
    assertThat(analysis.client().tpot().count()).isZero();
    assertThat(finding(analysis, "tokens_untold").evidence())
        .containsExactly(
            "TPOT of 40 answers is not known: fewer chunks than tokens, and the first did not say"
                + " how many it carries");
  }

  @Test
  void untoldTokensAreUnknownAndNeverOne() {
    RunAnalysis analysis =
        run(10, 0, row -> row.tokens(-1, -1, -1, -1).noUsage()).analyze();
    assertThat(analysis.counts().mergedChunks()).isInstanceOf(Figure.Unavailable.class);
    assertThat(analysis.counts().completionTokens())
        .isEqualTo(Figure.missing("the server sent no usage"));
    assertThat(analysis.client().tpot().count()).isZero();
    assertThat(analysis.client().tokenGaps().count()).isZero();
    assertThat(analysis.client().chunkGaps().count()).isEqualTo(30);
  }

  @Test
  void tokensOfAnswersThatWereLeftAreNoOutputOfGoodOnes() {
    MadeRun run = run(10, 0, row -> row);
    double good = value(run.analyze().counts().completionTokensPerSecond());
    run.requests.add(
        request(50, 15).outcome(Outcome.CLIENT_CANCELLED, 200).usage(10, 500).build());
    RunAnalysis.Counts counts = run.analyze().counts();
    assertThat(value(counts.completionTokens())).isGreaterThan(500);
    assertThat(value(counts.completionTokensPerSecond())).isLessThanOrEqualTo(good);
  }

  @Test
  void failedRequestsCountOnlyInTtftWhereTheyStreamed() {
    MadeRun run = run(10, 0, row -> row);
    run.requests.add(request(50, 30).outcome(Outcome.CUT_MID_STREAM, 200).noUsage().build());
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.client().ttftFromIntended().count()).isEqualTo(11);
    assertThat(analysis.client().ttftOfFailed()).isEqualTo(1);
    assertThat(analysis.client().e2eFromIntended().count()).isEqualTo(10);
    assertThat(analysis.client().chunkGaps().count()).isEqualTo(30);
    assertThat(codes(analysis)).contains("failures");
  }

  @Test
  void objectivesJudgeFromTheIntendedStartAndFailuresAreBad() {
    MadeRun run = run(99, 0, row -> row);
    run.objectives.add(new Objective(Metric.TTFT, 0.2, 0.9, ""));
    run.requests.add(
        request(200, 30).outcome(Outcome.TIMED_OUT, 0).silent().build());
    ObjectiveResult result = run.analyze().objectives().get(0);
    assertThat(result.good()).isEqualTo(99);
    assertThat(result.judged()).isEqualTo(100);
    assertThat(result.verdict()).isEqualTo(Judgement.Verdict.MET);
    assertThat(value(result.share())).isEqualTo(0.99);
  }

  @Test
  void aLateHarnessIsSaturated() {
    RunAnalysis analysis = run(100, 0, row -> row.late(0.02)).analyze();
    assertThat(analysis.harness().saturated()).isTrue();
    assertThat(finding(analysis, "client_saturated").severity())
        .isEqualTo(Finding.Severity.INVALID);
  }

  @Test
  void aLoadProcessThatStoodStillIsSaturatedInAClosedLoopToo() {
    MadeRun run = run(100, 0, row -> row);
    run.loop = LoopShape.CLOSED;
    long from = run.harness.get(0).atNanos();
    long to = run.harness.get(run.harness.size() - 1).atNanos();
    run.harness.add(new HarnessRow.Stall((from + to) / 2, (to - from) / 10));

    assertThat(finding(run.analyze(), "client_saturated").evidence().get(0))
        .contains("stood still");
  }

  @Test
  void whatASaturatedClientSpoiledIsNamed() {
    MadeRun run = run(100, 0, row -> row.late(0.02));

    assertThat(finding(run.analyze(), "client_saturated").evidence())
        .anyMatch(line -> line.contains("P99 from the intended to the actual start is 20.0 ms"))
        .last()
        .isEqualTo("Not usable: TTFT and E2E");
  }

  @Test
  void latenessSpoilsNoVerdictThatIsTheSameWithoutIt() {
    MadeRun run = run(100, 0, row -> row.ttft(0.05).late(0.034));
    run.objectives.add(new Objective(Metric.TTFT, 0.3, 0.9, ""));
    RunAnalysis analysis = run.analyze();

    Finding late = finding(analysis, "client_saturated");
    assertThat(late.severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(late.evidence())
        .containsExactly(
            "P99 from the intended to the actual start is 34.0 ms, allowed are 30.0 ms",
            "No verdict depends on it. Not exact: TTFT and E2E");
    assertThat(Usability.of(analysis).isForVerdicts()).isTrue();
    assertThat(analysis.harness().saturated()).isTrue();
  }

  @Test
  void aVerdictOfOneStepThatTurnsWithLatenessSpoilsTheRun() {
    MadeRun run = run(0, 0, row -> row);
    for (int i = 0; i < 200; i++) {
      boolean isLate = i >= 100;
      run.requests.add(
          request(i, 10 + i * 0.25)
              .phase(isLate ? "high" : "low")
              .ttft(0.05)
              .late(isLate ? 0.04 : 0)
              .build());
    }
    run.phases.clear();
    run.phases.add(new Phase("low", false, 0, 25 * MadeRun.SECOND, 4));
    run.phases.add(new Phase("high", false, 25 * MadeRun.SECOND, 50 * MadeRun.SECOND, 4));
    run.objectives.add(new Objective(Metric.TTFT, 0.08, 0.4, ""));

    assertThat(finding(run.analyze(), "client_saturated").evidence())
        .last().asString().endsWith("the verdict on TTFT of high");
  }

  /** Of the last of six steps of 10 s the mean is 300 ms, of the run 50 ms. */
  @Test
  void aClientThatFallsBehindInTheLastStepAloneSentAnotherLoad() {
    int[] made = {0};
    MadeRun run =
        run(
            100, 0,
            row -> {
              int step = made[0] * 6 / 110;
              made[0]++;
              return row.phase("step " + step).late(step == 5 ? 0.3 : 0);
            });
    run.phases.clear();
    for (int step = 0; step < 6; step++) {
      long begin = step * 10 * MadeRun.SECOND;
      run.phases.add(new Phase("step " + step, false, begin, begin + 10 * MadeRun.SECOND, 2));
    }
    run.objectives.add(new Objective(Metric.TTFT, 2, 0.5, ""));

    assertThat(finding(run.analyze(), Finding.Code.CLIENT_SATURATED.code()).evidence().toString())
        .contains("sent when its time was over");
  }

  /** Two requests of 300: no percentile of the run tells of them. */
  @Test
  void aShortStepThatIsLateIsAnotherLoadHoweverLongTheOthersWere() {
    int[] made = {0};
    MadeRun run =
        run(
            300, 0,
            row -> made[0]++ < 298 ? row.phase("long") : row.phase("short").late(2.5));
    run.phases.clear();
    long begin = Math.round(54.6 * MadeRun.SECOND);
    run.phases.add(new Phase("long", false, 0, begin, 5));
    run.phases.add(new Phase("short", false, begin, 60 * MadeRun.SECOND, 1));
    run.objectives.add(new Objective(Metric.TTFT, 20, 0.5, ""));

    assertThat(
            finding(run.analyze(), Finding.Code.CLIENT_SATURATED.code()).evidence().toString())
        .contains("phase short began 2500 ms late");
  }

  @ParameterizedTest
  @CsvSource({
    "TTFT, 0.1, 0.1, false", "TTFT, 0.1, 0.4, true", "TTFT, 0.01, 0.1, true",
    "TTFT, 0.15, 0.1, true", "LARGEST_GAP, 0.05, 0.2, false", "LARGEST_GAP, 0.05, 0.4, true",
    "LARGEST_GAP, 0.01, 0.2, true", "LARGEST_GAP, 0.11, 0.2, true", "TPOT, 0.03, 0.2, false",
    "TPOT, 0.03, 0.4, true", "TPOT, 0.06, 0.2, true"
  })
  void stallsSpoilAMissedVerdictThatNeedsWhatTheyTouched(
      Metric metric, double limit, double stalled, boolean isUsable) {
    int[] made = {0};
    MadeRun run =
        run(
            100, 0,
            row ->
                made[0]++ % 4 == 0
                    ? row.ttft(0.12).gaps(0.1, 0.02)
                    : row.ttft(0.02).gaps(0.02, 0.02));
    for (int i = 0; i < 100; i += 4) {
      run.harness.add(
          new HarnessRow.Stall(MadeRun.nanos(10 + 0.55 * i + stalled), MadeRun.nanos(0.1)));
    }
    run.objectives.add(new Objective(metric, limit, 0.9, ""));
    RunAnalysis analysis = run.analyze();

    assertThat(Usability.of(analysis).isForVerdicts()).isEqualTo(isUsable);
    assertThat(Usability.of(analysis).isForLatencies()).isFalse();
    assertThat(Usability.of(analysis).isForCounts()).isTrue();
  }

  @Test
  void lateStampsAreHeldAgainstMoreGapsThanAreKeptExactly() {
    double[] gaps = new double[6_000];
    Arrays.fill(gaps, 0.001);
    MadeRun run = run(100, 0, row -> row.gaps(gaps).usage(10, 6_001));
    run.harness.add(new HarnessRow.Stall(MadeRun.nanos(30), MadeRun.nanos(1)));
    run.objectives.add(new Objective(Metric.ITL, 0.0009, 0.9, ""));

    assertThat(Usability.of(run.analyze()).use()).isEqualTo(Usability.Use.VERDICTS);
    run.objectives.set(0, new Objective(Metric.ITL, 0.0009, 0.02, ""));
    assertThat(Usability.of(run.analyze()).use()).isEqualTo(Usability.Use.COUNTS);
  }

  @Test
  void phasesThatWereNotReachedDoNotMakeLatenessALostLoad() {
    MadeRun run = run(100, 0, row -> row.phase("low").ttft(0.05).late(0.06));
    run.phases.clear();
    run.phases.add(new Phase("low", false, 0, 60 * MadeRun.SECOND, 2));
    run.phases.add(new Phase("high", false, 60 * MadeRun.SECOND, 120 * MadeRun.SECOND, 4));
    run.objectives.add(new Objective(Metric.TTFT, 0.5, 0.9, ""));

    assertThat(finding(run.analyze(), "client_saturated").severity())
        .isEqualTo(Finding.Severity.WARNING);
  }

  @Test
  void requestsSentWhenTheirTimeWasOverAreAnotherLoad() {
    MadeRun run = run(100, 0, row -> row.ttft(0.05).late(6));
    run.objectives.add(new Objective(Metric.TTFT, 30, 0.9, ""));

    assertThat(finding(run.analyze(), "client_saturated").severity())
        .isEqualTo(Finding.Severity.INVALID);
  }

  @Test
  void theTimelineShowsTheClientsOwnDelaySecondBySecond() {
    MadeRun run = run(20, 0, row -> row.late(0.02));
    for (int second = 11; second <= 20; second++) {
      run.harness.add(new HarnessRow.Cpu(MadeRun.nanos(second), 0.25, 1));
    }
    run.harness.add(new HarnessRow.Stall(MadeRun.nanos(14.5), MadeRun.nanos(0.3)));
    List<Timeline.Track> tracks = run.analyze().timeline().client();

    assertThat(track(tracks, "lateness_max").values()[0]).isEqualTo(0.02);
    assertThat(track(tracks, "process_cores").values()).hasSize(10).containsOnly(0.25);
    assertThat(track(tracks, "stood_still").values()[4]).isEqualTo(0.3);
    assertThat(track(tracks, "stood_still").values()[5]).isZero();
  }

  @Test
  void aVerdictThatDependsOnLatenessAloneSaturatesTheClient() {
    MadeRun run = run(100, 0, row -> row.ttft(0.1).late(0.004));
    run.objectives.add(new Objective(Metric.TTFT, 0.102, 0.9, ""));

    Finding saturated = finding(run.analyze(), "client_saturated");

    assertThat(saturated.evidence())
        .containsExactly(
            "objective TTFT is missed with the client's own delay and met without it",
            "Not usable: the verdict on TTFT");
  }

  @Test
  void aClosedLoopThatUsesUpItsPlanBeforeItsTimeSaysSo() {
    MadeRun run = run(30, 0, row -> row);
    run.loop = LoopShape.CLOSED;
    assertThat(finding(run.analyze(), "plan_used_up").text())
        .startsWith("All 30 planned requests had been started after 29.0 of 60.0 s");
    run.planned = 31;
    assertThat(codes(run.analyze())).doesNotContain("plan_used_up");
  }

  @Test
  void aClosedLoopSaysThatOmissionCannotBeCorrected() {
    MadeRun run = run(10, 0, row -> row.late(0.02));
    run.loop = LoopShape.CLOSED;
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.run().closedLoop()).isTrue();
    assertThat(finding(analysis, "closed_loop").text()).contains("cannot be corrected");
  }

  @Test
  void theTimelineShowsBothSidesAndLeavesHoles() {
    MadeRun run = run(30, 0, row -> row);
    Exposition middle = new Exposition().gauge("num_requests_waiting", 7);
    run.scrape(30, middle).failedScrape(31).scrape(32, middle);
    RunAnalysis analysis = run.analyze();
    Timeline.Track waiting = track(analysis.timeline().engine(), "num_requests_waiting");
    assertThat(waiting.seconds()).containsExactly(20, 21, 22, 62);
    assertThat(waiting.values()).containsExactly(7, Double.NaN, 7, 0);
    Timeline.Track started = track(analysis.timeline().client(), "requests_started");
    assertThat(started.seconds()[10]).isEqualTo(5.25);
    assertThat(started.values()[10]).isEqualTo(1);
    assertThat(analysis.engine().failedScrapes()).isEqualTo(1);
  }

  @Test
  void utcTimesComeFromTheOneAnchor() {
    RunAnalysis.RunFacts facts = run(1, 0, row -> row).analyze().run();
    assertThat(facts.startedUtc()).isEqualTo("2023-11-14T22:13:30Z");
  }

  @Test
  void whatWasNotAskedForIsNotCalledNotExposed() {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 50; i++) {
      run.requests.add(request(i, 10 + i).build());
    }
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.load().toString() + analysis.decompositions() + analysis.comparisons())
        .contains("no engine metrics were read")
        .doesNotContain("expose");
  }
}
