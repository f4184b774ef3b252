package tallystick.experiment.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;

/** Steps worked out by hand. */
class StepReadingTest {
  private static final int BUDGET = 2048;

  private static RequestRow stream(int index, long started, int prompt, long... arrivals) {
    int[] tokens = new int[arrivals.length];
    Arrays.fill(tokens, 1);
    return stream(index, started, prompt, arrivals, tokens);
  }

  private static RequestRow stream(
      int index, long started, int prompt, long[] arrivals, int[] tokens) {
    long end = arrivals[arrivals.length - 1];
    return new RequestRow(
        index, "measure", "default", index, 0, "r" + index, prompt, tokens.length,
        new RequestRow.Times(started, started, -1, -1, started, started, started, end, -1),
        new RequestRow.Chunks(arrivals, tokens, 0),
        new RequestRow.Usage(prompt, Arrays.stream(tokens).sum(), 0),
        new RequestRow.Ending(Outcome.OK, 200, "length", ""),
        RequestRow.EngineTimings.NONE);
  }

  private static StepReading reading(RequestRow... rows) {
    return new StepReading(List.of(rows), BUDGET);
  }

  @Test
  void theOldestStreamIsTheClockAndWhatArrivesUpToItsNextTokenIsOfItsStep() {
    StepReading reading =
        reading(
            stream(0, -5, 10, 0, 10, 20, 50, 60),
            stream(1, 8, 100, 21, 51, 61, 70));

    List<ObservedStep> steps = reading.steps();

    assertThat(steps).extracting(ObservedStep::nanos).containsExactly(10.0, 10.0, 30.0);
    assertThat(steps.get(0).work()).containsExactly(1, 0, 0, 1, 11, 0, 0);
    assertThat(steps.get(1).work()).containsExactly(1, 100, 5000, 1, 12 + 100, 0, 0);
    assertThat(steps.get(2).work()).containsExactly(1, 0, 0, 2, 13 + 101, 0, 0);
    assertThat(steps.get(2).others()).isEqualTo(1);
    assertThat(steps.get(2).meanOffsetNanos()).isEqualTo(1);
    assertThat(reading.leftOut()).isZero();
  }

  /** On a busy machine the reader that was woken last runs first: a real client's did so. */
  @Test
  void tokensOfAStepMayArriveJustBeforeTheClocksInAnyOrder() {
    StepReading reading =
        reading(
            stream(0, -500, 10, 0, 1000, 2000, 3000, 4000),
            stream(1, 800, 100, 1990, 2990, 3990),
            stream(2, 1800, 50, 2980, 3980));

    List<ObservedStep> steps = reading.steps();

    assertThat(reading.leftOut()).isZero();
    assertThat(steps.get(0).work()).containsExactly(1, 0, 0, 1, 11, 0, 0);
    assertThat(steps.get(1).work()).containsExactly(1, 100, 5000, 1, 12 + 100, 0, 0);
    assertThat(steps.get(2).work())
        .containsExactly(1, 50, 50 * 25, 2, 13 + 101 + 50, 0, 0);
    assertThat(steps.get(2).others()).isEqualTo(2);
    assertThat(steps.get(2).meanOffsetNanos()).isEqualTo(15);
  }

  /** What an API server sends late is of its own step, however near the next one is. */
  @Test
  void aTokenThatIsNearerToTheOneBeforeItIsOfThatStep() {
    ObservedStep step =
        reading(
                stream(0, -500, 10, 0, 1000, 2000, 3000),
                stream(1, -400, 10, 400, 1400, 2400),
                stream(2, -300, 10, 700, 1700, 2700))
            .steps()
            .getLast();

    assertThat(step.work()[3]).isEqualTo(3);
    assertThat(step.meanOffsetNanos()).isEqualTo((400 + 700) / 2.0);
  }

