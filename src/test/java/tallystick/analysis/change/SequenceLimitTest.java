package tallystick.analysis.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.analysis.engine.EngineColumns;

class SequenceLimitTest {
  private static final double[] FULL_AT_FOUR = {2, 4, 4, 4, 3, 4, 4, 1};
  private static final double[] WAITING = {0, 1, 5, 9, 7, 3, 2, 0};

  @Test
  void isHowManyRunWheneverOthersWait() {
    assertThat(SequenceLimit.of(period(FULL_AT_FOUR, WAITING, 0.1, 1))).isEqualTo(4);
  }

  @Test
  void isNotSeenWhereMoreRanWhileNobodyWaited() {
    double[] running = FULL_AT_FOUR.clone();
    running[0] = 9;
    assertThat(SequenceLimit.of(period(running, WAITING, 0.1, 1))).isNaN();
  }

  @Test
  void isNotSeenWhereTheCacheIsFullOrUnknownOrSeveralEnginesAreSummed() {
    assertThat(SequenceLimit.of(period(FULL_AT_FOUR, WAITING, 0.9, 1))).isNaN();
    assertThat(SequenceLimit.of(period(FULL_AT_FOUR, WAITING, 0, 1))).isNaN();
    assertThat(SequenceLimit.of(period(FULL_AT_FOUR, WAITING, 0.1, 2))).isNaN();
  }

  @Test
  void isNotSeenWhereRequestsWaitWhileWhatRunsEnds() {
    double[] running = {9, 9, 7, 5, 3, 1, 0, 0};
    assertThat(SequenceLimit.of(period(running, WAITING, 0.1, 1))).isNaN();
  }

  private static PeriodSums period(
      double[] running, double[] waiting, double cache, long engines) {
    double[] lengths = new double[running.length];
    Arrays.fill(lengths, 1);
    double[] usage = new double[running.length];
    Arrays.fill(usage, cache);
    return new PeriodSums(
        lengths, Map.of(),
        Map.of(
            EngineColumns.RUNNING, running, EngineColumns.WAITING, waiting,
            EngineColumns.KV_USAGE, usage),
        engines, new PeriodSums.Conditions(false, false, 0, 0, 0, 1, 0.01));
  }
}
