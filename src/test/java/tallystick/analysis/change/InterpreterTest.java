package tallystick.analysis.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.analysis.Analyzer;
import tallystick.analysis.Exposition;
import tallystick.analysis.MadeRun;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interpretation.DirectionCode;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.WaitPart;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.runrecord.RequestRow;

class InterpreterTest {
  private static final int REQUESTS = 200;
  private static final Truth HEALTHY = new Truth(0.01, 0.08, 0.02, 0.005, 10);

  /** What a stretch is made of, in seconds and tokens. */
  private record Truth(double queue, double prefill, double gap, double outside, int prompt) {}

  @ParameterizedTest
  @CsvSource({
    "1.5,  0.08, 0.02, 0.005, 10,  offered_load_beyond_capacity",
    "1.5,  0.20, 0.02, 0.005, 100, more_to_prefill",
    "0.01, 0.60, 0.02, 0.005, 10,  slow_prefill",
    "0.01, 0.08, 0.12, 0.005, 10,  slow_decode",
    "1.5,  0.60, 0.12, 0.005, 10,  saturation",
    "0.01, 0.08, 0.02, 0.500, 10,  outside_engine"
  })
  void everyRowOfTheMatrixIsRecognised(
      double queue, double prefill, double gap, double outside, int prompt, String direction) {
    Truth truth = new Truth(queue, prefill, gap, outside, prompt);
    Interpretation found = run(1, HEALTHY, truth).analyze().interpretation();
    assertThat(found.directions()).as("%s", found.signals()).isNotEmpty();
    assertThat(found.directions().get(0).code().code()).isEqualTo(direction);
    assertThat(found.reference()).isEqualTo("phase first");
  }

  @Test
  void theSameUsersAreNoGrowingLoad() {
    Truth queued = new Truth(1.5, 0.08, 0.02, 0.005, 10);
    Interpretation open = run(1, HEALTHY, queued).analyze().interpretation();
    assertThat(open.directions().getFirst().code())
        .isEqualTo(DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY);
    MadeRun closed = run(1, HEALTHY, queued);
    closed.loop = LoopShape.CLOSED;
    closed.concurrency = 2;
    assertThat(closed.analyze().interpretation().directions())
        .noneMatch(one -> one.code() == DirectionCode.OFFERED_LOAD_BEYOND_CAPACITY);
  }

  /** More requests make fuller steps long before the engine carries no more of them. */
  @Test
  void moreLoadIsBeyondCapacityOnlyWhereRequestsWait() {
    Truth fuller = new Truth(0.01, 0.16, 0.02, 0.005, 10);
    Truth metByChance = new Truth(0.04, 0.16, 0.02, 0.005, 10);
    Truth queued = new Truth(0.6, 0.16, 0.02, 0.005, 10);
    for (Truth carried : List.of(fuller, metByChance)) {
      assertThat(codes(run(1, HEALTHY, carried, 0, 2).analyze().interpretation()))
          .containsExactly("more_load");
    }
    assertThat(codes(run(1, HEALTHY, queued, 0, 2).analyze().interpretation()))
        .containsExactly("offered_load_beyond_capacity");
  }

  @Tag("stress")
  @ParameterizedTest
  @CsvSource({
    "0.6,  0.08, 0.02, 0.005, 10,  offered_load_beyond_capacity",
    "0.6,  0.20, 0.02, 0.005, 100, more_to_prefill",
    "0.01, 0.20, 0.02, 0.005, 10,  slow_prefill",
    "0.01, 0.08, 0.05, 0.005, 10,  slow_decode",
    // At equal load slower steps may be seen as such, and explain the queue.
    "0.6,  0.20, 0.05, 0.005, 10,  saturation|slow_decode",
    "0.01, 0.08, 0.02, 0.100, 10,  outside_engine"
  })
  void smallerEffectsAreRecognisedInEighteenOfTwentyAndNeverMistaken(
      double queue, double prefill, double gap, double outside, int prompt, String direction) {
    Truth truth = new Truth(queue, prefill, gap, outside, prompt);
    int recognised = 0;
    for (int seed = 0; seed < 20; seed++) {
      Interpretation found = run(seed, HEALTHY, truth).analyze().interpretation();
      if (!found.directions().isEmpty()) {
        assertThat(direction.split("\\|")).contains(found.directions().get(0).code().code());
        recognised++;
      }
    }
    assertThat(recognised).isGreaterThanOrEqualTo(18);
  }

