package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.analysis.client.StallCandidates;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.StallAnalysis;
import tallystick.analysis.statistics.EventStudy;
import tallystick.analysis.statistics.RankCorrelation;
import tallystick.runrecord.HarnessRow;

class StallStudyTest {

  @Test
  void eventStudyMeansEqualTheVector() {
    JsonNode given = Vectors.read("correlation.json");
    double[] stalls = Vectors.doubles(given.get("stalls"));
    List<Integer> events = EventStudy.events(Vectors.doubles(given.get("preempt")));
    for (int offset = -2; offset <= 3; offset++) {
      assertThat(EventStudy.meanAt(stalls, events, offset))
          .isCloseTo(given.get("event_study").get("" + offset).asDouble(), within(1e-9));
    }
    assertThat(EventStudy.baseline(stalls, events))
        .isCloseTo(given.get("baseline").asDouble(), within(1e-9));
  }

  @Test
  void eventsCloseTogetherAreOne() {
    assertThat(EventStudy.merged(List.of(3, 8, 9, 11, 20))).containsExactly(3, 8, 20);
  }

  @Test
  void stallsThatEndWithPreemptionsAreRelated() {
    StallAnalysis stalls = run(1, true).analyze().stalls();
    assertThat(stalls.absence()).isEmpty();
    assertThat(stalls.verdict()).isEqualTo(StallAnalysis.Verdict.RELATED);
    assertThat(value(stalls.pValue())).isLessThan(0.05);
    assertThat(value(stalls.attributed())).isGreaterThan(5 * value(stalls.expected()) / 2);
    assertThat(value(stalls.preemptions())).isGreaterThanOrEqualTo(5);
  }

  @Test
  void stallsWithoutPreemptionsAreSeldomCalledRelated() {
    long related = 0;
    for (int seed = 0; seed < 20; seed++) {
      related += run(seed, false).analyze().stalls().verdict() == StallAnalysis.Verdict.RELATED
          ? 1 : 0;
    }
    // 5 % of 20 is 1; the bound leaves two standard deviations.
    assertThat(related).isLessThanOrEqualTo(3);
  }

  /** Two series that follow themselves and not each other; the largest of three lags counts. */
  @Test
  void theShiftTestHoldsItsLevelForSeriesThatFollowThemselves() {
    // 5 % of 1000 are 50; two standard deviations are 14.
    assertThat(smallPValues(1000, random -> bursts(random, 120))).isBetween(20, 64);
  }

  /** The same for counts that are mostly nothing, and 200 runs. */
  @Test
  void theShiftTestHoldsItsLevelForRareBursts() {
    assertThat(smallPValues(200, random -> rareBursts(random, 80))).isLessThanOrEqualTo(10);
  }

  /** How many pairs of series that have nothing to do with each other get a p of 5 % or less. */
  private static int smallPValues(int pairs, Function<SplittableRandom, double[]> series) {
    int small = 0;
    for (int seed = 0; seed < pairs; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RankCorrelation.Test test =
          RankCorrelation.circularShift(
              series.apply(random), series.apply(random), -1, 1, RankCorrelation.ALL_SHIFTS);
      small += test.pValue() <= 0.05 ? 1 : 0;
    }
    return small;
  }

  private static double[] rareBursts(SplittableRandom random, int length) {
    double[] series = new double[length];
    int left = 0;
    for (int i = 0; i < length; i++) {
      left = left > 0 ? left - 1 : random.nextInt(8) == 0 ? random.nextInt(4) : 0;
      series[i] = left > 0 ? random.nextInt(5) : 0;
    }
    return series;
  }

  /** Counts per interval that come in bursts of several intervals. */
  private static double[] bursts(SplittableRandom random, int length) {
    double[] counts = new double[length];
    double level = 0;
    for (int i = -50; i < length; i++) {
      level = 0.7 * level + random.nextDouble() - 0.5;
      if (i >= 0) {
        counts[i] = Math.max(0, Math.floor(6 * level));
      }
    }
    return counts;
  }

