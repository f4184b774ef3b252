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

  /** A machine that is slow in every fourth run had met the candidate oftener than the base. */
  @Test
  void whatComesEveryFourRunsMeetsBothSidesInTurn() {
    for (long seed = 1; seed <= 20; seed++) {
      for (int phase = 0; phase < 4; phase++) {
        int from = phase;
        List<Role> slow =
            pairs(8, seed).stream()
                .filter(step -> step.number() % 4 == from)
                .map(Step::role)
                .toList();
        assertThat(slow).hasSize(4).containsSubsequence(Role.BASE, Role.CANDIDATE);
        assertThat(slow.get(0)).isEqualTo(slow.get(2)).isNotEqualTo(slow.get(1));
      }
    }
    assertThat(LongStream.rangeClosed(1, 50).mapToObj(seed -> pairs(1, seed).get(0).role()))
        .contains(Role.BASE, Role.CANDIDATE);
  }
}
