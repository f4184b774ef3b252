package tallystick.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;
import org.junit.jupiter.api.Test;

class CorrelatedStepTest {
  private static final int SHORTEST = 5;

  private static double[] series(long seed, int length, double correlation, int at, double step) {
    Random random = new Random(seed);
    double[] series = new double[length];
    double last = random.nextGaussian();
    for (int i = 0; i < length; i++) {
      series[i] = last + (i >= at ? step : 0);
      last = correlation * last + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
    }
    return series;
  }

  /** The same by plain regressions, one for every correlation and place. */
  @Test
  void theGainIsThatOfTheBestRegression() {
    double[] series = series(3, 14, 0.5, 6, 1.5);
    double without = Double.POSITIVE_INFINITY;
    double with = Double.POSITIVE_INFINITY;
    for (int tenth = 0; tenth < 10; tenth++) {
      without = Math.min(without, unlikely(series, tenth / 10.0, series.length));
      for (int at = SHORTEST; at <= series.length - SHORTEST; at++) {
        with = Math.min(with, unlikely(series, tenth / 10.0, at));
      }
    }

    assertThat(CorrelatedStep.gain(series, SHORTEST)).isCloseTo(without - with, within(1e-9));
  }

  private static double unlikely(double[] series, double correlation, int at) {
    boolean hasStep = at < series.length;
    double[] values = new double[series.length];
    double[][] causes = new double[series.length][hasStep ? 2 : 1];
    for (int i = 0; i < series.length; i++) {
      double kept = i == 0 ? Math.sqrt(1 - correlation * correlation) : 1;
      double off = i == 0 ? 0 : correlation;
      values[i] = kept * series[i] - off * series[Math.max(0, i - 1)];
      causes[i][0] = kept - off;
      if (hasStep) {
        causes[i][1] = (i >= at ? kept : 0) - (i > at ? off : 0);
      }
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(values, causes);
    return series.length * Math.log(regression.calculateResidualSumOfSquares())
        - Math.log(1 - correlation * correlation);
  }

  @Test
  void aStepWithoutNoiseIsAsRareAsTheTriesCanTell() {
    double[] step = new double[10];
    for (int i = 5; i < 10; i++) {
      step[i] = 1;
    }

    assertThat(CorrelatedStep.pValue(step, SHORTEST, 99)).isEqualTo(0.01);
  }

  @Test
  void valuesThatFollowOneAnotherSeldomLookLikeAStep() {
    int alarms = 0;
    int seen = 0;
    for (int i = 0; i < 200; i++) {
      double[] wanders = series(9_000 + i, 30, 0.4, 30, 0);
      alarms += CorrelatedStep.pValue(wanders, SHORTEST, 99) <= 0.05 ? 1 : 0;
      double[] steps = series(9_500 + i, 30, 0, 15, 2);
      seen += CorrelatedStep.pValue(steps, SHORTEST, 99) <= 0.05 ? 1 : 0;
    }

    assertThat(alarms).isLessThanOrEqualTo(20);
    assertThat(seen).isGreaterThanOrEqualTo(170);
  }
}
