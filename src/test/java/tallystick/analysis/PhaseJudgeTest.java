package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.SteadyMean;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.scenario.Objective;

class PhaseJudgeTest {

  @Test
  void aSteadyPhaseIsCalledSteadyAndNotOverloaded() {
    PhaseAnalysis phase = analyze(ttft -> 0.1);
    assertThat(phase.steady().verdict()).isEqualTo(PhaseAnalysis.SteadyState.Verdict.STEADY);
    assertThat(phase.overload().verdict()).isEqualTo(PhaseAnalysis.Overload.Verdict.NO_GROWTH_SEEN);
    assertThat(phase.changes()).isEmpty();
  }

  @Test
  void aGrowingQueueIsAnOverloadWithoutSteadyState() {
    PhaseAnalysis phase = analyze(i -> 0.1 + i * 0.1);
    assertThat(phase.overload().verdict()).isEqualTo(PhaseAnalysis.Overload.Verdict.OVERLOADED);
    assertThat(phase.steady().verdict())
        .isEqualTo(PhaseAnalysis.SteadyState.Verdict.NO_STEADY_STATE);
  }

  /** Half of its requests stay longer than a quarter of the phase: so do many answers, unqueued. */
  @Test
  void aQueueThatOutgrowsThePhaseIsAnOverloadAndLongRequestsAreNone() {
    assertThat(analyze(i -> 0.1 + i * 0.5).overload().verdict())
        .isEqualTo(PhaseAnalysis.Overload.Verdict.OVERLOADED);
    assertThat(analyze(i -> 60).overload().verdict())
        .isEqualTo(PhaseAnalysis.Overload.Verdict.CANNOT_TELL);
    assertThat(analyze(i -> i % 3 == 0 ? 0.1 : 60).overload().verdict())
        .isEqualTo(PhaseAnalysis.Overload.Verdict.CANNOT_TELL);
  }

  /** On a real engine at half of its load 4 in flight, of 1,189 in all, were an "overload". */
  @Test
  void aFewMoreRequestsInFlightThanChanceMakesAreNoOverload() {
    PhaseAnalysis.Overload overload = analyze(i -> 0.1 + i * 0.01).overload();
    assertThat(overload.pValue().orNaN()).isLessThan(0.01);
    assertThat(overload.relativeGrowth().orNaN()).isGreaterThan(0.5);
    assertThat(overload.verdict()).isEqualTo(PhaseAnalysis.Overload.Verdict.NO_GROWTH_SEEN);
    assertThat(overload.text()).startsWith("Requests in flight grew by 5");
  }

  @Test
  void theTimeTheEngineNeedsToFillIsLeftOut() {
    PhaseAnalysis phase = analyze(i -> 0.1);
    double stay = known(phase.e2e().mean());
    assertThat(known(phase.steady().cutSeconds())).isCloseTo(2 * stay, within(0.1 * stay));
    assertThat(phase.steady().text()).contains("in which the engine fills");
  }

  @Test
  void aBurstIsNotCutAway() {
    // MSER would leave out everything up to the burst's end: the rest has the smaller spread.
    PhaseAnalysis phase = analyze(i -> i >= 60 && i < 80 ? 0.13 : 0.1);
    assertThat(phase.steady().verdict()).isEqualTo(PhaseAnalysis.SteadyState.Verdict.STEADY);
    assertThat(known(phase.steady().cutRequests())).isLessThan(10);
  }

  @Test
  void aStartLongerThanFillingIsAChangeAndNoPartOfASteadyMean() {
    PhaseAnalysis phase = analyze(i -> i < 40 ? 2.0 - 0.045 * i : 0.1);
    assertThat(phase.changes()).isNotEmpty();
    assertThat(phase.steady().verdict())
        .isEqualTo(PhaseAnalysis.SteadyState.Verdict.NO_STEADY_STATE);
    assertThat(phase.steady().mean().value()).isInstanceOf(Figure.Unavailable.class);
  }

  @Test
  void whatChangedItsLevelIsNotCalledSteady() {
    PhaseAnalysis phase = analyze(i -> i < 150 ? 0.4 : 0.1);
    assertThat(phase.steady().verdict())
        .isEqualTo(PhaseAnalysis.SteadyState.Verdict.NO_STEADY_STATE);
    assertThat(phase.steady().text()).isEqualTo("TTFT has no steady level.");
  }