  @Test
  void cachedTokensOfAPromptAreNotComputed() {
    RequestRow plain = stream(1, 8, 100, 20, 30);
    RequestRow cached =
        new RequestRow(
            1, "measure", "default", 1, 0, "r1", 100, 2, plain.times(), plain.chunks(),
            new RequestRow.Usage(100, 2, 60), plain.ending(), plain.engine());

    ObservedStep step = reading(stream(0, -5, 10, 0, 10, 20, 30), cached).steps().getLast();

    assertThat(step.work()).containsExactly(1, 40, 40 * 80, 1, 12 + 100, 0, 0);
  }

  @Test
  void aPromptThatHasNoRoomInItsLastStepWasBegunInTheStepBefore() {
    StepReading reading =
        new StepReading(
            List.of(
                stream(0, -5, 10, 0, 10, 20, 30, 40),
                stream(1, 5, 100, 30, 40)),
            64);

    List<ObservedStep> steps = reading.steps();

    assertThat(steps.get(0).work()[1]).isZero();
    // 63 tokens beside one decode, then the other 37.
    assertThat(steps.get(1).work()).containsExactly(1, 63, 63 * 31.5, 1, 12 + 63, 0, 0);
    assertThat(steps.get(2).work()).containsExactly(1, 37, 37 * 81.5, 1, 13 + 100, 0, 0);
  }

  @Test
  void bundledTokensAndThoseAfterAPreemptionAreLeftOutAndCounted() {
    RequestRow clock = stream(0, -5, 10, 0, 10, 20, 30, 40, 50, 60, 70);
    RequestRow bundled =
        stream(0, -5, 10, new long[] {0, 10, 30, 40, 50}, new int[] {1, 1, 2, 1, 1});
    RequestRow preempted = stream(1, -4, 50, 1, 11, 51, 61);

    assertThat(reading(bundled).leftOut()).isEqualTo(3);
    StepReading after = reading(clock, preempted);
    // The step in which it came back, and the one that follows.
    assertThat(after.leftOut()).isEqualTo(2);
    assertThat(after.steps()).extracting(ObservedStep::atNanos).doesNotContain(50L, 60L);
  }

  @Test
  void anIdleStartIsARequestThatNobodyWasBesideUntilItsFirstToken() {
    StepReading reading =
        reading(
            stream(0, 0, 10, 5, 10),
            stream(1, 20, 30, 27, 40),
            stream(2, 30, 30, 38, 41));

    List<RequestStart> idle = reading.starts();

    assertThat(idle).extracting(RequestStart::nanos).containsExactly(5.0, 7.0);
    assertThat(idle.getLast().work()).containsExactly(1, 30, 450, 0, 30, 1, 1);
    assertThat(idle.getLast().expected(new double[] {1, 2, 0, 9, 0, 3, 0}))
        .isCloseTo(64, within(1e-9));
  }

  /** It came at 33, while the step from 30 to 40 was on; the one from 40 to 55 computed it. */
  @Test
  void aRequestThatCameDuringAStepWaitedForItsEndHalfOfItOnAverage() {
    StepReading reading =
        reading(
            stream(0, 0, 10, 5, 10, 20, 30, 40, 55, 65, 75),
            stream(1, 33, 100, 56, 66, 76));

    RequestStart beside = reading.starts().getLast();

    assertThat(beside.isIdle()).isFalse();
    assertThat(beside.nanos()).isEqualTo(7);
    assertThat(beside.beforeNanos()).isEqualTo(20);
    assertThat(beside.work()).containsExactly(0, 0, 0, 0, 0, 1, 0);
    // The step before, of 9 by its costs, leaves 11 for the one it waited in.
    double[] costs = {9, 0, 0, 0, 0, 2, 50};
    assertThat(beside.restNanos(costs)).isEqualTo(5.5);
    assertThat(beside.expected(costs)).isEqualTo(7.5);
  }

  @Test
  void aRequestRightBehindAnothersPromptTellsNothing() {
    StepReading reading =
        reading(
            stream(0, 0, 10, 5, 10, 20, 30, 40, 55, 65, 75),
            stream(1, 22, 100, 41, 56, 66),
            stream(2, 33, 100, 57, 67, 76));
    assertThat(reading.starts()).extracting(RequestStart::atNanos).containsExactly(0L, 22L);
  }
}
