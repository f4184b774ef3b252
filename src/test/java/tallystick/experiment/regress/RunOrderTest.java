package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;

class RunOrderTest {
  private static List<Step> pairs(int pairs, long seed) {
    return IntStream.rangeClosed(1, pairs)
        .mapToObj(pair -> RunOrder.pair(pair, seed))
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void bothRunsOfAPairHaveOneSchedule() {
    List<Step> steps = pairs(4, 1);

    for (int i = 0; i < 4; i++) {
      assertThat(List.of(steps.get(2 * i).role(), steps.get(2 * i + 1).role()))
          .containsExactlyInAnyOrder(Role.BASE, Role.CANDIDATE);
      assertThat(steps.get(2 * i).seed()).isEqualTo(steps.get(2 * i + 1).seed());
    }
    assertThat(steps).extracting(Step::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(steps.stream().map(Step::seed).distinct()).hasSize(4);
  }

  /** A drift, or a cache that every second run finds warm, falls out of the mean. */
  @Test
  void ofTwoPairsOneBeginsWithTheCandidate() {
    LongStream.rangeClosed(1, 50)
        .forEach(
            seed -> {
              List<Step> steps = pairs(6, seed);
              for (int block = 0; block < 3; block++) {
                assertThat(steps.get(4 * block).role())
                    .isNotEqualTo(steps.get(4 * block + 2).role());
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
                    pairs(10, seed).stream()
                        .filter(step -> step.number() % 4 == 0)
                        .filter(step -> step.role() == Role.CANDIDATE)
                        .count())
            .sum();

    assertThat(ofCandidate).isBetween(200L, 300L);
  }
}
