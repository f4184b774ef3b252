package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DesignSpaceTest {
  private static final List<String> TWO =
      List.of("--max-num-seqs=8, 16,64", "max_num_batched_tokens=512,2048");

  @Test
  void everyCombinationIsACellAndTheMiddleValuesAreToday() {
    DesignSpace grid = DesignSpace.of(TWO, Map.of());

    assertThat(grid.cells()).extracting(Configuration::words)
        .containsExactly("8/512", "8/2048", "16/512", "16/2048", "64/512", "64/2048");
    assertThat(grid.current().words()).isEqualTo("16/512");
    assertThat(grid.words()).isEqualTo("max_num_seqs x max_num_batched_tokens");
  }

  @Test
  void todayIsWhatIsNamedAndMustBeOneOfTheValues() {
    assertThat(DesignSpace.of(TWO, Map.of("max_num_seqs", "64")).current().words())
        .isEqualTo("64/512");
    assertThatThrownBy(() -> DesignSpace.of(TWO, Map.of("max_num_seqs", "32")))
        .hasMessageContaining("max_num_seqs is 32 now, which is not among [8, 16, 64]");
  }

  @Test
  void oneCellAloneAndMistypedFlagsAreRefused() {
    assertThatThrownBy(() -> DesignSpace.of(List.of("max_num_seqs=8"), Map.of()))
        .hasMessageContaining("nothing to choose from");
    assertThatThrownBy(() -> DesignSpace.of(List.of(), Map.of()))
        .hasMessageContaining("nothing to choose from");
    assertThatThrownBy(() -> DesignSpace.of(List.of("max_num_seqs"), Map.of()))
        .hasMessageContaining("is written as max_num_seqs=8,16,64");
    assertThatThrownBy(() -> DesignSpace.of(List.of("max_num_seqs=8,,9"), Map.of()))
        .hasMessageContaining("is written as");
    assertThatThrownBy(() -> DesignSpace.of(List.of("max_num_seqs=8,8"), Map.of()))
        .hasMessageContaining("names a value twice");
    assertThatThrownBy(() -> DesignSpace.of(List.of("a=1,2", "a=3,4"), Map.of()))
        .hasMessageContaining("a varies twice");
  }

  @Test
  void ofVeryManyCombinationsAPartIsTriedThatHasEveryValueAndToday() {
    DesignSpace grid =
        DesignSpace.of(
            List.of("a=1,2,3,4,5", "b=1,2,3,4,5", "c=1,2,3,4"), Map.of("a", "1", "c", "4"));

    assertThat(grid.cells()).hasSizeBetween(24, 25).contains(grid.current());
    assertThat(grid.current().words()).isEqualTo("1/3/4");
    assertThat(new HashSet<>(grid.cells())).hasSameSizeAs(grid.cells());
    for (DesignSpace.Factor factor : grid.factors()) {
      assertThat(grid.cells()).extracting(cell -> cell.settings().get(factor.flag()))
          .containsAll(factor.values());
    }
  }

  /** Whoever types 64 first means no other middle, and the edges are the smallest and largest. */
  @Test
  void numbersStandInTheirOrderAndAreNamedOnceHoweverTheyAreWritten() {
    DesignSpace grid = DesignSpace.of(List.of("max_num_seqs=64,8,16"), Map.of());

    assertThat(grid.cells()).extracting(Configuration::words).containsExactly("8", "16", "64");
    assertThat(grid.current().words()).isEqualTo("16");
    assertThat(grid.factors().getFirst().isEdge("64")).isTrue();
    assertThat(grid.factors().getFirst().isEdge("16")).isFalse();
    assertThatThrownBy(() -> DesignSpace.of(List.of("max_num_seqs=4,04"), Map.of()))
        .hasMessageContaining("names a value twice");
  }

  @Test
  void wordsHaveNoEdgeBeyondWhichThereIsMore() {
    DesignSpace grid = DesignSpace.of(List.of("scheduling_policy=priority,fcfs"), Map.of());

    assertThat(grid.cells()).extracting(Configuration::words).containsExactly("priority", "fcfs");
    assertThat(grid.factors().getFirst().isEdge("fcfs")).isFalse();
  }
}