  @Test
  void aChangeOfLevelIsLocated() {
    PhaseAnalysis phase = analyze(i -> i < 150 ? 0.1 : 0.4);
    assertThat(phase.changes()).hasSize(1);
    assertThat(phase.changes().get(0).atSeconds()).isCloseTo(75, within(4.0));
    assertThat(phase.changes().get(0).before()).isCloseTo(0.1, within(0.02));
    assertThat(phase.changes().get(0).after()).isCloseTo(0.4, within(0.02));
  }

  @Test
  void aClosedLoopCannotShowOverload() {
    MadeRun run = run(i -> 0.1 + i * 0.1);
    run.loop = LoopShape.CLOSED;
    assertThat(run.analyze().phases().get(0).overload().verdict())
        .isEqualTo(PhaseAnalysis.Overload.Verdict.CANNOT_TELL);
  }

  @Test
  void stepsAreJudgedApart() {
    MadeRun run = run(i -> i < 150 ? 0.1 : 0.4);
    run.phases.clear();
    run.phases.add(new Phase("low", false, 0, 75 * MadeRun.SECOND, 2));
    run.phases.add(new Phase("high", false, 75 * MadeRun.SECOND, 150 * MadeRun.SECOND, 2));
    for (int i = 0; i < 300; i++) {
      String name = i < 150 ? "low" : "high";
      double ttft = i < 150 ? 0.1 : 0.4;
      run.requests.set(i, request(i, 10 + i * 0.5).phase(name).ttft(ttft).build());
    }
    RunAnalysis analysis = run.analyze();
    assertThat(analysis.phases()).hasSize(2);
    assertThat(analysis.phases().get(1).ttft().mean()).isEqualTo(Figure.of(0.4));
    assertThat(analysis.phases().get(0).requests()).isEqualTo(150);
  }

  /** By hand: of the 150 of each step every third of "high" waits 0.4 s, beyond the 0.2 s. */
  @Test
  void theGoodRequestsOfAStepAreItsOwn() {
    MadeRun run = run(i -> 0.1);
    run.objectives.clear();
    run.objectives.add(new Objective(Objective.Metric.TTFT, 0.2, 0.99, ""));
    run.phases.clear();
    run.phases.add(new Phase("low", false, 0, 75 * MadeRun.SECOND, 2));
    run.phases.add(new Phase("high", false, 75 * MadeRun.SECOND, 150 * MadeRun.SECOND, 3));
    run.phases.add(new Phase("few", false, 150 * MadeRun.SECOND, 152 * MadeRun.SECOND, 4));
    for (int i = 0; i < 300; i++) {
      String name = i < 150 ? "low" : i < 281 ? "high" : "few";
      double ttft = name.equals("high") && i % 3 == 0 ? 0.4 : 0.1;
      run.requests.set(i, request(i, 10 + i * 0.5).phase(name).ttft(ttft).build());
    }
    List<PhaseAnalysis> phases = run.analyze().phases();
    assertThat(phases.get(0).goodput())
        .isEqualTo(
            new PhaseAnalysis.PhaseGoodput(150, 150, Figure.of(1), Figure.of(2)));
    assertThat(phases.get(1).goodput())
        .isEqualTo(
            new PhaseAnalysis.PhaseGoodput(
                87, 131, Figure.of(87 / 131.0), Figure.of(3 * 87 / 131.0)));
    Figure few = Figure.missing("n=19, need 20");
    assertThat(phases.get(2).goodput())
        .isEqualTo(new PhaseAnalysis.PhaseGoodput(19, 19, few, few));
  }

  @Test
  void withoutAConstantRateGoodRequestsHaveAShareAndNoRate() {
    MadeRun run = run(i -> 0.1);
    run.objectives.clear();
    run.objectives.add(new Objective(Objective.Metric.TTFT, 0.2, 0.99, ""));
    run.phases.set(0, new Phase("main", false, 0, 150 * MadeRun.SECOND, 0));
    PhaseAnalysis.PhaseGoodput goodput = run.analyze().phases().get(0).goodput();
    assertThat(goodput.share()).isEqualTo(Figure.of(1));
    assertThat(goodput.requestsPerSecond()).isEqualTo(Figure.missing("no constant rate"));
  }

