package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class StepTimeProfileTest {

  /** The real engine's own figures vary by 20 % from run to run on two shared cores. */
  @Test
  void theTinyCpuProfileIsWithinAQuarterOfTheRecordedEngine() {
    StepTimeProfile profile = StepTimeProfile.named("tiny-cpu");
    Percentage quarter = Percentage.withPercentage(25);
    // Recorded: median gap 2.71 ms of one stream, 2.94 ms of eight, each with some 96 tokens.
    assertThat(profile.meanNanos(0, 1, 96) / 1e6).isCloseTo(2.71, quarter);
    assertThat(profile.meanNanos(0, 8, 8 * 96) / 1e6).isCloseTo(2.94, quarter);
    // Recorded: a prefill of 3000 tokens in two steps took 47.7 ms.
    assertThat((2 * profile.baseNanos() + profile.prefillTokenNanos() * 3000) / 1e6)
        .isCloseTo(47.7, quarter);
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