  @Test
  void theRisesOfThePartsAddUpToThatOfTheWhole() {
    Interpretation found =
        run(1, HEALTHY, new Truth(1.5, 0.6, 0.05, 0.3, 10)).analyze().interpretation();
    assertThat(found.changes())
        .extracting(Change::quantity)
        .containsExactly(Latency.TTFT, Latency.E2E, Latency.DECODE);
    for (Change change : found.changes()) {
      double parts = change.parts().stream().mapToDouble(part -> known(part.rise().value())).sum();
      assertThat(parts).isCloseTo(known(change.whole().rise().value()), within(1e-9));
    }
  }

  @Test
  void timeBelowZeroIsNotShown() {
    Truth early = new Truth(0.01, 0.08, 0.02, -0.004, 10);
    Interpretation found =
        run(1, early, new Truth(1.5, 0.08, 0.02, 0.005, 10)).analyze().interpretation();
    Change.Part outside =
        found.changes().get(0).parts().stream()
            .filter(part -> part.name() == WaitPart.OUTSIDE)
            .findFirst()
            .orElseThrow();
    assertThat(outside.reference()).isNotInstanceOf(Figure.Known.class);
    assertThat(outside.judged()).isInstanceOf(Figure.Known.class);
  }

  @Test
  void aRiseInsideOneBucketIsSeenByItsMean() {
    Interpretation found =
        run(1, HEALTHY, new Truth(0.25, 0.08, 0.02, 0.005, 10)).analyze().interpretation();
    assertThat(codes(found)).containsExactly("offered_load_beyond_capacity");
  }

  @Test
  void aPercentileThatOnlyCrossedAnEdgeNamesNothing() {
    Interpretation found =
        run(1, HEALTHY, new Truth(0.01, 0.08, 0.0225, 0.005, 10)).analyze().interpretation();
    assertThat(found.directions()).isEmpty();
  }

  @Test
  void theWayThereIsNamedBesideWhatTheEngineDoes() {
    Interpretation found =
        run(1, HEALTHY, new Truth(0.01, 0.28, 0.02, 0.305, 100)).analyze().interpretation();
    assertThat(codes(found)).containsExactlyInAnyOrder("outside_engine", "more_to_prefill");
  }

  @Test
  void whatIsPreemptedOnBothSidesAlikeIsNotTakenForBrokenHardware() {
    Truth slower = new Truth(1.5, 0.60, 0.12, 0.005, 10);
    assertThat(run(1, HEALTHY, slower, 0).analyze().interpretation().directions().get(0).text())
        .contains("hardware degraded");
    assertThat(run(1, HEALTHY, slower, 1).analyze().interpretation().directions().get(0).text())
        .contains("preempted");
  }

  @Test
  void equalStretchesNameNoDirection() {
    for (int seed = 0; seed < 3; seed++) {
      Interpretation found = run(seed, HEALTHY, HEALTHY).analyze().interpretation();
      assertThat(found.available()).isTrue();
      assertThat(found.directions()).isEmpty();
    }
  }

  @Test
  void oneLevelOfLoadHasNoReference() {
    MadeRun run = run(1, HEALTHY, HEALTHY);
    run.phases.remove(1);
    run.requests.removeIf(row -> row.phase().equals("second"));
    Interpretation found = run.analyze().interpretation();
    assertThat(found.available()).isFalse();
    assertThat(found.absence()).contains("a baseline run would serve");
  }

  @Test
  void aBaselineRunServesAsReference() {
    MadeRun baseline = run(1, HEALTHY, HEALTHY);
    MadeRun judged = run(2, new Truth(0.01, 0.6, 0.02, 0.005, 10), HEALTHY);
    judged.analyze();
    baseline.analyze();
    Interpretation found = Analyzer.analyze(judged, baseline).interpretation();
    assertThat(found.reference()).isEqualTo("run run-1");
    assertThat(found.directions().get(0).code()).isEqualTo(DirectionCode.SLOW_PREFILL);
  }

