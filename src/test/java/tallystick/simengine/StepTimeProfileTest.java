package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StepTimeProfileTest {

  @Test
  void theTinyCpuProfileGivesTheRecordedMedians() {
    StepTimeProfile profile = StepTimeProfile.named("tiny-cpu");
    // Recorded: median ITL 3.13 ms at 8 streams and 7.92 ms at 32, each with some 96 tokens.
    assertThat(profile.meanNanos(0, 8, 8 * 96) / 1e6).isCloseTo(3.13, within(0.1));
    assertThat(profile.meanNanos(0, 32, 32 * 96) / 1e6).isCloseTo(7.92, within(0.1));
    // Recorded: a prefill of 3000 tokens in two steps took 51 ms.
    assertThat((2 * profile.baseNanos() + profile.prefillTokenNanos() * 3000) / 1e6)
        .isCloseTo(51, within(1.0));
  }

  @Test
  void theH100ProfileGivesThePublishedMedians() {
    StepTimeProfile profile = StepTimeProfile.named("llama-3.1-8b-h100");
    assertThat(profile.meanNanos(0, 1, 300) / 1e6).isCloseTo(6.48, within(0.05));
    assertThat(profile.meanNanos(0, 4, 1200) / 1e6).isCloseTo(6.59, within(0.1));
  }

  @Test
  void everyNamedProfileCanBeRead() {
    for (String name : StepTimeProfile.NAMES) {
      assertThat(StepTimeProfile.named(name).name()).isEqualTo(name);
    }
  }

  @Test
  void anUnknownProfileNamesTheKnownOnes() {
    assertThatThrownBy(() -> StepTimeProfile.named("gpu"))
        .hasMessageContaining("llama-3.1-8b-h100");
  }
}
