package tallystick.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.MadeRuns;
import tallystick.experiment.regress.NonInferiorityMargins;

class ScreeningTest {
  private static final DesignSpace GRID =
      DesignSpace.of(List.of("max_num_seqs=8,64"), Map.of("max_num_seqs", "8"));

  private static final Screening.Question QUESTION = new Screening.Question(GRID, 0.95, 3, 5);

  /** Good requests a second, the mean TPOT and the P99 of gaps of one run. */
  private record Played(double goodput, double tpot, double gap) {
    Played(double goodput, double tpot) {
      this(goodput, tpot, 0.05);
    }
  }

  private static ComparedRun figures(Played played) {
    ComparedRun made =
        MadeRuns.good(MadeRuns.run(1, 0.3, Map.of(), List.of()), played.goodput / 10, 200);
    Map<ComparedMetric, Double> metrics = new EnumMap<>(made.metrics());
    metrics.put(ComparedMetric.GOODPUT, played.goodput);
    metrics.put(ComparedMetric.TPOT_MEAN, played.tpot);
    metrics.put(ComparedMetric.ITL_P99, played.gap);
    return new ComparedRun(
        made.runId(), made.scenario(), made.startedUtc(), made.seed(), metrics, made.missing(),
        made.ttft(), made.e2e(), made.load(), made.likeness(), made.settings(), made.engine(),
        made.doubts());
  }

  private static SmallSampleStatistics.Gain gain(Played... runs) {
    return screening(runs).gain(1);
  }

  /** In each block the current cell, the other, the current once more. */
  private static Screening screening(Played... runs) {
    PredictedGrid none = new PredictedGrid(GRID, 0.95, List.of());
    List<TunedRun> done = new ArrayList<>();
    for (Played played : runs) {
      TunedRun.Step due = new Screening(QUESTION, none, done).due().orElseThrow();
      done.add(new TunedRun(due, 60, List.of(figures(played)), List.of(), "", false));
    }
    return new Screening(QUESTION, none, done);
  }

  /** Runs of a real vLLM at a load that 8 sequences cannot carry: 16.7, 100 and 3.9 % good. */
  @Test
  void whatSwingsNearNothingHidesNoGain() {
    SmallSampleStatistics.Gain gain =
        gain(new Played(1.501, 0.020), new Played(10, 0.016), new Played(0.3108, 0.0227));
    assertThat(gain.value()).isEqualTo(Math.log(10 / 0.683), within(0.001));
    assertThat(gain.low()).isPositive();
  }

  @Test
  void aGainNoLargerThanTheSwingIsNone() {
    assertThat(gain(new Played(9, 0.02), new Played(9.5, 0.02), new Played(4, 0.02)).low())
        .isNegative();
    assertThat(gain(new Played(4, 0.02), new Played(8, 0.02), new Played(4, 0.02)).low())
        .isNegative();
  }

  @Test
  void aDriftOfTheEngineMultipliesWhatIsLeft() {
    Played today = new Played(1, 0.02);
    Played slowed = new Played(1, 0.03);
    assertThat(gain(today, new Played(10, 0.02), today).low()).isPositive();
    assertThat(gain(today, new Played(10, 0.02), slowed).low() > 0).isFalse();
  }

  @Test
  void equalGoodputHidesNoGapsThatAreSurelyShorter() {
    Played today = new Played(10, 0.02, 0.050);
    Screening screening =
        screening(
            today, new Played(10, 0.02, 0.035), today, today, new Played(10, 0.02, 0.036), today);
    LeaderSelection choice =
        new LeaderSelection(screening, QUESTION, NonInferiorityMargins.usual());
    Configuration other = GRID.cells().get(1);
    assertThat(choice.asGoodAs(GRID.current())).containsExactly(other);
    assertThat(choice.gaps(other, GRID.current())).contains("-29 %");
    assertThat(choice.gaps(GRID.current(), GRID.current())).isEmpty();
  }
}
