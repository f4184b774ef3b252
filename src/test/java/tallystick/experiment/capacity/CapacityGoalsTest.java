package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Searches on simulated engines whose capacity twelve hours of load at several rates have told. */
class CapacityGoalsTest {
  private static final double HALF_HOUR = 1800;
  private static final double EIGHT_MINUTES = 480;

  /**
   * Of 21 intervals of 90 % as many hold the truth in 98.5 of 100 tries, by the binomial
   * distribution; 17 or more in 94.8.
   */
  private static final int HELD_OF_21 = 16;

  private static final double NO_BUDGET = 18_000;
  private static final double[] FIRST = {0.4, 0.7, 1.3, 2};

  /**
   * An engine, its limits, and its capacity.
   *
   * @param share of requests that must be good
   * @param truth the rate at which just that share is good
   */
  private record World(SimulatedBench bench, double share, double truth) {}

  private static final List<World> WORLDS =
      List.of(
          new World(bench(0.25, 0.05, 350, 60, Map.of("max-num-seqs", "16")), 0.99, 15.93),
          new World(bench(0.5, 0.03, 200, 40, Map.of("max-num-seqs", "8")), 0.99, 17.5),
          new World(
              bench(
                  1, 0.05, 600, 80,
                  Map.of("max-num-seqs", "32", "num-gpu-blocks-override", "900")),
              0.99, 14.32),
          new World(bench(0.1, 0.02, 350, 60, Map.of("max-num-seqs", "24")), 0.99, 18.42),
          new World(bench(0.25, 0.03, 350, 60, Map.of()), 0.99, 36.22),
          new World(bench(0.5, 0.03, 500, 150, Map.of()), 0.99, 15.33),
          new World(bench(0.25, 0.05, 350, 60, Map.of("max-num-seqs", "16")), 0.95, 18.21));

  private static SimulatedBench bench(
      double ttft, double tpot, int prompt, int output, Map<String, String> engine) {
    return new SimulatedBench(ttft, tpot, prompt, output, engine);
  }

  private static CapacityAnswer search(int seed, double budgetSeconds) {
    World world = WORLDS.get(seed % WORLDS.size());
    double first = world.truth() * FIRST[seed / WORLDS.size() % FIRST.length];
    CapacitySearch search =
        new CapacitySearch(
            new CapacityQuestion(
                world.share(), first, false, Ceiling.users(world.bench().sequences()), 1500,
                budgetSeconds, 5, seed));
    List<ProbeResult> done = new ArrayList<>();
    while (true) {
      switch (search.next(done)) {
        case CapacitySearch.Step.Play play ->
            done.add(world.bench().play(play.probe()));
        case CapacitySearch.Step.Conclude end -> {
          return end.answer();
        }
      }
    }
  }

  private static boolean holds(int seed, CapacityAnswer answer) {
    double truth = WORLDS.get(seed % WORLDS.size()).truth();
    return answer.interval().middle().isPresent()
        && answer.interval().low() <= truth
        && answer.interval().high() >= truth;
  }

  @Test
  @Tag("stress")
  void theIntervalOfHalfAnHourHoldsTheTruth() {
    int held = 0;
    int narrow = 0;
    int certified = 0;
    int above = 0;
    for (int seed = 700; seed < 721; seed++) {
      CapacityAnswer answer = search(seed, HALF_HOUR);
      held += holds(seed, answer) ? 1 : 0;
      narrow += answer.interval().ratio() <= 1.1 ? 1 : 0;
      if (answer instanceof CapacityAnswer.Certified sure) {
        certified++;
        above += sure.perSecond() > WORLDS.get(seed % WORLDS.size()).truth() ? 1 : 0;
      }
    }
    assertThat(held).isGreaterThanOrEqualTo(HELD_OF_21);
    // 83 of 100 other seeds are; of 21 as many are in 97.6 of 100 tries then.
    assertThat(narrow).isGreaterThanOrEqualTo(14);
    // Of 21 of which 85 in 100 are, as many are in 97 of 100 tries.
    assertThat(certified).isGreaterThanOrEqualTo(15);
    // Of 21 of which one in fifty is, as many are in 93 of 100 tries.
    assertThat(above).isLessThanOrEqualTo(1);
  }

  @Test
  @Tag("stress")
  void theIntervalOfEightMinutesHoldsTheTruth() {
    int held = 0;
    int narrow = 0;
    for (int seed = 740; seed < 761; seed++) {
      CapacityAnswer answer = search(seed, EIGHT_MINUTES);
      held += holds(seed, answer) ? 1 : 0;
      narrow += answer.interval().ratio() <= 1.2 ? 1 : 0;
    }
    assertThat(held).isGreaterThanOrEqualTo(HELD_OF_21);
    // 87 of 100 other seeds are; of 21 as many are in 98 of 100 tries then.
    assertThat(narrow).isGreaterThanOrEqualTo(15);
  }

  @Test
  @Tag("stress")
  void aCertifiedRateLiesWithinATenthOfTheTruth() {
    int near = 0;
    for (int seed = 721; seed < 728; seed++) {
      CapacityAnswer answer = search(seed, NO_BUDGET);
      double truth = WORLDS.get(seed % WORLDS.size()).truth();
      near +=
          answer instanceof CapacityAnswer.Certified certified
                  && Math.abs(certified.perSecond() / truth - 1) <= 0.1
              ? 1
              : 0;
    }
    assertThat(near).isGreaterThanOrEqualTo(6);
  }

  @Test
  void aSmallEngineIsSearchedInTheOrdinaryBuild() {
    int seed = 706;

    assertThat(holds(seed, search(seed, HALF_HOUR))).isTrue();
  }
}
