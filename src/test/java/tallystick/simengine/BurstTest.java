package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A closed burst into a cache too small for it, as it was put to the real engine. */
class BurstTest {

  @ParameterizedTest
  @CsvSource({"40, 45.3", "64, 52.3"})
  void preemptsAboutAsOftenAsTheRealEngine(int promptTokens, double recordedMean) {
    EngineRun run = EngineRun.asRecorded();
    for (int i = 0; i < 48; i++) {
      run.submit(EngineRun.prompt(promptTokens, i), 200);
    }
    run.runToEnd();
    assertThat(run.metric("prefix_cache_hits_total")).isZero();
    assertThat(run.metric("generation_tokens_total")).isEqualTo(9600);
    assertThat(run.metric("num_preemptions_total"))
        .isBetween(0.8 * recordedMean, 1.2 * recordedMean);
  }
}
