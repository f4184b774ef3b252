package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Whole;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.WaitPart;

/** A delay planted in the network of a virtual run is found outside the engine. */
class PlantedDelayTest {
  private static final String CHAT =
      "{arrival: poisson, rate: 8, prompt_tokens: {uniform: [50, 300]},"
          + " output_tokens: {uniform: [5, 60]}}";
  private static final int SECONDS = 120;
  private static final double DELAY_SECONDS = 0.05;

  /** Twice 15 ms there and back, and twice 10 ms in the mean, drawn for each request. */
  private static final PlantedRun DELAYED =
      PlantedRun.of(CHAT, SECONDS, "--network-us", "15000", "--network-jitter-us", "10000");

  private static final PlantedRun DIRECT = PlantedRun.of(CHAT, SECONDS, "--network-us", "0");

  @TempDir private Path folder;

  @Test
  void fiftyMillisecondsAreFoundOutsideWithinTheirInterval() throws IOException {
    Interval outside = outside(DELAYED, 3);
    assertThat(value(outside.low())).isLessThan(DELAY_SECONDS);
    assertThat(value(outside.high())).isGreaterThan(DELAY_SECONDS);
    assertThat(value(outside.high()) - value(outside.low())).isLessThan(0.02);
  }

  @Test
  void noDelayIsNoDelay() throws IOException {
    Interval outside = outside(DIRECT, 4);
    // The simulated server may take a moment to send; the client and the network take none.
    assertThat(value(outside.value())).isCloseTo(0, within(0.001));
    assertThat(value(outside.low())).isLessThanOrEqualTo(value(outside.value()));
  }

  @Test
  @Tag("stress")
  void theIntervalCoversTheTruthInNineteenOfTwentyRuns() throws IOException {
    int runs = 200;
    double direct = 0;
    for (int seed = 0; seed < 10; seed++) {
      direct += value(outside(DIRECT, 900 + seed).value()) / 10;
    }
    int ttft = 0;
    int e2e = 0;
    double mean = 0;
    for (int seed = 0; seed < runs; seed++) {
      RunAnalysis analysis = Analyzer.analyze(DELAYED.play(folder, 10_000 + seed));
      ttft += covers(outside(analysis, Whole.TTFT), DELAY_SECONDS + direct) ? 1 : 0;
      e2e += covers(outside(analysis, Whole.E2E), DELAY_SECONDS + direct) ? 1 : 0;
      mean += value(outside(analysis, Whole.TTFT).value()) / runs;
    }
    System.out.printf(
        "outside of 50 ms: mean %.2f ms, intervals cover it in %d (TTFT) and %d (E2E) of %d%n",
        mean * 1e3, ttft, e2e, runs);
    // 186 of 200 are 93 %; with a true 95 % fewer than that come up once in eight times.
    assertThat(ttft).isGreaterThanOrEqualTo(186);
    assertThat(e2e).isGreaterThanOrEqualTo(186);
    assertThat(mean).isCloseTo(DELAY_SECONDS + direct, within(0.001));
  }

  private static boolean covers(Interval interval, double truth) {
    return value(interval.low()) <= truth && truth <= value(interval.high());
  }

  private Interval outside(PlantedRun run, long seed) throws IOException {
    return outside(Analyzer.analyze(run.play(folder, seed)), Whole.TTFT);
  }

  private static Interval outside(RunAnalysis analysis, Whole quantity) {
    return analysis.decompositions().stream()
        .filter(one -> one.quantity() == quantity)
        .flatMap(one -> one.parts().stream())
        .filter(part -> part.name() == WaitPart.OUTSIDE)
        .map(Decomposition.Part::mean)
        .findFirst()
        .orElseThrow();
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }
}
