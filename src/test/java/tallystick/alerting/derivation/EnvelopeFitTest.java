package tallystick.alerting.derivation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvelopeFitTest {
  private static final long STEP = 30_000;

  /** What a token takes: 10 ms, 0.1 ms for each running request, 0.05 ms for each token. */
  private static double seconds(double running, double tokens) {
    return 0.01 + 1e-4 * running + 5e-5 * tokens;
  }

  /** Loads that go round from 4 to 28 requests; some evaluations are so many times as slow. */
  private static List<StepSample> run(
      String name, int count, int slowFrom, double factor, int lasts) {
    List<StepSample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double running = 4 + 4 * (i % 7);
      double tokens = running + 10 * (i % 5);
      boolean isSlow = i >= slowFrom && i < slowFrom + lasts;
      double itl = seconds(running, tokens) * (isSlow ? factor : 1);
      samples.add(new StepSample(name, "m", "e", i * STEP, itl, running, tokens, 0));
    }
    return samples;
  }

  private static LoadEnvelope of(List<StepSample> first, List<StepSample> second) {
    List<StepSample> all = new ArrayList<>(first);
    all.addAll(second);
    return new EnvelopeFit(all, STEP).envelope();
  }

  private static List<StepSample> healthy(String name) {
    return run(name, 400, 0, 1, 0);
  }

  @Test
  void theCostsThatMadeTheTimesAreFoundAgain() {
    LoadEnvelope.Known known = (LoadEnvelope.Known) of(healthy("a"), healthy("b"));
    assertThat(known.cost().base()).isCloseTo(0.01, within(1e-9));
    assertThat(known.cost().request()).isCloseTo(1e-4, within(1e-9));
    assertThat(known.cost().token()).isCloseTo(5e-5, within(1e-9));
    assertThat(known.mostTokens()).isEqualTo(28 + 40);
    assertThat(known.mixWorst()).isNaN();
    // Two minutes of range and one evaluation.
    assertThat(known.holdMillis()).isEqualTo(150_000);
  }

  @Test
  void neighboursWithOneLimitAreOneBandAndEveryOneHasItsWindows() {
    LoadEnvelope.Known known = (LoadEnvelope.Known) of(healthy("a"), healthy("b"));
    assertThat(known.bands()).hasSize(1);
    LoadEnvelope.Band band = known.bands().getFirst();
    assertThat(band.above()).isEqualTo(2);
    assertThat(band.most()).isEqualTo(32);
    // 800 evaluations each 30 s are 200 windows of two minutes; parts of bands are cut off.
    assertThat(band.windows()).isBetween(197L, 200L);
    assertThat(band.limit()).isEqualTo(1.1);
  }

  @Test
  void whatHeldForLessThanTheRuleWaitsIsAChangeOfLoad() {
    LoadEnvelope.Known known =
        (LoadEnvelope.Known) of(run("a", 400, 100, 1.4, 4), healthy("b"));
    assertThat(known.bands()).allMatch(band -> band.limit() <= 1.11);
  }

  @Test
  void anEngineThatWasSlowWhileItWasMeasuredWidensTheEnvelopeOrHasNone() {
    LoadEnvelope.Known wider =
        (LoadEnvelope.Known) of(run("a", 400, 100, 1.15, 20), healthy("b"));
    assertThat(wider.bands().getFirst().worst()).isCloseTo(1.15, within(0.01));
    assertThat(wider.bands().getFirst().limit()).isBetween(1.26, 1.28);
    LoadEnvelope.Refused none =
        (LoadEnvelope.Refused) of(run("a", 400, 100, 1.5, 20), healthy("b"));
    assertThat(none.missing()).contains("times as slow as expected, allowed 1.25");
  }

  @Test
  void oneRunIsJudgedByNobodyAndFewWindowsTellNothing() {
    assertThat(new EnvelopeFit(healthy("a"), STEP).envelope())
        .isInstanceOfSatisfying(
            LoadEnvelope.Refused.class,
            refused -> assertThat(refused.missing()).startsWith("1 run, need 2"));
    assertThat(of(run("a", 60, 0, 1, 0), run("b", 60, 0, 1, 0)))
        .isInstanceOfSatisfying(
            LoadEnvelope.Refused.class,
            refused -> assertThat(refused.missing()).contains("windows, need 20"));
  }

  @Test
  void aLoadThatNeverChangedHasNoCostOfARequest() {
    List<StepSample> constant = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      constant.add(new StepSample("a", "m", "e", i * STEP, 0.02, 8, 12, 0));
    }
    StepTimeModel cost = StepTimeModel.fit(constant);
    assertThat(cost.ratio(constant.getFirst())).isCloseTo(1, within(1e-9));
  }
}
