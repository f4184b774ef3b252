package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;

class RunOrderTest {
  @Test
  void pairsOfOneScheduleStandBetweenTwoReferences() {
    List<Step> steps = RunOrder.pairs(4, 1);

    assertThat(steps.getFirst().role()).isEqualTo(Role.REFERENCE);
    assertThat(steps.getLast().role()).isEqualTo(Role.REFERENCE);
    for (int pair = 1; pair <= 4; pair++) {
      assertThat(List.of(steps.get(2 * pair - 1).role(), steps.get(2 * pair).role()))
          .containsExactlyInAnyOrder(Role.BASE, Role.CANDIDATE);
      assertThat(steps.get(2 * pair - 1).seed()).isEqualTo(steps.get(2 * pair).seed());
    }
    assertThat(steps.stream().map(Step::seed).distinct()).hasSize(5);
    assertThat(RunOrder.pairs(4, 1)).isEqualTo(steps);
  }

  /** A drift, or a cache that every second run finds warm, falls out of the mean. */
  @Test
  void ofTwoPairsOneBeginsWithTheCandidate() {
    LongStream.rangeClosed(1, 50)
        .forEach(
            seed -> {
              List<Step> steps = RunOrder.pairs(6, seed);
              for (int block = 0; block < 3; block++) {
                assertThat(steps.get(4 * block + 1).role())
                    .isNotEqualTo(steps.get(4 * block + 3).role());
              }
            });
  }

  /** A machine that is slow in every fourth run had always met the candidate. */
  @Test
  void whatComesEveryFourRunsMeetsBothSides() {
    long ofCandidate =
        LongStream.rangeClosed(1, 100)
            .map(
                seed ->
                    RunOrder.pairs(10, seed).stream()
                        .filter(step -> step.number() % 4 == 0)
                        .filter(step -> step.role() == Role.CANDIDATE)
                        .count())
            .sum();

    assertThat(ofCandidate).isBetween(200L, 300L);
  }
}