  @Test
  void withoutAnObjectiveOnRequestsAPhaseHasNoGoodput() {
    MadeRun run = run(i -> 0.1);
    run.objectives.clear();
    Figure none = Figure.missing("no request that an objective judges");
    assertThat(run.analyze().phases().get(0).goodput())
        .isEqualTo(new PhaseAnalysis.PhaseGoodput(0, 0, none, none));
  }

  @Test
  void severalChangesAreLocatedInOrder() {
    PhaseAnalysis phase = analyze(i -> i < 100 ? 0.1 : i < 200 ? 0.4 : 0.15);
    assertThat(phase.changes()).hasSize(2);
    assertThat(phase.changes().get(0).atSeconds()).isCloseTo(50, within(4.0));
    assertThat(phase.changes().get(1).atSeconds()).isCloseTo(100, within(4.0));
  }

  @Test
  void aPhaseTooShortToTellSaysSo() {
    MadeRun run = run(i -> 0.1);
    run.requests.subList(30, run.requests.size()).clear();
    PhaseAnalysis phase = run.analyze().phases().get(0);
    assertThat(phase.steady().verdict()).isEqualTo(PhaseAnalysis.SteadyState.Verdict.TOO_FEW);
    assertThat(phase.steady().mean().value()).isInstanceOf(Figure.Unavailable.class);
    assertThat(phase.overload().verdict()).isEqualTo(PhaseAnalysis.Overload.Verdict.CANNOT_TELL);
    assertThat(phase.changes()).isEmpty();
  }

  @Test
  void theIntervalOfTheSteadyMeanMissesOnBothSidesAlikeAlthoughBurstsAreLopsided() {
    int below = 0;
    int above = 0;
    for (int seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      // Lognormal values of mean e^0.5, in batches that are as lopsided as those of bursts.
      double[] series =
          DoubleStream.generate(() -> Math.exp(random.nextGaussian())).limit(30).toArray();
      Interval interval = SteadyMean.of(series, 0);
      below += known(interval.high()) < Math.exp(0.5) ? 1 : 0;
      above += known(interval.low()) > Math.exp(0.5) ? 1 : 0;
    }
    // Without the skewness: about 110 below, none above.
    assertThat(below).as("below").isLessThan(75);
    assertThat(above).as("above").isGreaterThan(3);
  }

  @Test
  void theIntervalOfTheSteadyMeanHoldsTheTruthAlthoughNeighboursAreAlike() {
    int held = 0;
    int refused = 0;
    for (int seed = 0; seed < 400; seed++) {
      Interval interval = SteadyMean.of(autocorrelated(seed, 400, 0.8), 0);
      if (interval.low() instanceof Figure.Known low
          && interval.high() instanceof Figure.Known high) {
        held += low.value() <= 1 && 1 <= high.value() ? 1 : 0;
      } else {
        refused++;
      }
    }
    // Nominal 95 %; taking every value for independent would hold the truth in about half.
    assertThat(refused).isLessThan(80);
    assertThat(held / (400.0 - refused)).isBetween(0.88, 1.0);
  }

  /** An autoregressive series around 1. */
  private static double[] autocorrelated(int seed, int length, double rho) {
    Random random = new Random(seed);
    double[] series = new double[length];
    double deviation = random.nextGaussian() / Math.sqrt(1 - rho * rho);
    for (int i = 0; i < length; i++) {
      series[i] = 1 + 0.1 * deviation;
      deviation = rho * deviation + random.nextGaussian();
    }
    return series;
  }

  private static double known(Figure figure) {
    return ((Figure.Known) figure).value();
  }

  private static PhaseAnalysis analyze(IntToDoubleFunction ttft) {
    return run(ttft).analyze().phases().get(0);
  }

  /** Three hundred requests, two a second, with a little noise. */
  private static MadeRun run(IntToDoubleFunction ttft) {
    SplittableRandom random = new SplittableRandom(9);
    MadeRun run = new MadeRun().window(10, 200);
    run.phases.clear();
    run.phases.add(new Phase("main", false, 0, 150 * MadeRun.SECOND, 2));
    for (int i = 0; i < 300; i++) {
      double wait = ttft.applyAsDouble(i) * (0.9 + 0.2 * random.nextDouble());
      run.requests.add(request(i, 10 + i * 0.5).ttft(wait).build());
    }
    return run;
  }
}