  @Test
  void aBaselineWithoutAHealthyPhaseIsNoReferenceAndNothingStandsIn() {
    MadeRun judged = run(2, HEALTHY, new Truth(0.01, 0.6, 0.02, 0.005, 10));
    assertThat(judged.analyze().interpretation().available()).isTrue();
    MadeRun tooFew = run(1, HEALTHY, HEALTHY);
    tooFew.requests.removeIf(row -> row.index() % 3 > 0);
    Interpretation found = Analyzer.analyze(judged, tooFew).interpretation();
    assertThat(found.available()).isFalse();
    assertThat(found.absence()).contains("the baseline run has no phase");
  }

  @Test
  void withoutAnEngineOnlyTheClientsSignalsAreKnown() {
    MadeRun run = run(1, HEALTHY, new Truth(0.01, 0.6, 0.02, 0.005, 10));
    run.scrapes.clear();
    Interpretation found = run.analyze().interpretation();
    assertThat(found.signals().get(0).state()).isEqualTo(Interpretation.State.HIGH);
    assertThat(found.signals().get(2).state()).isEqualTo(Interpretation.State.UNKNOWN);
    assertThat(found.directions()).isEmpty();
  }

  private static List<String> codes(Interpretation found) {
    return found.directions().stream().map(each -> each.code().code()).toList();
  }

  private static double known(Figure figure) {
    return ((Figure.Known) figure).value();
  }

  private static MadeRun run(long seed, Truth first, Truth second) {
    return run(seed, first, second, 0);
  }

  private static MadeRun run(long seed, Truth first, Truth second, int preemptions) {
    return run(seed, first, second, preemptions, 1);
  }

  /**
   * Two phases of a hundred seconds each; each request is preempted so many times, and so many
   * times as many come in the second.
   */
  private static MadeRun run(
      long seed, Truth first, Truth second, int preemptions, int timesAsMany) {
    SplittableRandom random = new SplittableRandom(seed);
    MadeRun run = new MadeRun().window(10, 215);
    run.phases.clear();
    run.phases.add(new Phase("first", false, 0, 100 * MadeRun.SECOND, 2));
    run.phases.add(new Phase("second", false, 100 * MadeRun.SECOND, 200 * MadeRun.SECOND, 2));
    List<double[]> engineParts = new ArrayList<>();
    for (int i = 0; i < REQUESTS * (1 + timesAsMany); i++) {
      double start = 10 + (i < REQUESTS ? i : REQUESTS + (i - REQUESTS) / (double) timesAsMany) / 2;
      Truth truth = i < REQUESTS ? first : second;
      double noise = 0.8 + 0.4 * random.nextDouble();
      double queue = truth.queue() * noise;
      double prefill = truth.prefill() * noise;
      double ttft = 0.0001 + queue + prefill + 0.003 + truth.outside();
      double gap = truth.gap() * (0.8 + 0.4 * random.nextDouble());
      run.requests.add(
          request(i, start)
              .phase(i < REQUESTS ? "first" : "second")
              .ttft(ttft)
              .gaps(gap, gap, gap, gap)
              .usage(truth.prompt(), 5)
              .planned(truth.prompt(), 5)
              .build());
      engineParts.add(new double[] {queue, prefill, queue + prefill + 0.003, gap});
    }
    scrape(run, engineParts, preemptions);
    return run;
  }

  private static void scrape(MadeRun run, List<double[]> engineParts, int preemptions) {
    List<RequestRow> byEnd = new ArrayList<>(run.requests);
    byEnd.sort(Comparator.comparingLong(row -> row.times().ended()));
    Exposition exposition = new Exposition();
    run.scrape(8.9, exposition);
    int served = 0;
    for (int at = 10; at <= 218; at++) {
      while (served < byEnd.size() && byEnd.get(served).times().ended() < at * 1e9) {
        RequestRow row = byEnd.get(served++);
        double[] parts = engineParts.get(row.index());
        exposition
            .count("prompt_tokens_total", row.usage().promptTokens())
            .count("generation_tokens_total", 5)
            .count("num_preemptions_total", preemptions)
            .success("length", 1)
            .observe("request_queue_time_seconds", parts[0])
            .observe("request_prefill_time_seconds", parts[1])
            .observe("time_to_first_token_seconds", parts[2])
            .observe("inter_token_latency_seconds", parts[3], 4)
            .observe("request_decode_time_seconds", parts[3] * 4)
            .observe("e2e_request_latency_seconds", parts[2] + parts[3] * 4)
            .observe("request_prompt_tokens", row.usage().promptTokens());
      }
      run.scrape(at, exposition);
    }
  }
}
