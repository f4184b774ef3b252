package tallystick.experiment.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.experiment.fit.FittedCost.Standing;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.StepTimeProfile;

/** One planted engine, its runs in virtual time; many of them are in PlantedProfilesTest. */
class ProfileFittingTest {
  private static final StepTimeProfile TRUTH =
      new StepTimeProfile(
          "planted", 4e6, 20_000, 8, 60_000, 100,
          new StepTimeProfile.ApiServerTime(600_000, 900_000, 20_000, true), 0.05);
  private static final StepTimeProfile SCATTERED =
      new StepTimeProfile("scattered", 4e6, 20_000, 8, 60_000, 100, TRUTH.apiServer(), 0.35);
  private static final PlantedEngine ENGINE = new PlantedEngine(TRUTH, 3);

  @TempDir private Path folder;

  @Test
  void plantedCostsAreFoundAndTheFileGivesThemToASimulation() throws IOException {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(150, 16, 2500, 40);
    ProfileFitting fitting = new ProfileFitting();
    for (double load : new double[] {0.02, 0.5, 0.8}) {
      fitting.add(ENGINE.play(mix.at(load * ENGINE.fullRate(mix), 5), Map.of()), 2048);
    }

    FittedProfile found = fitting.fit("a test").orElseThrow();

    for (StepCostTerm cost :
        List.of(
            StepCostTerm.STEP,
            StepCostTerm.PREFILL_TOKEN,
            StepCostTerm.REQUEST,
            StepCostTerm.OUTPUT)) {
      assertThat(found.of(cost).standing()).as(found.text()).isEqualTo(Standing.KNOWN);
    }
    for (FittedCost cost : found.costs()) {
      if (cost.standing() == Standing.KNOWN) {
        assertThat(cost.micros())
            .as(cost.toString())
            .isCloseTo(PlantedEngine.truth(TRUTH, cost.cost()), Percentage.withPercentage(10));
      }
    }
    assertThat(found.seen().isOneEngine()).isTrue();
    assertThat(fitting.fit("a test").orElseThrow().text()).isEqualTo(found.text());
    Path file = Files.writeString(folder.resolve("p.properties"), found.text());
    StepTimeProfile read = PlantedEngine.ofFile(file);
    assertThat(read.baseNanos()).isCloseTo(4e6, Percentage.withPercentage(5));
    assertThat(read.apiServer().outputNanos()).isCloseTo(20_000, Percentage.withPercentage(5));
  }

