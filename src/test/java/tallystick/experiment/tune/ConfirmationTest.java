package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.Margins;
import tallystick.experiment.regress.RunFigures;

class ConfirmationTest {
  private static List<RunFigures> runs(double ttft, List<RunFigures.Doubt> doubts) {
    return LongStream.rangeClosed(1, 5)
        .mapToObj(seed -> MadeRuns.run(seed, ttft + seed / 1000.0, Map.of(), doubts))
        .toList();
  }

  @Test
  void aCellUnderWhichRequestsPileUpIsNotRecommended() {
    RunFigures.Doubt doubt = new RunFigures.Doubt(RunFigures.OVERLOADED, "requests piled up");

    Confirmation confirmation =
        Confirmation.of(
            new Cell(1, Map.of("max_num_seqs", "8")), runs(0.5, List.of()),
            runs(0.4, List.of(doubt)), Margins.usual(), 0.9);

    assertThat(confirmation.isEarned()).isFalse();
    assertThat(confirmation.objections()).contains("requests pile up in 5 of 5 of its runs");
  }
}
