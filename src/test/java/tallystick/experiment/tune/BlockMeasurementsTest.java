package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.MadeRuns;

/** Two cells, the first one is today's; its TTFT P95 is 0.5 s in the first block, 1 s in others. */
class BlockMeasurementsTest {
  private static TunedRun played(int block, int cell, double ttft) {
    return new TunedRun(
        new TunedRun.Step(1, block, 0, cell, 1, block), 10,
        List.of(MadeRuns.run(block, ttft, Map.of(), List.of())), List.of(), "", false);
  }

  private static final BlockMeasurements EVIDENCE =
      new BlockMeasurements(
          List.of(
              played(1, 0, 0.5), played(2, 0, 1), played(3, 0, 1), played(1, 1, 0.4),
              played(4, 1, 9)),
          List.of(1, 2, 3), 0);

  @Test
  void aCellOfOneBlockIsSetToAllBlocksByWhatTodaysCellDidInThem() {
    double now = EVIDENCE.mean(0, TunedMetric.TTFT_P95).value();
    double other = EVIDENCE.mean(1, TunedMetric.TTFT_P95).value();

    assertThat(Math.exp(now)).isCloseTo(Math.cbrt(0.5), within(1e-9));
    assertThat(Math.exp(other - now)).isCloseTo(0.8, within(1e-9));
    assertThat(EVIDENCE.blocks(0)).isEqualTo(3);
    assertThat(EVIDENCE.blocks(1)).isEqualTo(1);
  }

  /** They have no mean: the middle run's, from the least to the most. */
  @Test
  void percentilesOfRunsAreNotAveraged() {
    SmallSampleStatistics.Gain ttft = EVIDENCE.figure(0, TunedMetric.TTFT_P95);

    assertThat(ttft).isEqualTo(new SmallSampleStatistics.Gain(1, 0.5, 1));
    assertThat(EVIDENCE.text(0, TunedMetric.TTFT_P95)).isEqualTo("500 ms–1.00 s");
    assertThat(EVIDENCE.text(1, TunedMetric.TTFT_P95)).isEqualTo("400 ms");
  }

  @Test
  void aPredictionIsComparedWithRunsOfItsOwnSchedule() {
    assertThat(Math.exp(EVIDENCE.under(1, 0, TunedMetric.TTFT_P95))).isCloseTo(0.5, within(1e-9));
    assertThat(EVIDENCE.under(77, 0, TunedMetric.TTFT_P95))
        .isEqualTo(EVIDENCE.mean(0, TunedMetric.TTFT_P95).value());
  }
}
