package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StepTimeProfileTest {

  @Test
  void theH100ProfileGivesThePublishedMedians() {
    StepTimeProfile profile = StepTimeProfile.named("llama-3.1-8b-h100");
    assertThat(profile.meanNanos(new StepWork(0, 0, 1, 300)) / 1e6).isCloseTo(6.48, within(0.05));
    assertThat(profile.meanNanos(new StepWork(0, 0, 4, 1200)) / 1e6).isCloseTo(6.59, within(0.1));
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