  @Test
  void fewPreemptionsAreNotCompared() {
    MadeRun run = run(1, true);
    run.scrapes.removeIf(row -> row.startedNanos() > 30e9 && row.startedNanos() < 112e9);
    run.scrapeIntervalSeconds = 100;
    StallAnalysis stalls = run.analyze().stalls();
    assertThat(stalls.available()).isFalse();
    assertThat(stalls.verdict()).isEqualTo(StallAnalysis.Verdict.TOO_FEW_EVENTS);
    assertThat(stalls.stalls()).isPositive();
  }

  @Test
  void aPauseTheHarnessNotedIsTheClients() {
    MadeRun run = run(1, false);
    run.requests.add(request(900, 20).gaps(0.01, 2.5, 0.01).build());
    long end = run.requests.get(run.requests.size() - 1).chunks().arrivalNanos()[2];
    run.harness.add(new HarnessRow.Stall(end, 2_400_000_000L));
    assertThat(run.analyze().stalls().clientSide()).isEqualTo(1);
  }

  /** Clocks apart by less than a scrape interval, as those of two machines are. */
  @ParameterizedTest
  @ValueSource(doubles = {-0.2, 0.2})
  void clocksApartMoveACorrelationByOneScrapeAtMost(double apart) {
    for (int seed = 0; seed < 10; seed++) {
      assertThat(Math.abs(movedIntervals(seed, apart))).as("seed %d", seed).isLessThanOrEqualTo(1);
    }
  }

  /** What the test above would miss if nothing moved: clocks apart by more than two intervals. */
  @Test
  void clocksFarApartMoveACorrelation() {
    assertThat(Math.abs(movedIntervals(1, -2.2))).isGreaterThanOrEqualTo(2);
  }

  private static int movedIntervals(long seed, double apart) {
    StallAnalysis together = run(seed, true).analyze().stalls();
    MadeRun run = run(seed, true);
    run.scrapes.replaceAll(row -> row.shifted(MadeRun.nanos(apart)));
    StallAnalysis moved = run.analyze().stalls();
    assertThat(moved.preemptions()).isEqualTo(together.preemptions());
    assertThat(moved.stalls()).isEqualTo(together.stalls());
    return strongest(moved) - strongest(together);
  }

  private static int strongest(StallAnalysis stalls) {
    return stalls.lags().stream()
        .max(Comparator.comparingDouble(lag -> value(lag.correlation())))
        .orElseThrow()
        .intervals();
  }

  @Test
  void activeStreamsAreCountedBetweenTheirFirstAndLastChunk() {
    StallCandidates candidates = new StallCandidates();
    candidates.read(request(0, 1).ttft(0).gaps(1, 1).build());
    candidates.read(request(1, 2).ttft(0).gaps(1, 1).build());
    StallCandidates.ActiveStreams streams = candidates.streams();
    assertThat(streams.at(MadeRun.nanos(1.5))).isEqualTo(1);
    assertThat(streams.at(MadeRun.nanos(2.5))).isEqualTo(2);
    assertThat(streams.at(MadeRun.nanos(3.5))).isEqualTo(1);
    assertThat(streams.at(MadeRun.nanos(4.5))).isZero();
  }

  /** A request each second for 100 s; some stall, and preemptions come with the stall's end. */
  private static MadeRun run(long seed, boolean together) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] preemptions = new double[130];
    MadeRun run = new MadeRun().window(10, 113);
    for (int i = 0; i < 100; i++) {
      double start = 10.2 + i;
      boolean stalls = random.nextInt(8) == 0;
      double[] gaps = new double[40];
      Arrays.fill(gaps, 0.01);
      if (stalls) {
        gaps[20] = 1.5;
      }
      run.requests.add(request(i, start).gaps(gaps).usage(10, 41).planned(10, 41).build());
      double stallEnd = start + 0.1 + 0.2 + 1.5;
      boolean preempts = together ? stalls : random.nextInt(8) == 0;
      preemptions[(int) Math.ceil(stallEnd)] += preempts ? 1 : 0;
    }
    Exposition exposition = new Exposition();
    run.scrape(8.9, exposition);
    for (int at = 10; at <= 116; at++) {
      exposition.count("num_preemptions_total", preemptions[at]);
      run.scrape(at, exposition);
    }
    return run;
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }
}