  @Test
  void promptsOfOneLengthTellNoPromptCostApart() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(40, 100, 101, 40);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(mix.at(0.05, 5), Map.of()), 2048);

    FittedProfile found = fitting.fit("a test").orElseThrow();

    for (StepCostTerm cost : List.of(StepCostTerm.PREFILL_TOKEN, StepCostTerm.PREFILL_PAIR)) {
      assertThat(found.of(cost).standing()).as(found.text()).isEqualTo(Standing.NOT_IDENTIFIABLE);
    }
    assertThat(found.of(StepCostTerm.PREFILL_TOKEN).needs()).contains("vary prompt length");
    assertThat(found.text()).contains("# prefill_token_us", "not identifiable: vary");
  }

  /** All of the time may be the pairs' or the tokens': engines of both kinds are possible. */
  @Test
  void costsThatAreNotToldApartLeaveEnginesWithEitherOfThem() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(100, 100, 101, 40);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(mix.at(0.05 * ENGINE.fullRate(mix), 5), Map.of()), 2048);
    fitting.add(ENGINE.play(mix.at(0.5 * ENGINE.fullRate(mix), 6), Map.of()), 2048);

    FittedProfile found = fitting.fit("a test").orElseThrow();

    for (StepCostTerm cost : List.of(StepCostTerm.PREFILL_TOKEN, StepCostTerm.PREFILL_PAIR)) {
      double truth = PlantedEngine.truth(TRUTH, cost);
      assertThat(found.of(cost).low()).as(found.text()).isLessThanOrEqualTo(truth);
      assertThat(found.of(cost).high()).as(found.text()).isGreaterThanOrEqualTo(truth);
      assertThat(fitting.possible(found).engines())
          .anyMatch(engine -> engine.of(cost).micros() == 0)
          .anyMatch(engine -> engine.of(cost).micros() > truth);
    }
  }

  @Test
  void enginesOfUnequalSpeedGiveNoStepCosts() {
    StepTimeProfile slower =
        new StepTimeProfile("slower", 6e6, 30_000, 12, 90_000, 150, TRUTH.apiServer(), 0.05);
    PlantedEngine.Mix mix = new PlantedEngine.Mix(100, 16, 2500, 40);
    double rate = 0.4 * ENGINE.fullRate(mix);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(mix.at(rate, 5), Map.of()), 2048);
    fitting.add(new PlantedEngine(slower, 4).play(mix.at(rate, 6), Map.of()), 2048);

    FittedProfile found = fitting.fit("a test").orElseThrow();

    assertThat(found.seen().isOneEngine()).isFalse();
    assertThat(found.of(StepCostTerm.STEP).standing()).isEqualTo(Standing.NOT_IDENTIFIABLE);
    assertThat(found.of(StepCostTerm.STEP).needs()).isEqualTo("runs differ in speed");
  }

  /** Of twelve runs whose speed scatters by 4 % two lie 17 % apart; of two that is too much. */
  @Test
  void manyRunsLieFurtherApartThanTwo() {
    assertThat(seen(0.92, 1.075, 0.043).isOneEngine()).isTrue();
    assertThat(seen(0.92, 1.075, 0.11).isOneEngine()).isFalse();
  }

  private static FittedProfile.Seen seen(double fastest, double slowest, double spread) {
    return new FittedProfile.Seen(100, 0, 0, 0, 20, 60, fastest, slowest, spread);
  }

  /** By hand: logs of 0 and 0.02 have a spread of 0.02 x sqrt(1.5) about 0; t(1) at 95 %: 6.31. */
  @Test
  void aRunToComeMayBeAsFastAsStudentsTPredictsFromThoseThatWere() {
    PosteriorSpeeds speeds = new PosteriorSpeeds(new double[] {0, 0.02}, 0);
    assertThat(speeds.doubt()).isEmpty();
    double[] factors = speeds.factors(10);
    assertThat(factors[9]).isCloseTo(Math.exp(6.3138 * 0.02 * Math.sqrt(1.5)), within(1e-4));
    assertThat(factors[0] * factors[9]).isCloseTo(1, within(1e-9));
    assertThat(new PosteriorSpeeds(new double[] {0.1}, 0).doubt()).isEqualTo("one run, need 2");
    assertThat(new PosteriorSpeeds(new double[] {-0.2, 0.3}, 0).doubt())
        .isEqualTo("runs differ too much");
    // Equal runs whose speed moved within them: the next may be so throughout.
    assertThat(new PosteriorSpeeds(new double[] {0, 0}, 0.02).factors(10)[9])
        .isCloseTo(Math.exp(1.6449 * 0.02 * Math.sqrt(1.5)), within(1e-4));
    // Runs that agree to the last digit do not make a model exact.
    assertThat(new PosteriorSpeeds(new double[] {0, 0}, 0).factors(10)[9])
        .isCloseTo(Math.exp(1.6449 * 0.015 * Math.sqrt(1.5)), within(1e-4));
  }

  /** Twice the same run, on an engine that is by turns 2 s slow and 2 s fast: equal means. */
  @Test
  void aSpeedThatMovesWithinRunsWidensWhatARunToComeMayBe() {
    String slow =
        IntStream.range(0, 50)
            .mapToObj(turn -> "slow:prefill=1.5,decode=1.5,for=2s,at=" + 4 * turn + "s")
            .collect(Collectors.joining(";"));

    double[] calm = possibleSteps(Map.of());
    double[] moving = possibleSteps(Map.of("fault", slow));

    assertThat(calm[18] / calm[0]).isLessThan(1.1);
    // A standard deviation of a fifth, and 1.94 of them to each side.
    assertThat(moving[18] / moving[0]).isGreaterThan(1.9);
  }

  private static double[] possibleSteps(Map<String, String> flags) {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(400, 16, 2500, 40);
    List<RequestRow> rows = ENGINE.play(mix.at(0.3 * ENGINE.fullRate(mix), 5), flags);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(rows, 2048);
    fitting.add(rows, 2048);
    FittedProfile best = fitting.fit("a test").orElseThrow();
    return fitting.possible(best).engines().stream()
        .mapToDouble(engine -> engine.of(StepCostTerm.STEP).micros())
        .sorted()
        .toArray();
  }

  @Test
  void oneRunLeavesNoIntervalOfAPredictionAndTwoDo() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(100, 16, 2500, 40);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(mix.at(0.4 * ENGINE.fullRate(mix), 5), Map.of()), 2048);
    assertThat(fitting.possible(fitting.fit("a test").orElseThrow()).doubt())
        .isEqualTo("one run, need 2");

    fitting.add(ENGINE.play(mix.at(0.7 * ENGINE.fullRate(mix), 6), Map.of()), 2048);
    FittedProfile best = fitting.fit("a test").orElseThrow();
    PosteriorEngines possible = fitting.possible(best);
    assertThat(possible.engines()).hasSize(19);
    double[] steps =
        possible.engines().stream()
            .mapToDouble(one -> one.of(StepCostTerm.STEP).micros())
            .toArray();
    assertThat(Arrays.stream(steps).min().orElseThrow())
        .isLessThan(best.of(StepCostTerm.STEP).micros());
    assertThat(Arrays.stream(steps).max().orElseThrow())
        .isGreaterThan(best.of(StepCostTerm.STEP).micros());
  }

  /** Steps that scatter by a third: at half the time many are shorter than 0.4 of what was. */
  @Test
  void aFastRunsShortStepsAreNoStalls() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(100, 16, 2500, 40);
    double rate = 0.4 * ENGINE.fullRate(mix);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(new PlantedEngine(SCATTERED, 4).play(mix.at(rate, 5), Map.of()), 2048);
    FittedProfile found = fitting.fit("a test").orElseThrow();
    List<RequestRow> fast =
        new PlantedEngine(SCATTERED.times(0.55), 4).play(mix.at(rate, 6), Map.of());

    MeasuredRun run = new MeasuredRun("a", Map.of(), List.of(), List.of(fast), Map.of());

    assertThat(RunSpeedFactor.of(run, 2048, found).steps()).isCloseTo(0.55, within(0.02));
  }

  /** A real client's tokens: one in five is held up by up to a step and a half. */
  @Test
  void tokensThatAreHeldUpMakeNoStepSlower() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(300, 16, 300, 60);
    SplittableRandom random = new SplittableRandom(8);
    ProfileFitting fitting = new ProfileFitting();
    for (double load : new double[] {0.05, 0.4}) {
      List<RequestRow> rows = ENGINE.play(mix.at(load * ENGINE.fullRate(mix), 5), Map.of());
      fitting.add(rows.stream().map(row -> heldUp(row, random)).toList(), 2048);
    }

    FittedProfile found = fitting.fit("a test").orElseThrow();

    assertThat(found.of(StepCostTerm.STEP).micros())
        .isCloseTo(4000, Percentage.withPercentage(1.5));
    assertThat(found.scatter().whole()).isGreaterThan(0.2);
  }

  private static RequestRow heldUp(RequestRow row, SplittableRandom random) {
    long[] at = row.chunks().arrivalNanos().clone();
    for (int i = 0; i < at.length; i++) {
      at[i] += random.nextInt(5) == 0 ? random.nextLong(6_000_000) : 0;
      at[i] = Math.max(at[i], i == 0 ? 0 : at[i - 1] + 20_000);
    }
    return new RequestRow(
        row.index(), row.phase(), row.requestClass(), row.user(), row.target(), row.requestId(),
        row.promptTokens(), row.maxTokens(), row.times(),
        new RequestRow.Chunks(at, row.chunks().tokens(), 0), row.usage(), row.ending(),
        row.engine());
  }

  /** What an engine's hiccups take is no more in a long step, and the idle one wakes up. */
  @Test
  void scatterOfTheBaseAndTheWakeUpOfAnIdleEngineAreFoundAndWritten() throws IOException {
    StepTimeProfile truth =
        new StepTimeProfile(
            "wakes", 4e6, 80_000, 0, 100_000, 0, TRUTH.apiServer(), 1.5e6,
            new StepTimeProfile.Noise(0.05, 0.3));
    PlantedEngine engine = new PlantedEngine(truth, 3);
    PlantedEngine.Mix mix = new PlantedEngine.Mix(500, 16, 800, 40);
    ProfileFitting fitting = new ProfileFitting();
    for (double load : new double[] {0.05, 0.3, 0.5}) {
      fitting.add(engine.play(mix.at(load * engine.fullRate(mix), 5), Map.of()), 2048);
    }

    FittedProfile found = fitting.fit("a test").orElseThrow();

    Path file = Files.writeString(folder.resolve("p.properties"), found.text());
    StepTimeProfile read = PlantedEngine.ofFile(file);
    assertThat(read.noise().ofStep()).as(found.text()).isCloseTo(0.05, within(0.02));
    assertThat(read.noise().ofBase()).isCloseTo(0.3, within(0.03));
    assertThat(read.wakeNanos()).isCloseTo(1.5e6, Percentage.withPercentage(20));
    assertThat(found.of(StepCostTerm.REQUEST).micros())
        .isCloseTo(1500, Percentage.withPercentage(12));
  }

  /** Whoever answers an answer comes right after a step has begun, and not at any moment. */
  @Test
  void requestsOfAClosedLoopTellTheirCostOnAnIdleEngineAlone() {
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(closedLoop(1, 60), Map.of()), 2048);
    fitting.add(ENGINE.play(closedLoop(12, 400), Map.of()), 2048);

    FittedProfile found = fitting.fit("a test").orElseThrow();

    assertThat(found.of(StepCostTerm.REQUEST).micros())
        .as(found.text())
        .isCloseTo(1500, Percentage.withPercentage(12));
  }

  /** Each user sends the next request 1 ms after an answer. */
  /** Both were "0 to 0", and one asked for a lower rate, the other for a higher one. */
  @Test
  void ofAClosedLoopAloneNothingIsToldOfARequestsCostAndOneRunIsAskedFor() throws IOException {
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(closedLoop(12, 400), Map.of()), 2048);

    FittedProfile found = fitting.fit("a test").orElseThrow();

    assertThat(List.of(found.of(StepCostTerm.REQUEST), found.of(StepCostTerm.WAKE)))
        .allSatisfy(cost -> assertThat(cost.isBounded()).isFalse())
        .extracting(FittedCost::needs)
        .containsOnly("add a run at a low rate");
    assertThat(found.of(StepCostTerm.STEP).isBounded()).isTrue();
  }

  private static List<RequestRow> closedLoop(int users, int count) {
    SplittableRandom random = new SplittableRandom(users);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                PlantedEngine.request(
                    i, i % users, 1_000_000L * (1000 + i / users), 16 + random.nextInt(300),
                    20 + random.nextInt(40)))
        .toList();
  }

  /** The API server has a core of its own: requests took longer, steps did not. */
  @Test
  void aRunsStepsAndRequestsHaveASpeedEach() {
    PlantedEngine.Mix mix = new PlantedEngine.Mix(400, 16, 300, 40);
    double rate = 0.08 * ENGINE.fullRate(mix);
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(ENGINE.play(mix.at(rate, 5), Map.of()), 2048);
    FittedProfile found = fitting.fit("a test").orElseThrow();
    StepTimeProfile slow =
        new StepTimeProfile(
            "slow", 4e6, 20_000, 8, 60_000, 100,
            new StepTimeProfile.ApiServerTime(1_200_000, 1_800_000, 20_000, true), 0.05);
    List<RequestRow> rows = new PlantedEngine(slow, 4).play(mix.at(rate, 6), Map.of());

    RunSpeedFactor speed =
        RunSpeedFactor.of(
            new MeasuredRun("a", Map.of(), List.of(), List.of(rows), Map.of()), 2048, found);

    assertThat(speed.steps()).isCloseTo(1, within(0.02));
    assertThat(speed.requests()).isCloseTo(2, within(0.2));
    assertThat(speed.of(found).of(StepCostTerm.REQUEST).micros())
        .isCloseTo(3000, Percentage.withPercentage(10));
    assertThat(speed.of(found).of(StepCostTerm.STEP).micros())
        .isCloseTo(4000, Percentage.withPercentage(2));
  }

  /** Forty requests met an idle engine: a rate that is low enough is there. */
  @Test
  void whereALowRateIsThereMoreRequestsTellWhatARequestCosts() {
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(
        new PlantedEngine(SCATTERED, 4)
            .play(new PlantedEngine.Mix(40, 16, 2500, 40).at(0.05, 5), Map.of()),
        2048);

    FittedCost request = fitting.fit("a test").orElseThrow().of(StepCostTerm.REQUEST);

    assertThat(request.standing()).isEqualTo(Standing.NOT_IDENTIFIABLE);
    assertThat(request.needs()).isEqualTo("add a longer run at a low rate");
  }

  @Test
  void answersOfOneTokenGiveNoStep() {
    ProfileFitting fitting = new ProfileFitting();
    fitting.add(
        ENGINE.play(new PlantedEngine.Mix(20, 10, 100, 1).at(1, 1), Map.of()), 2048);

    assertThat(fitting.fit("a test")).isEmpty();
  }

  @Test
  void runsOfUnlikeEnginesAreRefusedWithTheKeysThatDiffer() {
    MeasuredRun one = run("a", Map.of("model", "m", "block_size", "16"), List.of());
    MeasuredRun other = run("b", Map.of("model", "m", "block_size", "32"), List.of());
    MeasuredRun doubtful = run("c", one.keys(), List.of("no scrapes of the engine"));

    assertThat(MeasuredRun.unfit(List.of(one, one))).isEmpty();
    assertThat(MeasuredRun.unfit(List.of(one, other)))
        .isEqualTo(Optional.of("a and b differ in block_size (16, 32)"));
    assertThat(MeasuredRun.unfit(List.of(one, doubtful)).orElseThrow())
        .contains("c is not trusted: no scrapes");
  }

  private static MeasuredRun run(String name, Map<String, String> keys, List<String> doubts) {
    return new MeasuredRun(name, keys, doubts, List.of(), Map.of());
  }
}
