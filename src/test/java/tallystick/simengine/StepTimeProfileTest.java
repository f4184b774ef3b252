package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void aFileMustHaveEveryKey(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("p.properties"), "base_us=10\n");
    assertThatThrownBy(() -> StepTimeProfile.named(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefill_token_us must be a number");
  }
}
